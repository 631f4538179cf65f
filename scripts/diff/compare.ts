import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, keysOf } from '../contract/bundle.ts';
import { withLocalLinks } from '../generate/bundle/links.ts';
import { inPlainWords } from '../generate/bundle/plain.ts';
import type { Change } from './change.ts';
import { withLimitsRated } from './limits.ts';

const DOCUMENTS = ['openapi.json', 'webhooks.json'];
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** Enough for two contracts that have nothing in common. */
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/** Returns the differences between the contracts in two folders, without duplicates. */
export function changesBetween(base: string, revision: string): Change[] {
  const found = new Map<string, Change>();
  const folder = mkdtempSync(join(tmpdir(), 'diff-'));
  try {
    for (const document of DOCUMENTS) {
      const [before, after] = [base, revision].map((from) => inSameWords(join(from, document), folder));
      for (const change of reported(before!, after!)) {
        // both documents contain the webhooks
        const key = [change.base?.pointer, change.revision?.pointer, change.property].join();
        if (!found.has(key)) found.set(key, change);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return [...found.values()].filter(isOfTheContract).map(withLimitsRated);
}

/** Copies a bundle and normalizes it, so that any remaining difference is a difference in meaning. */
function inSameWords(file: string, folder: string): string {
  const { servers = [], ...document }: Contract = JSON.parse(readFileSync(file, 'utf8'), withoutPassword);
  const plain = withLocalLinks(inPlainWords(document), servers[0]?.url ?? '');
  const copy = join(mkdtempSync(join(folder, 'copy-')), 'bundle.json');
  // redocly treats a server with a changed description as a different server
  writeFileSync(copy, JSON.stringify({ ...plain, servers: servers.map(({ url }) => ({ url })) }));
  return copy;
}

/** Drops `format: password`, which only says that a value is secret: every value stays valid. */
function withoutPassword(key: string, value: unknown): unknown {
  return key === 'format' && value === 'password' ? undefined : value;
}

function reported(base: string, revision: string): Change[] {
  const parameters = ['diff', base, revision, '--config', 'redocly.yaml', '--format', 'json', '--fail-on', 'none'];
  const report = execFileSync('node_modules/.bin/redocly', parameters, {
    encoding: 'utf8',
    env: QUIET,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: MAX_REPORT_BYTES,
  });
  const [from, to] = [base, revision].map((file) => JSON.parse(readFileSync(file, 'utf8')));
  return JSON.parse(report).changes.map((change: Change) => {
    const name = nameAt(to, change.path) ?? nameAt(from, change.path);
    return name === undefined ? change : { ...change, name };
  });
}

/** The `name` of the object at a pointer; undefined if it has none, or if the pointer leads through a $ref. */
function nameAt(document: Contract, pointer: string): string | undefined {
  const at = keysOf(pointer).reduce<unknown>(
    (part, key) => (part as Record<string, unknown> | undefined)?.[key],
    document,
  );
  return (at as { name?: string } | undefined)?.name;
}

/**
 * Drops the patch entry of an added or removed component, because redocly also reports where the component is used, and
 * those of the examples of a schema, which come from the named examples.
 */
function isOfTheContract({ path, impact, property }: Change): boolean {
  return impact !== 'patch' || !(property === 'examples' || /^#\/components\/(?!securitySchemes)/.test(path));
}
