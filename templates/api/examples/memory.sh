DOCUMENT=$(curl --silent --fail-with-body "$URL/sessions/$SESSION/memory" \
  --header "Authorization: Bearer $TOKEN" \
  | sed 's/.*"documents":\[{"document_id":"\([^"]*\)".*/\1/')
curl --silent --fail-with-body --request PUT \
  "$URL/sessions/$SESSION/memory/documents/$DOCUMENT" \
  --header "Authorization: Bearer $TOKEN" \
  --json '{"standing": "boosted"}'
curl --silent --fail-with-body "$URL/sessions/$SESSION/memory/entities" \
  --header "Authorization: Bearer $TOKEN" \
  --json '{"name": "Backup Servicer", "kind": "term", "snippet": "Takes over from the Servicer."}'
