curl --silent "$URL/sessions/$SESSION/turns" \
  --header "Authorization: Bearer $TOKEN" \
  --json '{"question": "Is this the right field?"}' \
  --write-out '\n%{http_code}\n'
