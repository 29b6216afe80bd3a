const refused = await fetch(`${session}/turns`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({ question: "Is this the right field?" }),
});
if (!refused.ok) {
  const { error } = await refused.json();
  console.log(refused.status, error.code, error.message, error.fields);
  if (refused.status === 429) console.log("Again in", refused.headers.get("Retry-After"), "seconds.");
}
