#!/bin/sh
# The panel without an editor, in headless Chromium: state and moves in sight together, no fault that axe finds, and a contact sheet of
# screenshots to look at (screenshots/panel.png). Skips with a message if a browser is unavailable.
# Usage: run.sh PERCEPT     the program under test
set -eu
here=$(cd "$(dirname "$0")" && pwd)
percept=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
why=$(mktemp)
work=$(mktemp -d)
trap 'rm -rf "$work" "$why"' EXIT
browser=$(timeout "${PERCEPT_FETCH_SECONDS:-400}" sh "$here/../vscode/install.sh" 2>"$why") || true
if [ -z "$browser" ]; then
    echo "skipped: editors/panel ($(tail -n 1 "$why" | grep . || echo 'fetching took too long'))"
    exit 0
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/vscode
mkdir -p "$here/../screenshots"
CACHE=$cache PERCEPT=$percept WORK=$work BROWSER=$browser SCREENS=$here/../screenshots timeout 1500 node "$here/e2e.mjs"
