client.post(f"{URL}/consents", json={"purpose": "recall", "given": True}).raise_for_status()
for text in ("I live in Lisbon", "I moved to Porto"):
    fact = {"text": text, "kind": "fact"}
    client.post(f"{URL}/memory/facts", json=fact).raise_for_status()
facts = client.get(f"{URL}/memory/facts", params={"past": True}).raise_for_status().json()["facts"]
for fact in facts:
    print(fact["text"], fact["valid_from"], fact["valid_until"])
