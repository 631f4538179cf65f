import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { commitOf } from '../../server/build.ts';
import { TSC } from '../support/tsc.ts';
import { writeValidators } from './validators.ts';

const PROJECT = 'tsconfig.build.json';
/** The folders to compile: server, client and their shared files. */
const ROOMS: readonly string[] = JSON.parse(readFileSync(PROJECT, 'utf8')).include;

/** Without types, the compiler needs no other file to compile one. */
const UNCHECKED = ['--noCheck', '--noResolve', '--declaration', 'false'];

interface Options {
  /** If false, compiling takes much less time. It writes the same code, but no types. */
  readonly checkTypes: boolean;
}

/**
 * Compiles server, client and the contract's validators, copies the bundles and the style sheet that the server reads, and writes the commit. Keeps
 * the folder layout. Replaces the files of an earlier build. Throws an Error with the compiler's output.
 */
export async function compile(folder: string, { checkTypes }: Options): Promise<void> {
  for (const room of ROOMS) await rm(join(folder, room), { recursive: true, force: true });
  const tsc = [TSC, '-p', PROJECT, '--outDir', folder, ...(checkTypes ? [] : UNCHECKED)];
  await promisify(execFile)(process.execPath, tsc).catch(({ stdout, message }) => {
    throw new Error(stdout || message);
  });
  const isNoSource = (path: string) => extname(path) !== '.ts';
  for (const room of ROOMS) await cp(room, join(folder, room), { recursive: true, filter: isNoSource });
  // an image is built without .git, so its builder names the commit
  const commit = process.env.RIDEHAIL_COMMIT || commitOf('.');
  await writeFile(join(folder, 'server/build.json'), JSON.stringify({ commit }));
  await writeValidators(join(folder, 'validators'));
}
