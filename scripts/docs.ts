/** Writes the documentation, one page that needs nothing but itself, to dist/docs/index.html or to the file named. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const page = process.argv[2] ?? 'dist/docs/index.html';
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** The one thing that the page would load from elsewhere: the mark of the tool that made it. */
const REMOTE_MARK = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[a-z-]*\.svg/g;
const LOCAL_MARK = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="12"><text y="10" font-family="sans-serif" font-size="11">Redocly</text></svg>',
)}`;

const parameters = ['build-docs', 'generated/openapi.yaml', '--inlineBundle', '--output', page];
// piped: what it says of itself is of interest only when it fails, and is then part of the error
execFileSync('node_modules/.bin/redocly', parameters, { env: QUIET, stdio: 'pipe' });
writeFileSync(page, readFileSync(page, 'utf8').replaceAll(REMOTE_MARK, LOCAL_MARK));
console.log(`The documentation is in ${page}: open it in a browser.`);
