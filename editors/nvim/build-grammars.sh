#!/bin/sh
# Builds the tree-sitter grammars for Neovim with the C compiler, and links their queries.
# Usage: build-grammars.sh [DESTINATION]   (default: this plugin's folder)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
grammar=$here/../../grammar
to=${1:-$here}
mkdir -p "$to/parser"
for name in gdl gdl-infix pogddl; do
    lang=$(echo "$name" | tr - _)
    "${CC:-cc}" -shared -fPIC -Os -std=c11 -I "$grammar/$name/src" "$grammar/$name/src/parser.c" -o "$to/parser/$lang.so"
    mkdir -p "$to/queries/$lang"
    cp "$grammar/$name"/queries/*.scm "$to/queries/$lang/"
    echo "built $lang"
done
