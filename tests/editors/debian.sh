#!/bin/sh
# Unpacks a program of Debian's newest suite with all its dependencies, including libc, into a folder beside the system; prints the folder of its
# libraries, or the reason on stderr if it is unavailable.
# Usage: debian.sh PACKAGE FOLDER     FOLDER/root represents /
set -eu
package=$1
cache=$2
if ! command -v apt-get >/dev/null || ! command -v dpkg >/dev/null; then
    echo "apt-get is missing, so $package cannot be fetched" >&2
    exit 1
fi
mkdir -p "$cache/lists/partial" "$cache/apt/archives/partial" "$cache/debs" "$cache/root"
# The newest suite of the archive that this machine uses.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -n 's/^URIs: *\([^ ]*\).*/\1/p; s/^deb \(\[[^]]*\] *\)\{0,1\}\([^ ]*\).*/\2/p' | grep -v security | head -1)
[ -n "$archive" ] || { echo "no Debian archive is configured here" >&2; exit 1; }
echo "deb [trusted=yes] $archive sid main" > "$cache/sid.list"
options="-oDir::Etc::sourcelist=$cache/sid.list -oDir::Etc::sourceparts=/dev/null -oDir::State::lists=$cache/lists
    -oDir::Cache=$cache/apt
    -oDir::State::status=/dev/null -oAPT::Sandbox::User=$(id -un) -oAcquire::Languages=none
    -oAcquire::IndexTargets::deb::DEP-11::DefaultEnabled=false"
# shellcheck disable=SC2086
apt-get $options update >&2 || { echo "Debian's archive cannot be reached" >&2; exit 1; }
# shellcheck disable=SC2086
packages=$(apt-cache $options depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
    --no-enhances "$package" | grep '^[a-z]' | sort -u | grep -Ev '^(debconf|dpkg|perl|tar|install|python|systemd|emacsen)')
# shellcheck disable=SC2086
(cd "$cache/debs" && apt-get $options download $packages >&2) || { echo "the packages of $package cannot be fetched" >&2; exit 1; }
for deb in "$cache"/debs/*.deb; do dpkg -x "$deb" "$cache/root"; done
ls -d "$cache"/root/usr/lib/*-linux-gnu | head -1
