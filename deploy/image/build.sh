#!/bin/sh
# Packs the server from a checkout. Installs all packages, but runs none of their install scripts.
set -eu
npm ci --ignore-scripts --no-audit --no-fund
npm run -s pack:server -- --pack-destination packed
