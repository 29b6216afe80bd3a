const fitting = new URLSearchParams({ q: "determination date", limit: 3 });
const found = await fetch(`${URL}/passages?${fitting}`, { headers });
for (const passage of (await found.json()).passages) {
  console.log(passage.rank, passage.score, passage.title, passage.text);
}
const verified = await fetch(`${URL}/verify`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({
    text: "The Determination Date is the fifteenth day of each calendar month.",
  }),
});
for (const claim of (await verified.json()).claims) {
  console.log(claim.state, claim.passages[0].quote);
}
