#!/bin/sh
# Drives a real Neovim, headless, through an author's work. Skips with a clear word where there is none.
# Usage: run.sh PERCEPT     the program under test
set -eu
here=$(cd "$(dirname "$0")" && pwd)
percept=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
nvim=$(sh "$here/install.sh")
if [ -z "$nvim" ]; then
    echo "skipped: editors/nvim (no Neovim)"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/../fixtures/* "$work"/
sh "$here/../../../editors/nvim/build-grammars.sh" "$work/runtime" >/dev/null 2>&1 || echo "note: no C compiler, so no tree-sitter grammars"
mkdir -p "$here/../screenshots" "$work/home"
cd "$work"
HOME=$work/home XDG_CONFIG_HOME=$work/home XDG_STATE_HOME=$work/home XDG_DATA_HOME=$work/home XDG_CACHE_HOME=$work/home \
    PERCEPT=$percept PLUGIN=$here/../../../editors/nvim WORK=$work SCREENS=$here/../screenshots \
    timeout 120 "$nvim" --headless -i NONE -u "$here/init.lua" -c "luafile $here/e2e.lua" 2>&1
