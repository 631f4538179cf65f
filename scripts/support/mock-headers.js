import { ServerResponse } from 'node:http';

/*
 * Preloaded into Prism, which sends the same headers with every example of a response: makes the headers of a 401 fit
 * its body, and removes the body of an expired token.
 */
const { end } = ServerResponse.prototype;

ServerResponse.prototype.end = function (body, ...rest) {
  if (this.statusCode !== 401 || !this.hasHeader('error')) return end.call(this, body, ...rest);
  const { error, error_description: description } = JSON.parse(body);
  this.setHeader('WWW-Authenticate', `Bearer realm="ridehail", error="${error}"`);
  this.setHeader('error', error);
  // the example of mock-contract.ts: the schema of the body does not allow this code
  if (description !== 'token_expired') return end.call(this, body, ...rest);
  this.setHeader('error', 'token_expired');
  this.removeHeader('Content-Type');
  this.setHeader('Content-Length', 0);
  return end.call(this);
};
