const words = new URLSearchParams({ q: "determination date", since: "2026-01-01" });
const searched = await fetch(`${URL}/search?${words}`, { headers });
for (const result of (await searched.json()).results) {
  console.log(result.timestamp, result.title, result.query.text);
}
