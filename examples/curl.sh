#!/bin/sh
# REST from a shell: remember, recall, and forget for good.
#
#   RECOLLECT_API_KEY=rcl_key_... sh examples/curl.sh
set -eu
url=${RECOLLECT_URL:-http://127.0.0.1:8787}

call() { # call METHOD PATH [JSON]
  curl -sS --fail-with-body -X "$1" "$url$2" -H "X-API-Key: $RECOLLECT_API_KEY" \
    ${3:+-H 'Content-Type: application/json' -d "$3"}
  echo
}

remembered=$(call POST /v1/remember '{"content": "The door code of the Dione lab is kept by Omar.", "path": "dione"}')
echo "remembered: $remembered"
id=$(echo "$remembered" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')

echo "recalled:   $(call GET '/v1/recall?query=who+has+the+door+code&path=dione&limit=1')"

# hard_delete leaves no content anywhere, and answers a receipt. Without it a memory can be restored.
echo "forgotten:  $(call DELETE "/v1/memories/$id?mode=hard_delete")"
