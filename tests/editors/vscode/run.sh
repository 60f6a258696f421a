#!/bin/sh
# Drives the real VS Code workbench (the one the npm package code-server carries) in headless Chromium through an
# author's work, and keeps screenshots. Skips with a clear word where a browser or the packages cannot be had.
# Usage: run.sh PERCEPT     the program under test
set -eu
skip() { echo "skipped: editors/vscode ($1)"; exit 0; }
here=$(cd "$(dirname "$0")" && pwd)
percept=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
root=$here/../../..
command -v node >/dev/null && command -v npm >/dev/null || skip "no Node.js"
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$browser" ] || skip "no Chromium on the PATH; install one, or name it in CHROMIUM"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/vscode
code=$cache/node_modules/code-server/lib/vscode
if [ ! -f "$cache/ready" ]; then
    mkdir -p "$cache" && cp "$here/package.json" "$cache/"
    # Native modules are built only where they can be: without a terminal and a keyring the workbench still works.
    (cd "$cache" && npm install --ignore-scripts --no-audit --no-fund) >&2 || skip "the npm packages cannot be fetched"
    (cd "$code" && npm install --ignore-scripts --omit=dev --no-audit --no-fund) >&2 || skip "VS Code's packages cannot be fetched"
    for module in node-pty @vscode/spdlog native-watchdog kerberos @parcel/watcher; do
        (cd "$code" && npm rebuild "$module" >/dev/null 2>&1) || true
    done
    (cd "$code" && ln -sfn node_modules node_modules.asar)
    touch "$cache/ready"
fi
(cd "$root/editors/vscode" && { [ -d node_modules ] || npm ci --no-audit --no-fund >&2; } && npm run build >&2) || skip "the extension's packages cannot be fetched"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/game" "$work/data/extensions/percept.percept-0.1.0" "$work/data/data/User" "$here/../screenshots"
cp "$here"/../fixtures/* "$work/game/"
(cd "$root/editors/vscode" && cp -r package.json out syntaxes snippets media language-configuration*.json "$work/data/extensions/percept.percept-0.1.0/")
mkdir -p "$work/data/extensions/percept.percept-0.1.0/bin" && ln -s "$percept" "$work/data/extensions/percept.percept-0.1.0/bin/percept"
printf '{"security.workspace.trust.enabled":false,"workbench.startupEditor":"none","telemetry.telemetryLevel":"off","extensions.autoUpdate":false,"extensions.autoCheckUpdates":false,"update.mode":"none","editor.minimap.enabled":false,"workbench.tips.enabled":false,"workbench.colorTheme":"Default Dark Modern"}' > "$work/settings.json"
mkdir -p "$work/data/data/Machine" && cp "$work/settings.json" "$work/data/data/Machine/settings.json"
CODE=$code CACHE=$cache WORK=$work BROWSER=$browser SCREENS=$here/../screenshots SETTINGS=$work/settings.json \
    NODE_PATH=$cache/node_modules timeout 400 node "$here/e2e.mjs"
