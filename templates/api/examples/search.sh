curl --silent --fail-with-body --get "$URL/search" \
  --header "Authorization: Bearer $TOKEN" \
  --data-urlencode "q=determination date" \
  --data "since=2026-01-01"
