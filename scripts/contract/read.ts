import { readFileSync } from 'node:fs';
import type { Contract } from './bundle.ts';
import { dereferenced } from './dereferenced.ts';

/** The bundled API document, with its $refs. */
export const document = read('generated', 'openapi');
export const contract = dereferenced(document);
export const webhookContract = dereferenced(read('generated', 'webhooks'));

/** The last released contract. */
export function releasedContract(): Contract {
  return dereferenced(read('released', 'openapi'));
}

function read(folder: string, name: string) {
  return JSON.parse(readFileSync(new URL(`../../${folder}/${name}.json`, import.meta.url), 'utf8'));
}
