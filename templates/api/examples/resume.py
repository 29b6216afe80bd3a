last = {"Last-Event-ID": seen[2]}
with client.stream("GET", f"{place}/events", headers=last) as response:
    for _, name, data in events(response):
        if name == "delta":
            print(data["text"], end="", flush=True)
print()
