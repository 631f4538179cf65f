#!/bin/sh
# Builds dist/ from a checkout. Installs all packages, but runs none of their install scripts.
set -eu
npm ci --ignore-scripts --no-audit --no-fund
npm run -s build
