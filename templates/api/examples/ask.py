question = {"query": "What is the Determination Date?", "style": "footnote"}
key = {"Idempotency-Key": f"question-1-{session}"}
turn = client.post(f"{session}/turns", json=question, headers=key).raise_for_status().json()
print(turn["response"])
for citation in turn["citations"]:
    print(citation["number"], citation["quote"])
