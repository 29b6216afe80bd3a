const URL = "https://throughline.example/api/v1";
const TOKEN = "your-token";

const headers = { Authorization: `Bearer ${TOKEN}` };
const json = { ...headers, "Content-Type": "application/json" };

const begun = await fetch(`${URL}/sessions`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({ title: "From a program" }),
});
const session = `${URL}/sessions/${(await begun.json()).session_id}`;
console.log(session);
