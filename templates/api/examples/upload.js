const notes = "# Office hours\n\nThe office is open from nine to five.\n";
const form = new FormData();
form.append("file", new Blob([notes]), "notes.md");
form.append("title", "Office hours");
const uploaded = await fetch(`${URL}/documents`, { method: "POST", headers, body: form });
const added = await uploaded.json();
console.log(added.document_id, added.status);
