#!/bin/sh
# Installs the packages that production needs, and creates the folder for the database.
set -eu
npm ci --omit=dev --ignore-scripts --no-audit --no-fund
mkdir -p data
