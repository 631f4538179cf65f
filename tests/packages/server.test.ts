import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';

// `npm run check:packages`: what a stranger does with the files of `npm run pack:server` and `pack:client`, without a clone.

const blocksOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/```(?:sh|js)\n(.*?)```/gs)].map(([, block]) => block!);
const [, install, fiveLines] = blocksOf('README.md');
const [pickupTime, token, estimate, request, follow, rate, receipt] = blocksOf('docs/guides/first-ride.md');
const [receiver, demo, resend] = blocksOf('docs/guides/webhooks.md');
const sandbox = blocksOf('docs/guides/sandbox.md');
const [exchange, ...withTokens] = blocksOf('docs/guides/oauth.md');
const [operate] = blocksOf('docs/guides/applications.md');
const [, contract] = blocksOf('docs/guides/docs.md');
const [, mock, mockCall] = blocksOf('docs/guides/mock.md');

const home = mkdtempSync(join(tmpdir(), 'ridehail-packages-'));
const packed = join(home, 'packed');
beforeAll(() => {
  for (const name of ['server', 'client'])
    execFileSync('npm', ['run', '-s', `pack:${name}`, '--', '--pack-destination', packed], { stdio: 'ignore' });
});
afterAll(() => rmSync(home, { recursive: true }));

test.each(['20.19.2', '22', '24', '26'])('the README and the guides need no clone, on Node %s', async (version) => {
  const folder = join(home, version);
  cpSync(packed, folder, { recursive: true });
  const [PORT, MOCK_PORT, hook] = [await freePort(), await freePort(), await freePort()].map(String);
  writeFileSync(join(folder, 'receiver.mjs'), receiver!.replace('9090', hook!));
  // of the outer npx, whose package the inner one would run, and of our .npmrc
  const script = `unset npm_config_package npm_config_engine_strict
    ${install}
    npm install --silent ./ridehail-[0-9]*.tgz
    npm start >server.log 2>&1 &
    until curl -sf localhost:$PORT/readyz; do sleep 0.2; done
    ${demo!.replace('9090', hook!).trim()} >received.log &
    until curl -s localhost:${hook}; do sleep 0.2; done
    ${fiveLines} ${pickupTime}
    ${mock!.trim()} >mock.log 2>&1 &
    until ${mockCall!.trim()}; do sleep 0.2; done
    until grep accepted received.log; do sleep 0.2; done
    # the ride of the README ends first; one driver in fifty cancels
    ${token} ${follow}
    until ${estimate} ${request} ${follow}
      { ${rate} } >rated.log; grep ' 204 ' rated.log
    do :; done
    ${receipt}
    ${sandbox.slice(0, 5).join('')} ${estimate} ${request} ${sandbox.slice(5).join('')}
    CODE=$(curl -s -X POST localhost:$PORT/development/codes | node -pe 'JSON.parse(fs.readFileSync(0)).code')
    ${exchange!.replace(/^CODE=.*$/m, '')} ${withTokens.join('')} ${operate} ${contract} ${resend}`;
  const line = ['--yes', '--package', `node@${version}`, 'bash', '-c', script];
  const env = { ...process.env, PORT, MOCK_PORT, SCARF_ANALYTICS: 'false' };
  // a process group, so that what runs in the background ends with it
  const child = spawn('npx', line, { cwd: folder, env, detached: true, timeout: 240_000 });
  const printed = textOf(child.stdout);
  await once(child, 'exit').finally(() => process.kill(-child.pid!, 'SIGKILL'));
  const all = [
    'routes/live/',
    'eta_seconds',
    'rate_limit_exceeded',
    'ride.status.updated',
    'droppedOff',
    '"line_items"',
  ];
  all.push('temporarily_unavailable', '"status":"pickedUp"', '"refresh_token"', '{}', 'sandbox_client_secret');
  all.push('Ridehail Passenger API', '"event_id"', '\n202');
  const text = await printed;
  let from = 0;
  for (const each of all) {
    expect(text.slice(from)).toContain(each);
    from = text.indexOf(each, from);
  }
});
