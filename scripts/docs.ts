import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { OPERATIONS, type OperationId, type RateLimit } from '../generated/server.ts';
import { commandLine } from '../server/cli/command-line.ts';
import { DOCS_FOLDER } from '../server/files.ts';
import { operationsOf, webhooksOf } from './contract/bundle.ts';
import { document } from './contract/read.ts';
import { journeysInWords } from './docs/journeys.ts';
import { finished } from './docs/page.ts';
import { addReference } from './docs/reference.ts';
import { writeServedDocs } from './docs/served.ts';
import { withColumnNames } from './docs/tables.ts';
import { unfolded } from './docs/unfolded.ts';
import { withLocalLinks } from './generate/bundle/links.ts';

const HELP = `Builds the documentation as one self-contained page. Next to it, writes the same page in parts, for the server.

  npm run docs [-- FILE]

  FILE      the page to write (default: dist/docs/index.html)
  --help    this text`;

const [page = join(DOCS_FOLDER, 'index.html')] = (await commandLine(HELP, {}, ['[FILE]'])).positionals;
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const folder = mkdtempSync(join(tmpdir(), 'ridehail-docs-'));
try {
  const contract = join(folder, 'openapi.json');
  const words = unfolded(withColumnNames(contractInWords()));
  writeFileSync(contract, JSON.stringify(words));
  const parameters = ['build-docs', contract, '--config', 'redocly.yaml', '--inlineBundle', '--output', page];
  // piped: if the command fails, the error contains its output
  execFileSync('node_modules/.bin/redocly', parameters, { env: QUIET, stdio: 'pipe' });
  const built = finished(readFileSync(page, 'utf8'), words);
  writeFileSync(page, built);
  await writeServedDocs(built, dirname(page));
} finally {
  rmSync(folder, { recursive: true });
}
console.log(`The documentation is in ${relative('.', page)}: open it in a browser.`);

/**
 * The contract with links, the rate limit in each operation's description, the workflows in their tag, and the pages of
 * docs/reference/. Links to operations have their names in the menu.
 */
function contractInWords() {
  const { url } = document.servers[0];
  const contract = withLocalLinks(document, url);
  for (const id of Object.keys(OPERATIONS) as OperationId[]) {
    const { path, method } = OPERATIONS[id];
    contract.paths[path][method].description += `\n\n${limitInWords(id)} **Operation ID:** \`${id}\`.`;
  }
  contract.tags.find((tag: { name: string }) => tag.name === 'Workflows').description += `\n${journeysInWords()}`;
  addReference(contract);
  contract.info.description = `${linksOf(url)}\n\n${contract.info.description}`;
  return withNames(contract);
}

/** Gives each link to an operation the name that the menu has for it. */
function withNames(shown: typeof document): typeof document {
  const names = new Map(
    [...operationsOf(shown), ...webhooksOf(shown)].map(({ id, operation }) => [id, operation.summary]),
  );
  const text = JSON.stringify(shown).replaceAll(/\[(\w+)\]\(#operation\/\1\)/g, (_, id: string) => {
    return `[${names.get(id)}](#operation/${id})`;
  });
  return JSON.parse(text);
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
