memory = client.get(f"{session}/memory").raise_for_status().json()
document = memory["documents"][0]["document_id"]
client.put(f"{session}/memory/documents/{document}", json={"standing": "boosted"})
term = {"name": "Backup Servicer", "kind": "term", "snippet": "Takes over from the Servicer."}
client.post(f"{session}/memory/entities", json=term).raise_for_status()
memory = client.get(f"{session}/memory").raise_for_status().json()
for entity in memory["entities"]:
    print(entity["kind"], entity["name"], entity["snippet"])
for document in memory["documents"]:
    print(document["title"], document["standing"])
