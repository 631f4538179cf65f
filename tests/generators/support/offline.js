// Preloaded into every tool, to block access to other machines. Some tools check for updates.
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';

const refuse = () => {
  throw new Error('Network access is disabled.');
};

const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [{ host }] = args.flat();
  return /^(127\.|localhost$)/.test(host) ? connect.apply(this, args) : refuse();
};
dns.promises.lookup = async () => refuse();
dns.promises.resolve = async () => refuse();
syncBuiltinESMExports();
