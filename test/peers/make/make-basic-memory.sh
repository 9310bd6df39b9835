#!/usr/bin/env bash
# Lets basic-memory write notes with its own command line: make-basic-memory.sh PROGRAM FOLDER
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
HOME=$(mktemp -d)
export HOME BASIC_MEMORY_HOME="$folder" BASIC_MEMORY_CONFIG_DIR="$HOME/config" BASIC_MEMORY_NO_PROMOS=1
trap 'rm -rf "$HOME"' EXIT

note() { "$program" tool write-note --local --project moving "$@" >"$HOME/answer" || { cat "$HOME/answer"; exit 1; }; }

"$program" project add moving "$folder" --local >"$HOME/answer" 2>&1 || { cat "$HOME/answer"; exit 1; }
note --title "Alice Moreau" --folder people --tags team,research --type person --content '# Alice Moreau

Met at the conference in Lyon.

## Observations
- [preference] Prefers tea over coffee #drinks
- [language] Alice Moreau speaks French (and some 日本語)
- [rule] No deployments on Fridays #deploy #safety (said twice)
- A line with a tag #loose
- [ ] Ask her about the talk
- [x] Send the slides

## Relations
- works_at [[TechCorp]]
- maintains [[Apollo API]] (since 2024)
- [[Postgres]]

## Background

She wrote the first version of [[Apollo API]] in 2023.

```sh
# not a heading
- [not] an observation
```'

note --title "TechCorp" --folder companies --content 'A company of forty people.'
note --title "Apollo API" --folder projects/2024 --content '- [port] Listens on port 8443
- depends_on [[Postgres]]'
note --title "Empty" --folder notes --content '# Empty'
