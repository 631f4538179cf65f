import { describe, expect } from 'vitest';
import { createClient } from '../../client/client.ts';
import { OPERATIONS } from '../../generated/server.ts';
import { freePort } from '../../scripts/support/free-port.ts';
import { newDatabase } from '../../scripts/support/temporary-database.ts';
import { engines } from '../support/database.ts';
import { forAll } from '../support/started.ts';
import { until } from '../support/until.ts';
import { type HeldServer, startHeldServer } from './support/held-server.ts';
import { freePorts, type Nginx, startNginx } from './support/nginx.ts';
import { testWith } from './support/programs.ts';
import { NOTHING_LOST, startTraffic } from './support/traffic.ts';

const test = testWith('nginx', 'openssl', 'systemd-socket-activate');

const PASSENGERS = 3;
const REQUESTS = 9;
/** Longer than nginx keeps an idle connection to a server open. */
const DRAIN_SECONDS = '4';

interface Site extends Nginx {
  readonly servers: readonly [HeldServer, HeldServer];
}

/** nginx in front of two servers on one database, and of a third address where no server listens. */
async function startSite(): Promise<Site> {
  const ports = await freePorts();
  const database = await newDatabase('postgres');
  const start = () =>
    startHeldServer({
      DATABASE_URL: database.url,
      PUBLIC_URL: `https://localhost:${ports.https}`,
      TRUST_PROXY: '1',
      DRAIN_SECONDS,
      RATE_LIMIT_MULTIPLIER: '1000',
      LOG_LEVEL: 'info',
    });
  const servers = [await start(), await start()] as const;
  const addresses = [...servers.map(({ address }) => address), `127.0.0.1:${await freePort()}`];
  const closeServers = async () => {
    for (const server of servers) await server.close();
    await database.drop();
  };
  const nginx = await startNginx(addresses, ports).catch(async (error) => {
    await closeServers();
    throw error;
  });
  const close = async () => {
    await nginx.close();
    await closeServers();
  };
  return { ...nginx, servers, close };
}

describe.runIf(engines.includes('postgres'))('nginx in front of two servers and a third that is down', () => {
  const site = forAll(startSite);
  const api = (token?: string) => createClient({ baseUrl: site.baseUrl, fetch: (call) => site.fetch(call), token });
  /** How many requests each server has logged. */
  const logged = () => site.servers.map((server) => server.output().match(/"route":/g)?.length ?? 0);

  test('a rolling restart loses no request, and both servers get requests before and after it', async () => {
    const traffic = await startTraffic(api, PASSENGERS);
    const bothAnswer = async () => {
      const before = logged();
      await traffic.more(REQUESTS);
      await until(() => {
        for (const [index, count] of logged().entries()) expect(count).toBeGreaterThan(before[index]!);
      });
    };
    await bothAnswer();
    for (const server of site.servers) {
      await server.restart();
      await bothAnswer();
    }
    expect(await traffic.end()).toEqual(NOTHING_LOST);
  });

  test('a client can send many requests at once, and all get a response', async () => {
    const { path } = OPERATIONS.authorizeApplication;
    const calls = Array.from({ length: 160 }, () => site.fetch(new Request(site.baseUrl + path)));
    const statuses = (await Promise.all(calls)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([400]));
  });
});
