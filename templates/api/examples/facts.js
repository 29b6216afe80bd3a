await fetch(`${URL}/consents`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({ purpose: "recall", given: true }),
});
for (const text of ["I live in Lisbon", "I moved to Porto"]) {
  const body = JSON.stringify({ text, kind: "fact" });
  await fetch(`${URL}/memory/facts`, { method: "POST", headers: json, body });
}
const facts = await fetch(`${URL}/memory/facts?past=true`, { headers });
for (const fact of (await facts.json()).facts) {
  console.log(fact.text, fact.valid_from, fact.valid_until);
}
