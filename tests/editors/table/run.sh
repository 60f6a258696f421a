#!/bin/sh
# Plays at a table in real browsers, keeping screenshots. Skips with a message if a browser is unavailable.
# Usage: run.sh PERCEPT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
log=$(mktemp)
trap 'rm -f "$log"' EXIT
browser=$(timeout "${PERCEPT_FETCH_SECONDS:-400}" sh "$here/../vscode/install.sh" 2>"$log") || true
[ -n "$browser" ] || { echo "skipped: table ($(tail -n 1 "$log" | grep . || echo 'fetching took too long'))"; exit 0; }
mkdir -p "$here/../screenshots"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/vscode
PERCEPT=$1 CACHE=$cache BROWSER=$browser SCREENS=$here/../screenshots timeout 300 node "$here/e2e.mjs"
