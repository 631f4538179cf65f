import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Change } from './change.ts';
import { withLimitsRated } from './limits.ts';

/** The bundles of a contract, in a folder. */
const DOCUMENTS = ['openapi.json', 'webhooks.json'];
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** Room for a report on two contracts that have nothing in common. */
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/** What differs between the contract in one folder and that in another, each difference once. */
export function changesBetween(base: string, revision: string): Change[] {
  const found = new Map<string, Change>();
  for (const document of DOCUMENTS) {
    for (const change of reported(join(base, document), join(revision, document))) {
      // the webhooks stand in both documents
      const key = [change.base?.pointer, change.revision?.pointer, change.property].join();
      if (!found.has(key)) found.set(key, change);
    }
  }
  return [...found.values()].filter(isOfTheContract).map(withLimitsRated);
}

function reported(base: string, revision: string): Change[] {
  const parameters = ['diff', base, revision, '--config', 'redocly.yaml', '--format', 'json', '--fail-on', 'none'];
  const report = execFileSync('node_modules/.bin/redocly', parameters, {
    encoding: 'utf8',
    env: QUIET,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: MAX_REPORT_BYTES,
  });
  return JSON.parse(report).changes;
}

/** A component that comes or goes tells of itself where it is used. */
function isOfTheContract({ path, impact }: Change): boolean {
  return impact !== 'patch' || !/^#\/components\/(?!securitySchemes)/.test(path);
}
