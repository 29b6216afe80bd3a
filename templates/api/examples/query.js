const queried = await fetch(`${URL}/query`, {
  method: "POST",
  headers: json,
  body: JSON.stringify({
    query: "And what happens if it falls on a weekend?",
    conversation_context: [
      { role: "user", content: "What is the Determination Date?" },
      { role: "assistant", content: "The fifteenth day of each calendar month." },
    ],
  }),
});
const answer = await queried.json();
console.log(answer.standalone_query);
console.log(answer.response);
