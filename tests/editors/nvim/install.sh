#!/bin/sh
# Prints the command that runs a Neovim of 0.11 or newer, installing one beside the system where it can:
# the one on the PATH if it is new enough, else Debian's current one unpacked into a cache folder with its own libc.
# Prints nothing and says why on stderr where neither works.
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
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "no Neovim 0.11 on the PATH, and no apt-get to fetch one with" >&2
    exit 0
fi
mkdir -p "$cache/lists/partial" "$cache/apt/archives/partial" "$cache/debs" "$cache/root"
# The archive this machine uses already, its newest suite.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' | grep -v security | head -1)
[ -n "$archive" ] || { echo "no Debian archive is set up here" >&2; exit 0; }
echo "deb [trusted=yes] $archive sid main" > "$cache/sid.list"
options="-oDir::Etc::sourcelist=$cache/sid.list -oDir::Etc::sourceparts=/dev/null -oDir::State::lists=$cache/lists
    -oDir::Cache=$cache/apt
    -oDir::State::status=/dev/null -oAPT::Sandbox::User=$(id -un) -oAcquire::Languages=none
    -oAcquire::IndexTargets::deb::DEP-11::DefaultEnabled=false"
# shellcheck disable=SC2086
apt-get $options update >&2 || { echo "Debian's archive cannot be reached" >&2; exit 0; }
# shellcheck disable=SC2086
packages=$(apt-cache $options depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances neovim | grep '^[a-z]' | sort -u | grep -Ev '^(debconf|dpkg|perl|tar|install|python)')
# shellcheck disable=SC2086
(cd "$cache/debs" && apt-get $options download $packages >&2) || { echo "the packages cannot be fetched" >&2; exit 0; }
for deb in "$cache"/debs/*.deb; do dpkg -x "$deb" "$cache/root"; done
triple=$(ls -d "$cache"/root/usr/lib/*-linux-gnu | head -1)
loader=$(ls "$cache"/root/usr/lib64/ld-linux-*.so.* "$triple"/ld-linux-*.so.* 2>/dev/null | head -1)
cat > "$cache/nvim" <<END
#!/bin/sh
export VIMRUNTIME='$cache/root/usr/share/nvim/runtime'
export LUA_PATH='$cache/root/usr/share/lua/5.1/?.lua;;' LUA_CPATH='$triple/lua/5.1/?.so;;'
exec '$loader' --library-path '$triple' '$cache/root/usr/bin/nvim' "\$@"
END
chmod +x "$cache/nvim"
if new_enough "$cache/nvim"; then echo "$cache/nvim"; else echo "the Neovim that was fetched does not run" >&2; fi
