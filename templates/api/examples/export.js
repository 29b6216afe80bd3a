const exported = await fetch(`${session}/export?format=markdown`, { headers });
const markdown = await exported.text();
console.log(markdown);
