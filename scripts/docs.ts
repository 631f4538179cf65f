/**
 * Writes the documentation as one self-contained page to dist/docs/index.html, or to the file named, and beside it the
 * same in parts, for the server.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { OPERATIONS, type OperationId } from '../generated/server.ts';
import { DOCS_FOLDER } from '../server/files.ts';
import { document } from './contract/read.ts';
import { journeysInWords } from './docs/journeys.ts';
import { writeServedDocs } from './docs/served.ts';
import { withLocalLinks } from './generate/bundle/links.ts';

const page = process.argv[2] ?? join(DOCS_FOLDER, 'index.html');
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** The tool's logo is the only thing that the page would load from elsewhere. */
const REMOTE_MARK = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[a-z-]*\.svg/g;
const LOCAL_MARK = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="12"><text y="10" font-family="sans-serif" font-size="11">Redocly</text></svg>',
)}`;
/** Makes tables of three columns fit beside the samples, with each code on one line. */
const STYLE = `<style>
  th, td { padding: 0.5em !important; font-size: 0.9em !important; }
  td code { white-space: nowrap; overflow-wrap: normal !important; font-size: 0.8em !important; padding: 0 2px !important; }
</style>`;

const folder = mkdtempSync(join(tmpdir(), 'ridehail-docs-'));
try {
  const contract = join(folder, 'openapi.json');
  writeFileSync(contract, JSON.stringify(contractInWords()));
  const parameters = ['build-docs', contract, '--config', 'redocly.yaml', '--inlineBundle', '--output', page];
  // piped: the output matters only if the command fails, and is then part of the error
  execFileSync('node_modules/.bin/redocly', parameters, { env: QUIET, stdio: 'pipe' });
  const built = readFileSync(page, 'utf8').replaceAll(REMOTE_MARK, LOCAL_MARK).replace('</head>', `${STYLE}</head>`);
  writeFileSync(page, built);
  await writeServedDocs(built, dirname(page));
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`The documentation is in ${relative('.', page)}: open it in a browser.`);

/** The contract, with each limit in its operation's description and the workflows in the tag Workflows. */
function contractInWords() {
  const contract = withLocalLinks(document, document.servers[0].url);
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const { path, method, rateLimit } = OPERATIONS[id];
    contract.paths[path][method].description += `\n\n${limitInWords(id, rateLimit)}`;
  }
  contract.tags.find((tag: { name: string }) => tag.name === 'Workflows').description += `\n${journeysInWords()}`;
  return contract;
}

function idsWhere(isMeant: (route: (typeof OPERATIONS)[OperationId]) => boolean): OperationId[] {
  return (Object.keys(OPERATIONS) as OperationId[]).filter((id) => isMeant(OPERATIONS[id]));
}

function tagLink(tag: string): string {
  return `[${tag}](#tag/${tag})`;
}

function limitInWords(
  id: OperationId,
  { bucket, limit, windowSeconds }: (typeof OPERATIONS)[OperationId]['rateLimit'],
) {
  const sharing = idsWhere((other) => other.rateLimit.bucket === bucket);
  const ofTag = idsWhere(({ tag }) => tag === OPERATIONS[id].tag);
  const others = sharing.filter((other) => other !== id).map((other) => `[${other}](#operation/${other})`);
  const names = String(sharing) === String(ofTag) ? [`all of ${tagLink(OPERATIONS[id].tag)}`] : others;
  const shared = others.length === 0 ? '' : `, shared with ${names.join(', ')}`;
  return `**Limit:** ${limit} calls in ${windowSeconds} seconds${shared}.`;
}
