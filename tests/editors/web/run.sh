#!/bin/sh
# Builds the playground and drives it in headless Chromium, keeping screenshots. Skips with a message if a browser or a compiler
# for web pages is unavailable. Builds only if PERCEPT_WEB=1, because that takes many minutes; else it uses the result of editors/web/build.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
skip() { echo "skipped: editors/web ($1)"; exit 0; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
browser=$(timeout "${PERCEPT_FETCH_SECONDS:-400}" sh "$here/../vscode/install.sh" 2>"$log") || true
[ -n "$browser" ] || skip "$(tail -n 1 "$log" | grep . || echo 'fetching took too long')"
if [ "${PERCEPT_WEB:-}" = 1 ]; then
    status=0
    timeout 1200 sh "$root/editors/web/build" --quick >"$log" 2>&1 || status=$?
    case $status in
        0)
            echo "ok the playground is built"
            timeout 600 sh "$root/editors/web/build" --test >"$log" 2>&1 || { tail -n 40 "$log"; echo "FAILED: the tests of server/web"; exit 1; }
            echo "ok the tests of server/web pass, compiled for web pages"
            ;;
        3) skip "$(tail -n 1 "$log")" ;;
        *) tail -n 40 "$log"; echo "FAILED: the playground cannot be built"; exit 1 ;;
    esac
fi
[ -f "$root/editors/web/dist/percept.wasm" ] || skip "it is not built: run editors/web/build, or set PERCEPT_WEB=1"
mkdir -p "$here/../screenshots"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/vscode
CACHE=$cache BROWSER=$browser DIST=$root/editors/web/dist SCREENS=$here/../screenshots timeout 300 node "$here/e2e.mjs"
