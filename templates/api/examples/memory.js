const memory = await (await fetch(`${session}/memory`, { headers })).json();
const active = memory.documents[0].document_id;
const stood = await fetch(`${session}/memory/documents/${active}`, {
  method: "PUT",
  headers: json,
  body: JSON.stringify({ standing: "boosted" }),
});
console.log((await stood.json()).standing);
const term = { name: "Backup Servicer", kind: "term", snippet: "Takes over from the Servicer." };
const remembered = await fetch(`${session}/memory/entities`, {
  method: "POST",
  headers: json,
  body: JSON.stringify(term),
});
console.log((await remembered.json()).name);
