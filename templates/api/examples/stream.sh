curl --silent --no-buffer "$URL/sessions/$SESSION/turns" \
  --header "Authorization: Bearer $TOKEN" \
  --header "Accept: text/event-stream" \
  --json '{"query": "And what happens if it falls on a weekend?"}' \
  | tee events.txt
