URL=https://throughline.example/api/v1
TOKEN=your-token

SESSION=$(curl --silent --fail-with-body "$URL/sessions" \
  --header "Authorization: Bearer $TOKEN" \
  --json '{"title": "From a program"}' \
  | sed 's/.*"session_id":"\([^"]*\)".*/\1/')
echo "$SESSION"
