import json


def events(response):
    """Yield id, name and data of each server-sent event."""
    event = {}
    for line in response.iter_lines():
        name, _, value = line.partition(": ")
        if line and name:
            event[name] = value
        elif event:
            yield event["id"], event["event"], json.loads(event["data"])
            event = {}


follow_up = {"query": "And what happens if it falls on a weekend?"}
accept = {"Accept": "text/event-stream"}
seen = []
with client.stream("POST", f"{session}/turns", json=follow_up, headers=accept) as response:
    for identity, name, data in events(response):
        seen.append(identity)
        if name == "turn":
            place = f"{session}/turns/{data['turn_id']}"
        elif name == "delta":
            print(data["text"], end="", flush=True)
        elif name in ("done", "error"):
            print()
