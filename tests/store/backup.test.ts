import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { backUp } from '../../server/store/backup/backup.ts';

/** A fake pg_dump that writes its arguments and the password to its output file. */
const PG_DUMP = `#!${process.execPath}
const file = process.argv.find((word) => word.startsWith('--file=')).slice('--file='.length);
require('node:fs').writeFileSync(file, JSON.stringify({ words: process.argv, password: process.env.PGPASSWORD }));
`;

test.each([
  ['before the host', 'postgres://ridehail:s3cret%25@db/ridehail'],
  ['as a parameter', 'postgres://ridehail@db/ridehail?password=s3cret%25'],
  ['as a parameter next to another', 'postgres://ridehail@db/ridehail?sslmode=require&p%61ssword=s3cret%25'],
  ['in both places, where the parameter counts', 'postgres://ridehail:other-s3cret@db/ridehail?password=s3cret%25'],
  ['as two parameters, where the last one counts', 'postgres://u@db/ridehail?password=s3cret-one&password=s3cret%25'],
])('pg_dump gets a password %s in its environment, and not in its arguments', async (_, url) => {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-backup-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'pg_dump'), PG_DUMP);
  chmodSync(join(folder, 'pg_dump'), 0o700);
  vi.stubEnv('PATH', folder + delimiter + process.env.PATH);
  onTestFinished(() => void vi.unstubAllEnvs());
  await backUp(url, join(folder, 'backup'));
  const { words, password } = JSON.parse(readFileSync(join(folder, 'backup'), 'utf8'));
  expect(password).toBe('s3cret%');
  expect(words.join(' ')).not.toContain('s3cret');
  expect(words.join(' ')).toContain('@db/ridehail');
});
