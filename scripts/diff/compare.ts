import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Change } from './change.ts';
import { withLimitsRated } from './limits.ts';

const DOCUMENTS = ['openapi.json', 'webhooks.json'];
const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
/** Enough for two contracts that have nothing in common. */
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/** The differences between the contracts in two folders, each once. */
export function changesBetween(base: string, revision: string): Change[] {
  const found = new Map<string, Change>();
  for (const document of DOCUMENTS) {
    for (const change of reported(join(base, document), join(revision, document))) {
      // both documents contain the webhooks
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

/** An added or removed component is also reported where it is used, so its own patch entry is dropped. */
function isOfTheContract({ path, impact }: Change): boolean {
  return impact !== 'patch' || !/^#\/components\/(?!securitySchemes)/.test(path);
}
