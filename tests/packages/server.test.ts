import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../scripts/support/free-port.ts';

// `npm run check:packages`: what a stranger does with the files of `npm run pack:server` and `pack:client`, without a clone.

const blocksOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/```(?:sh|js)\n(.*?)```/gs)].map(([, block]) => block!);
const [, install, fiveLines] = blocksOf('README.md');
const [pickupTime] = blocksOf('docs/guides/first-ride.md');
const [receiver, demo] = blocksOf('docs/guides/webhooks.md');
const [, mock, mockCall] = blocksOf('docs/guides/mock.md');

const home = mkdtempSync(join(tmpdir(), 'ridehail-packages-'));
const packed = join(home, 'packed');
beforeAll(() => {
  for (const name of ['server', 'client'])
    execFileSync('npm', ['run', '-s', `pack:${name}`, '--', '--pack-destination', packed], { stdio: 'ignore' });
});
afterAll(() => rmSync(home, { recursive: true }));

test.each(['20.19.2', '22', '24', '26'])('a ride, webhooks and the mock need no clone, on Node %s', async (version) => {
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
    until grep accepted received.log; do sleep 0.2; done`;
  const line = ['--yes', '--package', `node@${version}`, 'bash', '-c', script];
  const env = { ...process.env, PORT, MOCK_PORT, SCARF_ANALYTICS: 'false' };
  // a process group, so that what runs in the background ends with it
  const child = spawn('npx', line, { cwd: folder, env, detached: true, timeout: 120_000 });
  const printed = text(child.stdout);
  await once(child, 'exit').finally(() => process.kill(-child.pid!, 'SIGKILL'));
  expect(await printed).toMatch(/routes\/live\/.*eta_seconds.*rate_limit_exceeded.*ride.status.updated/s);
});
