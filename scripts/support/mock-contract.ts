import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLE_URL } from '../../generated/server.ts';
import { withPublicUrl } from '../../server/links.ts';
import { at, type Example, type Header } from '../contract/bundle.ts';
import { document } from '../contract/read.ts';

/** A contract file for Prism, which answers each request with an example. */
export interface MockContract {
  readonly file: string;
  remove(): void;
}

const ANY_FAULT = "This request does not match the contract. The mock's header sl-violations says where.";

/** @param serverUrl the server that links in the examples lead to, such as `documentation_url` and `image_url` */
export function writeMockContract(serverUrl = EXAMPLE_URL): MockContract {
  const folder = mkdtempSync(join(tmpdir(), 'mock-'));
  const file = join(folder, 'openapi.json');
  writeFileSync(file, withPublicUrl(JSON.stringify(document, forPrism), serverUrl));
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}

/** Starts Prism with such a file. */
export function spawnPrism(parameters: readonly string[], output: 'inherit' | 'pipe'): ChildProcess {
  const preload = ['--import', new URL('mock-headers.js', import.meta.url).href];
  const command = [...preload, 'node_modules/.bin/prism', 'mock', ...parameters];
  return spawn(process.execPath, command, { stdio: ['ignore', output, 'inherit'] });
}

function forPrism(key: string, value: unknown): unknown {
  if (key === 'headers') return byDefault(value as Record<string, Header>);
  return key === 'examples' ? withMockExamples(value as Record<string, Example>) : value;
}

/** Prism sends every declared header, also those that only some responses have. */
function byDefault(headers: Readonly<Record<string, Header>>): Record<string, Header> {
  const isSent = (header: Header) => !(header.$ref ? at<Header>(document, header.$ref) : header)['x-absent-by-default'];
  return Object.fromEntries(Object.entries(headers).filter(([, header]) => isSent(header)));
}

/** Prism answers every invalid request with the first example, which must not name a parameter. */
function withMockExamples(examples: Record<string, Example>): Record<string, Example> {
  const first = Object.values(examples)[0]!;
  if (first.$ref === undefined) return examples;
  const { value } = at<{ value: { error?: string } }>(document, first.$ref);
  const saying = (error_description: string) => ({ value: { ...value, error_description, error_detail: [] } });
  if (/^(bad_parameter|invalid_request)$/.test(value.error ?? '')) return { any: saying(ANY_FAULT), ...examples };
  return value.error === 'invalid_token' ? { ...examples, token_expired: saying('token_expired') } : examples;
}
