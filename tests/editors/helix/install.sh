#!/bin/sh
# Prints the command that runs Helix: the one on the PATH, else Debian's current one unpacked into a cache folder with its own libc.
# Prints nothing, and the reason on stderr, if neither works.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if command -v hx; then exit 0; fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/helix
if ! [ -x "$cache/hx" ]; then
    triple=$(sh "$here/../debian.sh" hx "$cache") || exit 0
    loader=$(ls "$cache"/root/usr/lib64/ld-linux-*.so.* "$triple"/ld-linux-*.so.* 2>/dev/null | head -1)
    cat > "$cache/hx" <<END
#!/bin/sh
exec '$loader' --library-path '$triple' '$cache/root/usr/bin/hx' "\$@"
END
    chmod +x "$cache/hx"
fi
if "$cache/hx" --version >/dev/null 2>&1; then echo "$cache/hx"; else echo "the fetched Helix does not run" >&2; fi
