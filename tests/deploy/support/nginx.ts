import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, fetch } from 'undici';
import { freePort } from '../../../scripts/support/free-port.ts';
import { newDatabase } from '../../../scripts/support/temporary-database.ts';
import type { Engine } from '../../../server/store/engine/open.ts';
import { until } from '../../support/until.ts';
import { type HeldServer, startHeldServer } from './held-server.ts';

/** nginx in front of servers. */
export type Site = Awaited<ReturnType<typeof startSite>>;

const NAME = 'localhost';

/**
 * Starts servers on one database, behind Debian's nginx with the configuration in deploy/. Only the ports differ.
 * @param down an address where no server listens
 */
export async function startSite(engine: Engine, count: number, down?: string) {
  const [http, https] = [await freePort(), await freePort()];
  const [baseUrl, plainUrl] = [`https://${NAME}:${https}`, `http://${NAME}:${http}`];
  const database = await newDatabase(engine);
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-nginx-'));
  // the nginx workers may run as another user
  chmodSync(folder, 0o755);
  const ca = makeCertificate(join(folder, 'tls'));
  const settings = {
    PUBLIC_URL: baseUrl,
    TRUST_PROXY: '1',
    // longer than nginx keeps an idle connection to a server open
    DRAIN_SECONDS: '4',
    RATE_LIMIT_MULTIPLIER: '1000',
    LOG_LEVEL: 'info',
    DATABASE_URL: database.url,
  };
  const servers: HeldServer[] = [];
  while (servers.length < count) servers.push(await startHeldServer(settings));
  const addresses = [...servers.map(({ address }) => address), ...(down === undefined ? [] : [down])];
  writeFileSync(join(folder, 'ridehail.conf'), configurationFor(addresses, http, https));
  writeFileSync(join(folder, 'nginx.conf'), MAIN);
  const nginx = spawn('/usr/sbin/nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const agents = new Map<string, Agent>();
  const call = async (request: Request, from = '127.0.0.1'): Promise<Response> => {
    const agent = agents.get(from) ?? new Agent({ localAddress: from, connect: { ca }, connections: 64 });
    agents.set(from, agent);
    const { url, method } = request;
    const [headers, body] = [[...request.headers], request.body && (await request.arrayBuffer())];
    const answer = await fetch(url, { method, headers, body, redirect: 'manual', dispatcher: agent });
    return answer as unknown as Response;
  };
  const close = async () => {
    for (const agent of agents.values()) await agent.destroy();
    const exited = once(nginx, 'exit');
    nginx.kill('SIGQUIT');
    await exited;
    for (const server of servers) await server.close();
    await database.drop();
    rmSync(folder, { recursive: true });
  };
  await until(() => call(new Request(`${baseUrl}/robots.txt`))).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    /** The https and the http URL. */
    ...{ baseUrl, plainUrl },
    servers,
    /** Calls nginx and trusts its self-signed certificate. `from` is the address of the client. */
    fetch: call,
    /** The access log so far. */
    log: () => readFileSync(join(folder, 'access.log'), 'utf8'),
    close,
  };
}

/** Like Debian's nginx.conf, which includes such files inside `http`. */
const MAIN = `daemon off;
pid nginx.pid;
events {}
http {
  client_body_temp_path body;
  proxy_temp_path proxy;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
  include ridehail.conf;
}
`;

function configurationFor(servers: readonly string[], http: number, https: number): string {
  const lines = servers.map((server) => `server ${server} fail_timeout=1s;`);
  return readFileSync('deploy/nginx.conf.template', 'utf8')
    .replaceAll(/\$\{RIDEHAIL_NAME\}/g, NAME)
    .replaceAll(/\$\{RIDEHAIL_SERVERS\}/g, lines.join(' '))
    .replaceAll('/var/log/nginx/access.log', 'access.log')
    .replaceAll('listen 80;', `listen 127.0.0.1:${http};`)
    .replaceAll('listen [::]:80;', `listen [::1]:${http};`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${https} `)
    .replaceAll('listen [::]:443 ', `listen [::1]:${https} `);
}

function makeCertificate(folder: string): Buffer {
  mkdirSync(folder);
  const [key, certificate] = ['privkey.pem', 'fullchain.pem'].map((name) => join(folder, name)) as [string, string];
  const subject = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  const files = ['-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', '-nodes', '-days', '1', ...curve, ...subject, ...files], { stdio: 'pipe' });
  return readFileSync(certificate);
}
