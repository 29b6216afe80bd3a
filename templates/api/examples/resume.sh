TURN=$(sed -n 's/.*"turn_id":"\([^"]*\)".*/\1/p' events.txt | head -n 1)
LAST=$(sed -n 's/^id: //p' events.txt | head -n 3 | tail -n 1)

curl --silent --no-buffer --fail-with-body "$URL/sessions/$SESSION/turns/$TURN/events" \
  --header "Authorization: Bearer $TOKEN" \
  --header "Last-Event-ID: $LAST"
