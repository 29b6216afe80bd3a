history = [
    {"role": "user", "content": "What is the Determination Date?"},
    {"role": "assistant", "content": "The fifteenth day of each calendar month."},
]
follow_up = {
    "query": "And what happens if it falls on a weekend?",
    "conversation_context": history,
}
answer = client.post(f"{URL}/query", json=follow_up).raise_for_status().json()
print(answer["standalone_query"])
print(answer["response"])
