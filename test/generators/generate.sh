#!/usr/bin/env bash
# usage: generate.sh description-url folder generator...
# Runs each generator as its own documentation does, on the description at a URL. Fails if one of them fails.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
url=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
export PATH=$here/node_modules/.bin:$PATH DESCRIPTION=$url OUT=$out
cd "$here"

openapi-typescript() {
  command openapi-typescript "$url" -o "$out/openapi-typescript.ts"
  # A schema of its own has columns with the names of parameters.
  curl -sf -H 'Accept-Profile: odd' "$url" >"$out/odd.json"
  command openapi-typescript "$out/odd.json" -o "$out/odd.ts"
}
hey-api() { openapi-ts -f configs/openapi-ts.config.mjs; }
orval() { command orval --config configs/orval.config.cjs; }
kubb() { (cd "$out" && command kubb generate --config "$here/configs/kubb.config.mjs"); }
swagger-typescript-api() {
  command swagger-typescript-api generate -p "$url" -o "$out/swagger-typescript-api" -n api.ts
}
oazapfts() { command oazapfts "$url" "$out/oazapfts.ts"; }
rtk-query() {
  # It reads files, as some of the others do.
  cp configs/rtk-api.ts "$out/rtk-api.ts"
  rtk-query-codegen-openapi configs/rtk.config.cjs
}
openapi-zod-client() { command openapi-zod-client "$out/description.json" -o "$out/openapi-zod-client.ts"; }
ng-openapi-gen() { command ng-openapi-gen -i "$url" -o "$out/ng-openapi-gen"; }
typed-openapi() { (cd "$out" && command typed-openapi description.json -o typed-openapi.ts); }

curl -sf "$url" >"$out/description.json"
for generator in "${@:3}"; do
  "$generator"
done
