import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { SCENARIO } from '../../generated/server.ts';
import { curlOf } from '../../server/portal/applications/request-detail.ts';

test('a shell runs only curl, whatever the request contains', () => {
  const hostile = `{"a":"'$(touch x) \`id\` $RIDEHAIL_CODE","b":"\\\\"}`;
  const request = { method: 'PATCH', path: "/x/'$(x)[1-3]", scopes: ['public'], scenario: 'not_found' };
  const words = `curl() { printf '%s\\n' "$@"; }; RIDEHAIL_TOKEN=t; RIDEHAIL_CODE='c c'; `;
  const { stdout } = spawnSync('sh', ['-c', words + curlOf(request, hostile, 'https://api.example')], {
    encoding: 'utf8',
  });
  expect(stdout.split('\n')).toEqual([
    ...['--request', 'PATCH', "https://api.example/x/'$(x)%5B1-3%5D", '--header', 'Authorization: Bearer t'],
    ...['--header', `${SCENARIO}: not_found`],
    ...['--header', 'Content-Type: application/json', '--data', hostile.replace('$RIDEHAIL_CODE', 'c c'), ''],
  ]);
  expect(curlOf({ ...request, method: 'HEAD' }, hostile.slice(0, 9), '')).not.toContain('--data');
});
