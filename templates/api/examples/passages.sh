curl --silent --fail-with-body --get "$URL/passages" \
  --header "Authorization: Bearer $TOKEN" \
  --data-urlencode "q=determination date" \
  --data "limit=3"

curl --silent --fail-with-body "$URL/verify" \
  --header "Authorization: Bearer $TOKEN" \
  --json '{"text": "The Determination Date is the fifteenth day of each calendar month."}'
