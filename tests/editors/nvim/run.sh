#!/bin/sh
# Drives a real Neovim, headless, through an author's work. Skips with a message if it is missing.
# Usage: run.sh PERCEPT     the program under test
set -eu
here=$(cd "$(dirname "$0")" && pwd)
percept=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvim=$(timeout "${PERCEPT_FETCH_SECONDS:-400}" sh "$here/install.sh" 2>"$work/why") || true
if [ -z "$nvim" ]; then
    echo "skipped: editors/nvim ($(tail -n 1 "$work/why" | grep . || echo 'fetching took too long'))"
    exit 0
fi
cp "$here"/../fixtures/* "$work"/
sh "$here/../../../editors/nvim/build-grammars.sh" "$work/runtime" >/dev/null 2>&1 || echo "note: no C compiler, so no tree-sitter grammars"
mkdir -p "$here/../screenshots" "$work/home"
cd "$work"
status=0
HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_STATE_HOME=$work/home XDG_DATA_HOME=$work/home XDG_CACHE_HOME=$work/home \
    PERCEPT=$percept PLUGIN=$here/../../../editors/nvim WORK=$work SCREENS=$here/../screenshots \
    timeout 120 "$nvim" --headless -i NONE -u "$here/init.lua" -c "luafile $here/e2e.lua" 2>&1 || status=$?
# As a plugin of Neovim's own package manager, from a repository.
if command -v git >/dev/null; then
    mkdir -p "$work/percept/editors"
    cp -r "$here/../../../editors/nvim" "$work/percept/editors/"
    git="git -C $work/percept -c user.name=test -c user.email=test@localhost -c init.defaultBranch=main"
    $git init -q && $git add -A && $git commit -qm "As it is"
    HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_STATE_HOME=$work/home XDG_DATA_HOME=$work/home XDG_CACHE_HOME=$work/home \
        PERCEPT=$percept WORK=$work timeout 60 "$nvim" --headless -i NONE -u "$here/pack.lua" coin.kif \
        -c "lua require_attached()" 2>&1 || status=$?
fi
# Takes pictures, if there is a browser for it.
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
for page in "$work"/*.html; do
    [ -n "$browser" ] && [ -f "$page" ] || continue
    # The picture is as high as the text.
    lines=$(wc -l <"$here/../screenshots/$(basename "$page" .html).txt" 2>/dev/null || echo 26)
    height=$((lines * 19 + 40))
    [ "$height" -gt 1000 ] && height=1000
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --window-size="1040,$height" \
        --screenshot="$here/../screenshots/$(basename "$page" .html).png" "file://$page" >/dev/null 2>&1 || true
done
exit $status
