curl --silent --fail-with-body "$URL/consents" \
  --header "Authorization: Bearer $TOKEN" \
  --json '{"purpose": "recall", "given": true}'
for text in "I live in Lisbon" "I moved to Porto"; do
  curl --silent --fail-with-body "$URL/memory/facts" \
    --header "Authorization: Bearer $TOKEN" \
    --json "{\"text\": \"$text\", \"kind\": \"fact\"}"
done
curl --silent --fail-with-body "$URL/memory/facts?past=true" \
  --header "Authorization: Bearer $TOKEN"
