#!/bin/sh
# Prints the Emacs that the tests drive, installing Debian's with Eglot where there is none; prints nothing where it cannot be had.
set -eu
if ! command -v emacs >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive timeout "${PERCEPT_FETCH_SECONDS:-300}" \
        apt-get install -y -qq --no-install-recommends emacs-nox elpa-eglot; } >/dev/null 2>&1 || true
fi
command -v emacs || true
