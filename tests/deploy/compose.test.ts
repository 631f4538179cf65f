import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { specsOf } from '../../server/variables.ts';

interface Service {
  /** Only for servers. */
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A list, or a map with settings for each network. */
  readonly networks: readonly string[] | Readonly<Record<string, { readonly ipv4_address?: string } | null>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

/** The schema of the Compose Specification, from dclint. Without `$schema`, because Ajv does not know its dialect. */
const { $schema, ...schema } = JSON.parse(readFileSync('node_modules/dclint/schemas/compose.schema.json', 'utf8'));
const compose = parse(readFileSync('compose.yaml', 'utf8'), { merge: true });
const services: Readonly<Record<string, Service>> = compose.services;
const servers = Object.entries(services).filter(([, { build }]) => build !== undefined);

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

const networksOf = ({ networks }: Service) => (Array.isArray(networks) ? networks : Object.keys(networks));

test('compose.yaml follows the Compose Specification', () => {
  validate(compose);
  expect(validate.errors).toBeNull();
  // shows that the schema rejects unknown fields
  const wrong = { ...services['server-1'], read_onyl: true };
  expect(validate({ ...compose, services: { 'server-1': wrong } })).toBe(false);
});

test('its networks, its volumes and the files that it mounts exist', () => {
  for (const service of Object.values(services)) {
    for (const network of networksOf(service)) expect(compose.networks).toHaveProperty(network);
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(':') as [string];
      // the operator provides the certificate
      if (source === './tls') continue;
      if (source.startsWith('./')) expect(() => readFileSync(source), source).not.toThrow();
      else expect(compose.volumes).toHaveProperty(source);
    }
  }
});

test('it starts a service once its dependencies are healthy, and each dependency has a health check', () => {
  // the servers have theirs in the Dockerfile
  const hasCheck = ({ build, healthcheck }: Service) => build !== undefined || healthcheck !== undefined;
  for (const { depends_on = {} } of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      expect([name, condition, hasCheck(services[name]!)]).toEqual([name, 'service_healthy', true]);
    }
  }
});

test('its two servers have the same settings, and the server knows all of them', () => {
  expect(servers).toHaveLength(2);
  const [first, second] = servers.map(([, service]) => service.environment!) as [object, object];
  expect(second).toEqual(first);
  const known = Object.keys(specsOf('production'));
  expect(known).toEqual(expect.arrayContaining(Object.keys(first)));
});

test('nginx forwards requests to each server, at an address that stays the same when a container is replaced', () => {
  const lines = servers.map(([name]) => `server ${name}:8080 fail_timeout=1s;`);
  expect(services.nginx!.environment!.RIDEHAIL_SERVERS).toBe(lines.join(' '));
  const [{ subnet }] = compose.networks.nginx.ipam.config;
  const addresses = servers.map(
    ([, { networks }]) => (networks as Record<string, { ipv4_address: string }>).nginx!.ipv4_address,
  );
  expect(new Set(addresses).size).toBe(servers.length);
  const [network] = subnet.split('.0/24');
  for (const address of addresses) expect(address.startsWith(`${network}.`), address).toBe(true);
});

test('it sets every variable of the nginx template', () => {
  const template = readFileSync('deploy/nginx.conf.template', 'utf8');
  const values = [...template.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name!);
  expect(new Set(Object.keys(services.nginx!.environment!))).toEqual(new Set(values));
});
