notes = b"# Office hours\n\nThe office is open from nine to five.\n"
files = {"file": ("notes.md", notes)}
about = {"title": "Office hours"}
document = client.post(f"{URL}/documents", files=files, data=about).raise_for_status().json()
print(document["document_id"], document["status"])
