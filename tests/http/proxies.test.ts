import { Router } from 'express';
import { describe, expect, test } from 'vitest';
import { addressOf } from '../../server/http/network.ts';
import type { TrustedProxies } from '../../server/parts.ts';
import { testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';

const CLIENT = '203.0.113.9';
const OUTER_PROXY = '192.0.2.7';

const server = testServer('sqlite');

/** The sender that the server derives from X-Forwarded-For on a request from this machine. */
async function senderSeen(trustedProxies: TrustedProxies, forwardedFor: string): Promise<string> {
  const mirror = Router().get('/mirror', (req, res) => void res.send(addressOf(req.ip)));
  const baseUrl = await serveWith({ ...server.parts, trustedProxies }, [mirror]);
  const response = await fetch(`${baseUrl}/mirror`, { headers: { 'X-Forwarded-For': forwardedFor } });
  return response.text();
}

describe('the sender of a request is', () => {
  test.each<[string, TrustedProxies, string, string]>([
    ['the peer of the connection, without a proxy', null, CLIENT, '127.0.0.1'],
    ['the address from one proxy', 1, CLIENT, CLIENT],
    ['the address from one proxy, not one that the sender added', 1, `198.51.100.1, ${CLIENT}`, CLIENT],
    ['the address from the outer of two proxies', 2, `${CLIENT}, ${OUTER_PROXY}`, CLIENT],
    ['the address from the listed proxies', `127.0.0.0/8, ${OUTER_PROXY}`, `${CLIENT}, ${OUTER_PROXY}`, CLIENT],
    [
      'the address from proxies that add ports',
      `127.0.0.0/8, ${OUTER_PROXY}`,
      `${CLIENT}:4711, ${OUTER_PROXY}:80`,
      CLIENT,
    ],
    ['the address from a proxy that adds a port to IPv6', 1, '[2001:db8::7]:4711', '2001:db8::7'],
    ['the peer of the connection, if it is not a listed proxy', '10.0.0.0/8', CLIENT, '127.0.0.1'],
  ])('%s', async (_, trustedProxies, forwardedFor, sender) => {
    expect(await senderSeen(trustedProxies, forwardedFor)).toBe(sender);
  });
});
