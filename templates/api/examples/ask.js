const asked = await fetch(`${session}/turns`, {
  method: "POST",
  headers: { ...json, "Idempotency-Key": `question-1-${session}` },
  body: JSON.stringify({ query: "What is the Determination Date?", style: "footnote" }),
});
const turn = await asked.json();
console.log(turn.response);
for (const citation of turn.citations) console.log(citation.number, citation.quote);
