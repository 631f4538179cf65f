#!/bin/sh
# Installs the package of the server, and creates the folder for the database.
set -eu
npm install --ignore-scripts --no-audit --no-fund ./packed/ridehail-server-*.tgz
mkdir -p data
