import { createHash } from 'node:crypto';
import type { Script } from './connection.ts';

export function scriptOf(text: string): Script {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
