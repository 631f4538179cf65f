/** Writes the documentation: one page that needs nothing but itself. */
import { execFileSync } from 'node:child_process';

const PAGE = 'dist/docs/index.html';
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const parameters = ['build-docs', 'generated/openapi.yaml', '--inlineBundle', '--output', PAGE];
// piped: what it says of itself is of interest only when it fails, and is then part of the error
execFileSync('node_modules/.bin/redocly', parameters, { env: QUIET, stdio: 'pipe' });
console.log(`The documentation is in ${PAGE}: open it in a browser.`);
