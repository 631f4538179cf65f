import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

/** The schema of the Compose Specification, as dclint ships it, without the name of its dialect, which ajv does not know. */
const { $schema, ...schema } = JSON.parse(readFileSync('node_modules/dclint/schemas/compose.schema.json', 'utf8'));
const compose = parse(readFileSync('compose.yaml', 'utf8'));

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);
const validate = ajv.compile(schema);

test('compose.yaml keeps to the Compose Specification', () => {
  validate(compose);
  expect(validate.errors).toBeNull();
  // the schema does look
  expect(validate({ ...compose, services: { server: { ...compose.services.server, read_onyl: true } } })).toBe(false);
});

test('its networks and volumes exist, and the files that it mounts', () => {
  const services: { networks: string[]; volumes?: string[] }[] = Object.values(compose.services);
  for (const { networks, volumes = [] } of services) {
    for (const network of networks) expect(compose.networks).toHaveProperty(network);
    for (const volume of volumes) {
      const [source] = volume.split(':') as [string];
      // the certificate is the operator's own
      if (source === './tls') continue;
      if (source.startsWith('./')) expect(() => readFileSync(source), source).not.toThrow();
      else expect(compose.volumes).toHaveProperty(source);
    }
  }
});
