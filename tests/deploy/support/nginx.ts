import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../../../scripts/support/free-port.ts';
import { until } from '../../support/until.ts';
import { type HeldServer, startHeldServer } from './held-server.ts';

export interface Nginx {
  /** The https URL. */
  readonly baseUrl: string;
  /** The http URL. */
  readonly plainUrl: string;
  /** Calls nginx and trusts its self-signed certificate. @param from the client's address */
  fetch(request: Request, from?: string): Promise<Response>;
  /** The access log so far. */
  log(): string;
  close(): Promise<void>;
}

const NAME = 'localhost';

/** nginx in front of servers. */
export interface Site extends Nginx {
  readonly servers: readonly HeldServer[];
}

interface Ports {
  readonly http: number;
  readonly https: number;
}

/**
 * Starts servers behind nginx.
 * @param databases the URL of each server's database; undefined: an SQLite file of its own
 * @param others addresses where no server listens
 */
export async function startSite(
  databases: readonly (string | undefined)[],
  others: readonly string[] = [],
): Promise<Site> {
  const ports: Ports = { http: await freePort(), https: await freePort() };
  const settings = {
    PUBLIC_URL: `https://${NAME}:${ports.https}`,
    TRUST_PROXY: '1',
    // longer than nginx keeps an idle connection to a server open
    DRAIN_SECONDS: '4',
    RATE_LIMIT_MULTIPLIER: '1000',
    LOG_LEVEL: 'info',
  };
  const servers: HeldServer[] = [];
  let nginx: Nginx | undefined;
  const close = async () => {
    await nginx?.close();
    for (const server of servers) await server.close();
  };
  try {
    for (const url of databases)
      servers.push(await startHeldServer({ ...settings, ...(url && { DATABASE_URL: url }) }));
    nginx = await startNginx([...servers.map(({ address }) => address), ...others], ports);
  } catch (error) {
    await close();
    throw error;
  }
  return { ...nginx, servers, close };
}

/**
 * Starts Debian's nginx with the configuration in deploy/. Only the ports differ.
 * @param servers the host and port of each server
 */
async function startNginx(servers: readonly string[], ports: Ports): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-nginx-'));
  // the nginx workers may run as another user
  chmodSync(folder, 0o755);
  const certificate = makeCertificate(join(folder, 'tls'));
  writeFileSync(join(folder, 'ridehail.conf'), configurationFor(servers, ports));
  writeFileSync(join(folder, 'nginx.conf'), MAIN);
  const nginx = spawn('/usr/sbin/nginx', ['-p', folder, '-c', 'nginx.conf', '-e', 'error.log'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const agents = new Map<string, Agent>();
  const close = async () => {
    for (const agent of agents.values()) agent.destroy();
    const exited = once(nginx, 'exit');
    nginx.kill('SIGQUIT');
    await exited;
    rmSync(folder, { recursive: true });
  };
  const agentFrom = (localAddress: string) => {
    const agent =
      agents.get(localAddress) ?? new Agent({ keepAlive: true, ca: certificate, localAddress, maxSockets: 64 });
    agents.set(localAddress, agent);
    return agent;
  };
  const baseUrl = `https://${NAME}:${ports.https}`;
  const fetch: Nginx['fetch'] = (call, from = '127.0.0.1') => send(call, agentFrom(from));
  await until(() => fetch(new Request(`${baseUrl}/robots.txt`)));
  return {
    baseUrl,
    plainUrl: `http://${NAME}:${ports.http}`,
    fetch,
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

function configurationFor(servers: readonly string[], { http, https }: Ports): string {
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

/** `fetch` cannot be told to trust our certificate. */
async function send(call: Request, agent: Agent): Promise<Response> {
  const body = Buffer.from(await call.arrayBuffer());
  const sent = request(call.url, { method: call.method, agent, headers: Object.fromEntries(call.headers) });
  const answered = new Promise<Response>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      const headers = Object.entries(response.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one): [string, string] => [name, one]),
      );
      buffer(response).then(
        (bytes) => resolve(new Response(bytes.length > 0 ? bytes : null, { status: response.statusCode!, headers })),
        reject,
      );
    });
  });
  sent.end(body);
  return answered;
}
