#!/usr/bin/env node
import { ridehailServer } from './ridehail-server.ts';

// a command may create the database, its log or a backup: only this user may read them
process.umask(0o077);

const code = await ridehailServer(process.argv.slice(2));
// a server that has started sets its own code when it stops
if (code !== 0) process.exitCode = code;
