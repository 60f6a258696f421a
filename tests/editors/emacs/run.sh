#!/bin/sh
# Drives an Emacs without a screen through an author's work. Skips with a clear word where there is none, or none with Eglot.
# Usage: run.sh PERCEPT     the program under test
set -eu
here=$(cd "$(dirname "$0")" && pwd)
percept=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
skip() { echo "skipped: editors/emacs ($1)"; exit 0; }
emacs=$(sh "$here/install.sh") || true
[ -n "$emacs" ] || skip "there is no Emacs"
"$emacs" -q --batch --eval "(require 'eglot)" >/dev/null 2>&1 || skip "this Emacs has no Eglot"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/../fixtures/* "$work"/
PERCEPT=$percept WORK=$work PLUGIN=$here/../../../editors/emacs HOME=$work \
    timeout 120 "$emacs" -q --batch -l "$here/e2e.el" 2>"$work/log" || { grep -v "^Loading" "$work/log" | tail -n 20; exit 1; }
