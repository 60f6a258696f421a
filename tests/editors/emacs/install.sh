#!/bin/sh
# Prints the command of each Emacs for the tests, one per line: the system's (if it is missing, Debian's with Eglot is installed), and if
# that is older than 29 also Debian's current one, which supports tree-sitter, unpacked into a cache folder. Prints nothing if both are unavailable.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if ! command -v emacs >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive timeout "${PERCEPT_FETCH_SECONDS:-300}" \
        apt-get install -y -qq --no-install-recommends emacs-nox elpa-eglot; } >/dev/null 2>&1 || true
fi
command -v emacs || true
knows() { [ "$("$1" -Q --batch --eval '(princ (and (fboundp (quote treesit-available-p)) (treesit-available-p)))' 2>/dev/null)" = t ]; }
if command -v emacs >/dev/null && knows emacs; then exit 0; fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/emacs
if ! { [ -x "$cache/emacs" ] && knows "$cache/emacs"; }; then
    triple=$(sh "$here/../debian.sh" emacs-nox "$cache") || exit 0
    version=$(basename "$cache"/root/usr/share/emacs/[1-9]*)
    loader=$(ls "$cache"/root/usr/lib64/ld-linux-*.so.* "$triple"/ld-linux-*.so.* 2>/dev/null | head -1)
    cat > "$cache/emacs" <<END
#!/bin/sh
root='$cache/root/usr'
export EMACSDATA="\$root/share/emacs/$version/etc" EMACSDOC="\$root/share/emacs/$version/etc"
EMACSLOADPATH=\$(find "\$root/share/emacs/$version/lisp" -type d | tr '\n' ':')
EMACSPATH=\$(dirname "\$root"/libexec/emacs/$version/*/hexl)
export EMACSLOADPATH EMACSPATH
exec '$loader' --library-path '$triple' "\$root/bin/emacs-nox" --dump-file="\$(ls "\$root"/libexec/emacs/$version/*/emacs-*.pdmp)" "\$@"
END
    chmod +x "$cache/emacs"
fi
if knows "$cache/emacs"; then echo "$cache/emacs"; else echo "the fetched Emacs does not run" >&2; fi
