import { basename } from 'node:path';
import { OPERATIONS, type Route } from '../../../generated/server.ts';
import { figureOf } from './figures.ts';
import { type Limit, readLimits } from './limits.ts';

const HEAD = '| What | How many | Beyond it | Set by | Held by |\n| --- | --- | --- | --- | --- |';

/** Replaces the tables of docs/limits.md. It has one for each folder of server/. */
export function limitsPage(page: string): string {
  const limits = [...rateLimits(), ...readLimits()];
  const tables = [...new Set(limits.map(sectionOf))].map((section) => {
    const rows = limits.filter((limit) => sectionOf(limit) === section).map(rowOf);
    return `## ${section}\n\n${HEAD}\n${rows.join('\n')}\n`;
  });
  return [page.split('\n## ')[0], ...tables].join('\n');
}

function sectionOf({ file }: Limit): string {
  const [root = '', folder = ''] = file.split('/');
  if (root !== 'server') return 'contract';
  return folder.endsWith('.ts') ? root : folder;
}

function rowOf({ what, figure, beyond, name, file, heldBy }: Limit): string {
  const tests = heldBy.map((test) => `[${basename(test, '.test.ts')}](../${test})`).join(', ');
  return `| ${what} | ${figure} | ${beyond} | \`${name}\` in [${basename(file)}](../${file}) | ${tests} |`;
}

/** A limit for the operations of each bucket, which count together. */
function rateLimits(): Limit[] {
  const operations = Object.entries<Route>(OPERATIONS);
  const limitsOf = ({ rateLimit, grantRateLimits }: Route) => [rateLimit!, ...Object.values(grantRateLimits)];
  const buckets = new Map(operations.flatMap(([, route]) => limitsOf(route).map((limit) => [limit.bucket, limit])));
  return [...buckets].map(([name, limit]) => {
    const ids = operations
      .filter(([, route]) => limitsOf(route).some(({ bucket }) => bucket === name))
      .map(([id]) => id);
    const stated = { name, file: 'openapi.yaml', figure: figureOf('CALLS', limit)! };
    return { ...stated, what: `Calls of ${ids.join(', ')}`, beyond: '429', heldBy: ['tests/http/limits.test.ts'] };
  });
}
