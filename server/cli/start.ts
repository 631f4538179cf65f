import { join } from 'node:path';
import type { Command } from './command.ts';
import { Misused, parseCommandLine } from './command-line.ts';

const HELP = `Starts the server, with the settings in the environment.

  ridehail-server start [--port N] [--data DIR]

  --port N    The port, instead of PORT.
  --data DIR  The folder of the SQLite database, instead of DATABASE_URL. Created if it is missing.
  --help      Print this help.

The server stops with exit code 0 after SIGTERM or SIGINT. If it cannot start, it exits with code 1.`;

export const start: Command = async (args) => {
  const { port, data, help } = parseCommandLine(args, { port: { type: 'string' }, data: { type: 'string' } }).values;
  if (help) return HELP;
  // usually a script's empty variable, which would mean the default port, or the root of the disk
  for (const [name, value] of Object.entries({ port, data }))
    if (value?.trim() === '') throw new Misused(`--${name} is empty.`);
  if (port !== undefined) process.env.PORT = port;
  if (data !== undefined) process.env.DATABASE_URL = `file:${join(data, 'ridehail.db')}`;
  await import('../main.ts');
  return null;
};
