import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXAMPLE_URL } from '../../generated/server.ts';
import { withPublicUrl } from '../../server/links.ts';
import { at, type Header } from '../contract/bundle.ts';
import { document } from '../contract/read.ts';

/** A contract file for Prism, without the headers that only some responses have: Prism sends every declared header. */
export interface MockContract {
  readonly file: string;
  remove(): void;
}

/** @param serverUrl the server that links in the examples lead to, such as `documentation_url` and `image_url` */
export function writeMockContract(serverUrl = EXAMPLE_URL): MockContract {
  const folder = mkdtempSync(join(tmpdir(), 'mock-'));
  const file = join(folder, 'openapi.json');
  const text = JSON.stringify(document, (key, value) => (key === 'headers' ? byDefault(value) : value));
  writeFileSync(file, withPublicUrl(text, serverUrl));
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}

function byDefault(headers: Readonly<Record<string, Header>>): Record<string, Header> {
  const isSent = (header: Header) => !(header.$ref ? at<Header>(document, header.$ref) : header)['x-absent-by-default'];
  return Object.fromEntries(Object.entries(headers).filter(([, header]) => isSent(header)));
}
