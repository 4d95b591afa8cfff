#!/usr/bin/env bash
# Builds the Dockerfile with buildah and runs the image. No registry of images is needed: debootstrap and the Node of this
# machine make the base images. Needs root, buildah, debootstrap, and packages from Debian and npm.
set -euo pipefail
cd "$(dirname "$0")/.."
for tool in buildah debootstrap; do
  command -v "$tool" >/dev/null || { echo "the image is not tested: $tool is not installed"; exit 0; }
done
[ "$(id -u)" = 0 ] || { echo 'the image is not tested: that takes root'; exit 0; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BUILDAH_ISOLATION=chroot
build() { buildah --root "$work/storage" --runroot "$work/run" --storage-driver vfs "$@"; }

base() { # the root file system of Debian with the Node and the npm of this machine, as the official images have them
  debootstrap --variant=minbase --include=ca-certificates,libstdc++6 bookworm "$work/root" >"$work/log" 2>&1 ||
    { tail -20 "$work/log"; return 1; }
  local modules=$work/root/usr/local/lib/node_modules
  mkdir -p "$modules"
  cp "$(readlink -f "$(command -v node)")" "$work/root/usr/local/bin/node"
  cp -a "$(dirname "$(readlink -f "$(command -v npm)")")/.." "$modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
  rm -rf "$work/root/etc/ssl/certs"
  cp -aL /etc/ssl/certs "$work/root/etc/ssl/certs"
  cp /etc/resolv.conf "$work/root/etc/resolv.conf"
  chroot "$work/root" sh -c 'groupadd -g 1000 node && useradd -u 1000 -g node -m node'
}
base
container=$(build from scratch)
build copy -q "$container" "$work/root" / >/dev/null
build config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
build commit -q "$container" docker.io/library/node:24-bookworm-slim >/dev/null
build run "$container" -- sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends make' >"$work/log" 2>&1
build commit -q "$container" docker.io/library/node:24-bookworm >/dev/null

secret=()
[ -f "$HOME/.npmrc" ] && secret=(--secret "id=npmrc,src=$HOME/.npmrc")
build build --pull=never --format docker "${secret[@]}" --tag localhost/dbr . >"$work/log" 2>&1 || { tail -20 "$work/log"; exit 1; }

image=$(build from --pull-never localhost/dbr)
check() { # a name, then a command that must succeed in the image
  local name=$1
  shift
  build run "$image" -- "$@" >"$work/log" 2>&1 || { echo "failed: $name"; tail -20 "$work/log"; exit 1; }
  echo "ok: $name"
}
check 'the command runs' dbr --version
check 'the user has no privileges' sh -c '[ "$(id -u)" = 1000 ]'
check 'no package manager and no build tool is left' sh -c '! command -v npm npx yarn corepack make gcc cc'
check 'the package cannot be written' sh -c '! touch /opt/dbr/x 2>/dev/null'
check 'the health check fails where nothing serves' sh -c '! dbr ready'
check 'the service starts, is alive, is not ready without its database, and stops' \
  env DBR_DB_URI=postgresql://u@127.0.0.1:1/d DBR_AREAS=data-api DBR_SERVER_PORT=0 DBR_ADMIN_SERVER_PORT=39871 sh -c '
    dbr serve & service=$!
    for attempt in $(seq 100); do dbr ready >/tmp/ready; grep -q data-api /tmp/ready && break; sleep 0.2; done
    grep -q data-api /tmp/ready && kill -TERM $service && wait $service'
