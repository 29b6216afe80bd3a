curl --silent --fail-with-body "$URL/sessions/$SESSION/turns" \
  --header "Authorization: Bearer $TOKEN" \
  --header "Idempotency-Key: question-1-$SESSION" \
  --json '{"query": "What is the Determination Date?", "style": "footnote"}'
