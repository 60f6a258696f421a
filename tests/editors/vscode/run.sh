#!/bin/sh
# Packs the extension, installs it in the real VS Code workbench, and drives that in headless Chromium through an
# author's work, keeping screenshots. Skips with a message if a browser or the packages are unavailable.
# Usage: run.sh PERCEPT     the program under test
set -eu
here=$(cd "$(dirname "$0")" && pwd)
percept=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$(cd "$here/../../.." && pwd)
why=$(mktemp)
work=$(mktemp -d)
trap 'rm -rf "$work" "$why"' EXIT
browser=$(timeout "${PERCEPT_FETCH_SECONDS:-400}" sh "$here/install.sh" 2>"$why") || true
if [ -z "$browser" ]; then
    echo "skipped: editors/vscode ($(tail -n 1 "$why" | grep . || echo 'fetching took too long'))"
    exit 0
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/vscode
code=$cache/node_modules/code-server/lib/vscode

# The package as it would be published; packing and installing it download nothing. The settings have the path of
# the program.
mkdir -p "$work/extension" "$work/game" "$work/data/data/User" "$work/data/data/Machine" "$here/../screenshots"
(cd "$root/editors/vscode" && tar cf - --exclude=./node_modules --exclude=./out --exclude='*.vsix' .) | (cd "$work/extension" && tar xf -)
ln -s "$root/editors/vscode/node_modules" "$work/extension/node_modules"
(cd "$work/extension" && npm run package) >"$work/pack.log" 2>&1 || { cat "$work/pack.log"; echo "FAILED: the extension cannot be packed"; exit 1; }
echo "ok the extension is packed"
node "$code/out/server-main.js" --install-extension "$work/extension/percept.vsix" --server-data-dir "$work/data" \
    --accept-server-license-terms >"$work/install.log" 2>&1 || { cat "$work/install.log"; echo "FAILED: the package cannot be installed"; exit 1; }
echo "ok the package is installed"

cp "$here"/../fixtures/* "$work/game/"
cp "$root/games/blind-tic-tac-toe/blind-tic-tac-toe.kif" "$work/game/"
cp "$root/games/battleship/battleship.pog" "$root/games/battleship/battleship-3-6.pog" "$work/game/"
mkdir "$work/game/traces" && cp "$root"/games/blind-tic-tac-toe/traces/no-line.trace "$work/game/traces/"
cat >"$work/data/data/Machine/settings.json" <<END
{"percept.server.path": "$percept", "security.workspace.trust.enabled": false, "workbench.startupEditor": "none", "telemetry.telemetryLevel": "off",
 "extensions.autoUpdate": false, "extensions.autoCheckUpdates": false, "update.mode": "none",
 "editor.minimap.enabled": false, "workbench.tips.enabled": false, "workbench.colorTheme": "${PERCEPT_THEME:-Default Dark Modern}"}
END
CODE=$code CACHE=$cache WORK=$work BROWSER=$browser SCREENS=$here/../screenshots timeout 500 node "$here/e2e.mjs"
