#!/usr/bin/env bash
# Follows docs/guide in a root file system that has the minimal Debian, Node with its npm, and the package of dbr: as a user
# without rights, and without a network. The embedded PostgreSQL finds no libraries there but its own and those of Node.
# Needs root, debootstrap, and packages from Debian and npm. The argument is the Node to use.
set -euo pipefail
node=$(readlink -f "$1")
cd "$(dirname "$0")/.."
for tool in debootstrap unshare ip; do
  command -v "$tool" >/dev/null || { echo "the guide is not followed: $tool is not installed"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo 'the guide is not followed: that takes root'; exit 0; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
mkdir "$work/tmp"
debootstrap --variant=minbase bookworm "$root" >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }
cp "$node" "$root/usr/local/bin/node"
mkdir -p "$root/usr/local/lib/node_modules"
cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$root/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
# Here rather than in the root, which has neither a network nor certificates.
npm install --global --prefix "$root/usr/local" --no-audit --no-fund --loglevel error dist/packages/dbr-server-*.tgz
chroot "$root" useradd --create-home guide
chroot --userspec=guide:guide "$root" mkdir /home/guide/project
cp dist/packages/dbr-client-*.tgz "$root/home/guide/project/"

# The namespaces end with the test, and whatever it started ends with them.
export GUIDE_ROOT=$root TMPDIR=$work/tmp
unshare --mount --pid --net --fork --kill-child --mount-proc sh -ec '
  mount -t proc proc "$GUIDE_ROOT/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$GUIDE_ROOT/dev/shm"
  ip link set lo up
  mocha --exit test/end-to-end/guide.long.test.ts'
