/** Writes the documentation, one page that needs nothing but itself, to dist/docs/index.html or to the file named. */
import { execFileSync } from 'node:child_process';

const page = process.argv[2] ?? 'dist/docs/index.html';
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const parameters = ['build-docs', 'generated/openapi.yaml', '--inlineBundle', '--output', page];
// piped: what it says of itself is of interest only when it fails, and is then part of the error
execFileSync('node_modules/.bin/redocly', parameters, { env: QUIET, stdio: 'pipe' });
console.log(`The documentation is in ${page}: open it in a browser.`);
