curl --silent --fail-with-body "$URL/sessions/$SESSION/export?format=markdown" \
  --header "Authorization: Bearer $TOKEN" \
  --output conversation.md
