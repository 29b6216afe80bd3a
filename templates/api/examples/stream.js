async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks.filter((block) => !block.startsWith(":"))) {
      const lines = block.split("\n").map((line) => line.split(/: (.*)/s));
      const { id, event, data } = Object.fromEntries(lines);
      yield { id, event, data: JSON.parse(data) };
    }
  }
}

const streamed = await fetch(`${session}/turns`, {
  method: "POST",
  headers: { ...json, Accept: "text/event-stream" },
  body: JSON.stringify({ query: "And what happens if it falls on a weekend?" }),
});
const seen = [];
let place = "";
let text = "";
for await (const { id, event, data } of events(streamed)) {
  seen.push(id);
  if (event === "turn") place = `${session}/turns/${data.turn_id}`;
  if (event === "delta") text += data.text;
}
console.log(text);
