#!/bin/sh
# Drives every installed Emacs (install.sh) without a screen through an author's work. Skips with a message if it is missing or lacks Eglot.
# Usage: run.sh PERCEPT     the program under test
set -eu
here=$(cd "$(dirname "$0")" && pwd)
percept=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
all=$(sh "$here/install.sh") || true
[ -n "$all" ] || { echo "skipped: editors/emacs (Emacs is missing)"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for emacs in $all; do
    version=$("$emacs" --version | sed -n '1s/^GNU //p')
    if ! "$emacs" -q --batch --eval "(require 'eglot)" >/dev/null 2>&1; then
        echo "skipped: editors/emacs ($version has no Eglot)"
        continue
    fi
    echo "-- $version"
    rm -rf "$work/home"
    mkdir "$work/home"
    cp "$here"/../fixtures/* "$work/home/"
    PERCEPT=$percept WORK=$work/home PLUGIN=$here/../../../editors/emacs HOME=$work/home \
        timeout 120 "$emacs" -q --batch -l "$here/e2e.el" 2>"$work/log" || { grep -v "^Loading" "$work/log" | tail -n 20; exit 1; }
done
