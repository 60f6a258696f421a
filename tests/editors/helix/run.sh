#!/bin/sh
# Sets Helix up exactly as in docs/helix.md, and drives it in a terminal (tmux): colours, a mistake, its repair, hover, a definition.
# Skips with a message if Helix or tmux is unavailable.
# Usage: run.sh PERCEPT     the program under test
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
percept=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
skip() { echo "skipped: editors/helix ($1)"; exit 0; }
hx=$(sh "$here/install.sh" 2>/dev/null) || true
[ -n "$hx" ] || skip "Helix is missing"
if ! command -v tmux >/dev/null && command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq tmux >/dev/null 2>&1 || true
fi
command -v tmux >/dev/null || skip "tmux is missing"
work=$(mktemp -d)
screen="tmux -L percept-$$ -f /dev/null"
trap '$screen kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

# The setup of an author: `hx` and `percept` on the PATH, a separate home, the page's file, the page's commands.
mkdir -p "$work/bin" "$work/.config/helix"
ln -s "$hx" "$work/bin/hx"
ln -s "$percept" "$work/bin/percept"
cp "$here"/../fixtures/* "$work/"
page() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$root/docs/helix.md" | sed '/^```/d' | sed "s#/path/to/percept#$root#g"; }
page toml >"$work/.config/helix/languages.toml"
page sh >"$work/setup"
export HOME="$work" PATH="$work/bin:$PATH" XDG_CONFIG_HOME="$work/.config" XDG_CACHE_HOME="$work/.cache" LANG=C.UTF-8
# Helix builds the named grammars; its own grammars need the network.
sed -i '1i use-grammars = { only = ["gdl", "gdl-infix", "pogddl"] }' "$work/.config/helix/languages.toml"
(cd "$work" && sh -eu setup) >"$work/log" 2>&1 || { tail -n 20 "$work/log"; echo "FAILED: the page's commands"; exit 1; }
health=$(hx --health gdl 2>/dev/null | sed 's/\x1b\[[0-9;]*m//g')
echo "$health" | grep -q "Highlight queries: *✓" || { echo "$health"; echo "FAILED: Helix does not find the queries"; exit 1; }
echo "ok the page's settings work, the grammars are built, the queries are found"

see() { $screen capture-pane -p -t helix; }
keys() { $screen send-keys -t helix "$@"; }
wait_for() { # what, a pattern
    left=300
    until see | grep -qE "$2"; do
        left=$((left - 1))
        [ $left -gt 0 ] || { see; echo "FAILED: $1"; exit 1; }
        sleep 0.1
    done
    echo "ok $1"
}
sed -i 's/(role guesser)/(role guesser/' "$work/coin.kif"
$screen new-session -d -s helix -x 140 -y 45 "cd '$work' && hx coin.kif"
wait_for "a game opens" "role guesser"
keys ":" "3" Enter
wait_for "a missing bracket is reported" "never closed"
# Chooses the first repair of the mistake under the cursor.
keys " " "a"
wait_for "its repair is offered" "Add .\)."
keys Enter
wait_for "and made" "\(role guesser\)"
keys ":" "1" "1" Enter
keys "w" "w"
keys " " "k"
wait_for "hover tells what a name means" "legal|random|role"
# Escape and the next character, sent at once, would be one key.
keys Escape
sleep 1
keys ":" "wq" Enter
left=100
while $screen has-session -t helix 2>/dev/null && [ $left -gt 0 ]; do left=$((left - 1)); sleep 0.1; done
cmp -s "$work/coin.kif" "$here/../fixtures/coin.kif" || { diff "$here/../fixtures/coin.kif" "$work/coin.kif"; echo "FAILED: the file is as it was"; exit 1; }
echo "ok the file is as it was before the mistake"
