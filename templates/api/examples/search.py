words = {"q": "determination date", "since": "2026-01-01"}
results = client.get(f"{URL}/search", params=words).raise_for_status().json()["results"]
for result in results:
    print(result["timestamp"], result["title"], result["query"]["text"])
