#!/bin/sh
# Builds dist/ from a checkout: with all packages, but without their scripts.
set -eu
npm ci --ignore-scripts --no-audit --no-fund
npm run -s build
