#!/bin/sh
# Installs the packages of production, and makes the folder for a database.
set -eu
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
mkdir -p data
