printf '# Office hours\n\nThe office is open from nine to five.\n' > notes.md

curl --silent --fail-with-body "$URL/documents" \
  --header "Authorization: Bearer $TOKEN" \
  --form "file=@notes.md" \
  --form "title=Office hours"
