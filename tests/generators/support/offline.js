// Preloaded into every tool, to block network access. Some tools check for updates.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const refuse = () => {
  throw new Error('Network access is disabled.');
};

Socket.prototype.connect = refuse;
dns.promises.lookup = async () => refuse();
dns.promises.resolve = async () => refuse();
syncBuiltinESMExports();
