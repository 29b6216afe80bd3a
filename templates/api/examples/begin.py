import httpx

URL = "https://throughline.example/api/v1"
TOKEN = "your-token"

client = httpx.Client(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=120)
answer = client.post(f"{URL}/sessions", json={"title": "From a program"}).raise_for_status()
session = f"{URL}/sessions/{answer.json()['session_id']}"
print(session)
