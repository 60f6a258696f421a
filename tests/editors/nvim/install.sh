#!/bin/sh
# Prints the command that runs a Neovim of 0.11 or newer, installing one beside the system where it can:
# the one on the PATH if it is new enough, else Debian's current one unpacked into a cache folder with its own libc.
# Prints nothing, and the reason on stderr, if neither works.
set -eu
new_enough() {
    "$1" --version 2>/dev/null | sed -n '1s/^NVIM v0*\([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | {
        read -r major minor || exit 1
        [ "$major" -gt 0 ] || [ "$minor" -ge 11 ]
    }
}
if command -v nvim >/dev/null && new_enough nvim; then
    command -v nvim
    exit 0
fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/percept-test/nvim
if [ -x "$cache/nvim" ] && new_enough "$cache/nvim"; then
    echo "$cache/nvim"
    exit 0
fi
triple=$(sh "$(dirname "$0")/../debian.sh" neovim "$cache") || exit 0
loader=$(ls "$cache"/root/usr/lib64/ld-linux-*.so.* "$triple"/ld-linux-*.so.* 2>/dev/null | head -1)
cat > "$cache/nvim" <<END
#!/bin/sh
export VIMRUNTIME='$cache/root/usr/share/nvim/runtime'
export LUA_PATH='$cache/root/usr/share/lua/5.1/?.lua;;' LUA_CPATH='$triple/lua/5.1/?.so;;'
exec '$loader' --library-path '$triple' '$cache/root/usr/bin/nvim' "\$@"
END
chmod +x "$cache/nvim"
if new_enough "$cache/nvim"; then echo "$cache/nvim"; else echo "the fetched Neovim does not run" >&2; fi
