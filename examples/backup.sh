#!/bin/sh
# A backup by the command line, beside the running server: export, then rehearse the import.
# It works on the database that DATA_DIR or DATABASE_URL names, as the server does.
#
#   sh examples/backup.sh "backup-$(date +%F).jsonl"
set -eu
file=${1:?name the file to write}
repository=$(dirname "$0")/..

recollect() { node "$repository/bin/recollect.js" "$@"; }

# One consistent snapshot. A file that exists is never replaced, so that no backup is lost to a later one.
recollect export "$file"

# Reads the file back and changes nothing. All that is there already is left as it is: "unchanged".
recollect import "$file" --dry-run
