words = {"q": "determination date", "limit": 3}
found = client.get(f"{URL}/passages", params=words).raise_for_status().json()["passages"]
for passage in found:
    print(passage["rank"], passage["score"], passage["title"], passage["text"])
claim = {"text": "The Determination Date is the fifteenth day of each calendar month."}
verified = client.post(f"{URL}/verify", json=claim).raise_for_status().json()
for each in verified["claims"]:
    print(each["state"], each["passages"][0]["quote"])
