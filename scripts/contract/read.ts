import { readFileSync } from 'node:fs';
import { type Contract, dereferenced } from './bundle.ts';

/** The bundle of the API, as it is written. */
export const document = read('generated', 'openapi');
export const contract = dereferenced(document);
export const webhookContract = dereferenced(read('generated', 'webhooks'));

/** The contract as it was last released. */
export function releasedContract(): Contract {
  return dereferenced(read('released', 'openapi'));
}

function read(folder: string, name: string) {
  return JSON.parse(readFileSync(new URL(`../../${folder}/${name}.json`, import.meta.url), 'utf8'));
}
