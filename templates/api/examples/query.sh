curl --silent --fail-with-body "$URL/query" \
  --header "Authorization: Bearer $TOKEN" \
  --json '{
    "query": "And what happens if it falls on a weekend?",
    "conversation_context": [
      {"role": "user", "content": "What is the Determination Date?"},
      {"role": "assistant", "content": "The fifteenth day of each calendar month."}
    ]
  }'
