const resumed = await fetch(`${place}/events`, {
  headers: { ...headers, "Last-Event-ID": seen[2] },
});
let rest = "";
for await (const { event, data } of events(resumed)) {
  if (event === "delta") rest += data.text;
}
console.log(rest);
