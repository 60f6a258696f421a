#!/bin/sh
# Prints the browser for VS Code's workbench, and fetches both if they are missing: Chromium with apt-get,
# the workbench (from the npm package code-server) with npm into a cache folder.
# Prints nothing, and the reason on stderr, if one is unavailable.
set -eu
none() { echo "$1" >&2; exit 0; }
here=$(cd "$(dirname "$0")" && pwd)
command -v node >/dev/null && command -v npm >/dev/null || none "no Node.js"
browser() {
    for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
        [ -n "$name" ] && command -v "$name" && return
    done
    return 1
}
if ! browser >/dev/null; then
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || none "Chromium is not on the PATH; install it, or set CHROMIUM to its path"
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1 ||
        none "apt-get cannot install Chromium"
    browser >/dev/null || none "the installed Chromium is not on the PATH"
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/vscode
if ! cmp -s "$here/package.json" "$cache/package.json" || [ ! -f "$cache/ready" ]; then
    rm -f "$cache/ready"
    mkdir -p "$cache" && cp "$here/package.json" "$cache/"
    # No install scripts: they build native modules and fetch binaries from elsewhere, for terminals and keyrings.
    (cd "$cache" && npm install --ignore-scripts --no-audit --no-fund) >&2 || none "the npm packages cannot be fetched"
    code=$cache/node_modules/code-server/lib/vscode
    (cd "$code" && npm install --ignore-scripts --omit=dev --no-audit --no-fund) >&2 || none "VS Code's packages cannot be fetched"
    (cd "$code" && ln -sfn node_modules node_modules.asar)
    touch "$cache/ready"
fi
extension=$here/../../../editors/vscode
[ -d "$extension/node_modules/vscode-languageclient" ] || (cd "$extension" && npm ci --no-audit --no-fund) >&2 ||
    none "the extension's packages cannot be fetched"
browser
