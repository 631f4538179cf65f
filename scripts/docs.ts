import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { OPERATIONS, type OperationId, type RateLimit } from '../generated/server.ts';
import { commandLine } from '../server/cli/command-line.ts';
import { DOCS_FOLDER } from '../server/files.ts';
import { document } from './contract/read.ts';
import { journeysInWords } from './docs/journeys.ts';
import { writeServedDocs } from './docs/served.ts';
import { withColumnNames } from './docs/tables.ts';
import { withLocalLinks } from './generate/bundle/links.ts';

const HELP = `Builds the documentation as one self-contained page. Next to it, writes the same page in parts, for the server.

  npm run docs [-- FILE]

  FILE      the page to write (default: dist/docs/index.html)
  --help    this text`;

const [page = join(DOCS_FOLDER, 'index.html')] = (await commandLine(HELP, {}, ['[FILE]'])).positionals;
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** The tool's logo, the only file that the page would load from another host. */
const REMOTE_MARK = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini[a-z-]*\.svg/g;
const LOCAL_MARK = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="44" height="12"><text y="10" font-family="sans-serif" font-size="11" fill="#6f7d95">Redocly</text></svg>',
)}`;
/**
 * Makes tables fit. In a wide window each code stays on one line, and in a narrower one codes wrap. Where less than 390
 * pixels are left, as on phones, each cell gets its own line, which begins with the name of its column.
 */
const STYLE = `<style>
  th, td { padding: 0.5em 0.4em !important; font-size: 0.9em !important; overflow-wrap: anywhere !important; }
  th, td a { overflow-wrap: normal !important; }
  td code { white-space: nowrap; overflow-wrap: normal !important; font-size: 0.8em !important; padding: 0 2px !important; }
  @media (max-width: 1400px) { td code { white-space: normal; overflow-wrap: anywhere !important; } }
  td:first-child { min-width: 9em; }
  td:last-child { min-width: 8.5em; }
  .md-table-wrapper { container-type: inline-size; }
  @container (max-width: 390px) {
    thead { display: none !important; }
    table, tbody, tr, td { display: block !important; width: auto !important; min-width: 0 !important; }
    tr { padding: 0.4em 0; }
    tr + tr { border-top: 1px solid var(--md-table-border-color); }
    table.md tbody td { padding: 0.15em 0.8em !important; border-bottom: 0 !important; }
    td:empty { display: none !important; }
    td::before { opacity: 0.75; }
    td:nth-child(1)::before { content: var(--column-1) ': '; }
    td:nth-child(2)::before { content: var(--column-2) ': '; }
    td:nth-child(3)::before { content: var(--column-3) ': '; }
  }
  @media (max-width: 600px) { h1 { font-size: 1.6em !important; line-height: 1.3 !important; } }
</style>`;

const folder = mkdtempSync(join(tmpdir(), 'ridehail-docs-'));
try {
  const contract = join(folder, 'openapi.json');
  writeFileSync(contract, JSON.stringify(withColumnNames(contractInWords())));
  const parameters = ['build-docs', contract, '--config', 'redocly.yaml', '--inlineBundle', '--output', page];
  // piped: if the command fails, the error contains its output
  execFileSync('node_modules/.bin/redocly', parameters, { env: QUIET, stdio: 'pipe' });
  const built = readFileSync(page, 'utf8').replaceAll(REMOTE_MARK, LOCAL_MARK).replace('</head>', `${STYLE}</head>`);
  writeFileSync(page, built);
  await writeServedDocs(built, dirname(page));
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`The documentation is in ${relative('.', page)}: open it in a browser.`);

/**
 * The contract with links, a glossary, the rate limit in each operation's description, and the workflows in their tag.
 */
function contractInWords() {
  const { url } = document.servers[0];
  const contract = withLocalLinks(document, url);
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const { path, method } = OPERATIONS[id];
    contract.paths[path][method].description += `\n\n${limitInWords(id)}`;
  }
  contract.tags.find((tag: { name: string }) => tag.name === 'Workflows').description += `\n${journeysInWords()}`;
  const glossary = readFileSync('scripts/docs/glossary.md', 'utf8');
  contract.info.description = [linksOf(url), contract.info.description, glossary].join('\n\n');
  return contract;
}

function linksOf(url: string): string {
  const pages = [`[Home](${url}/)`, `[Developer portal](${url}/portal)`];
  return [...pages, ...['openapi.yaml', 'openapi.json'].map((file) => `[${file}](${url}/${file})`)].join(' · ');
}

function limitInWords(id: OperationId): string {
  const { tag, rateLimit, grantRateLimits } = OPERATIONS[id];
  const ids = Object.keys(OPERATIONS) as OperationId[];
  const sharing = ids.filter((other) => OPERATIONS[other].rateLimit.bucket === rateLimit.bucket);
  const ofTag = ids.filter((other) => OPERATIONS[other].tag === tag);
  const others = sharing.filter((other) => other !== id).map((other) => `[${other}](#operation/${other})`);
  const names = String(sharing) === String(ofTag) ? [`all of [${tag}](#tag/${tag})`] : others;
  const shared = others.length === 0 ? '' : `, shared with ${names.join(', ')}`;
  const ofGrants = Object.entries<RateLimit>(grantRateLimits).map(
    ([grant, limit]) => `, and ${callsIn(limit)} with \`${grant}\``,
  );
  return `**Limit:** ${callsIn(rateLimit)}${shared}${ofGrants.join('')}.`;
}

function callsIn({ limit, windowSeconds }: RateLimit): string {
  return `${limit} calls in ${windowSeconds} seconds`;
}
