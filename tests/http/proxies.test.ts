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

describe('who a request is from', () => {
  test.each<[string, TrustedProxies, string, string]>([
    ['its connection, where there is no proxy', null, CLIENT, '127.0.0.1'],
    ['whom the one proxy names', 1, CLIENT, CLIENT],
    ['whom the one proxy names, whatever the sender said before', 1, `198.51.100.1, ${CLIENT}`, CLIENT],
    ['whom the outer of two proxies names', 2, `${CLIENT}, ${OUTER_PROXY}`, CLIENT],
    ['whom the proxies at these addresses name', `127.0.0.0/8, ${OUTER_PROXY}`, `${CLIENT}, ${OUTER_PROXY}`, CLIENT],
    ['whom proxies that add ports name', `127.0.0.0/8, ${OUTER_PROXY}`, `${CLIENT}:4711, ${OUTER_PROXY}:80`, CLIENT],
    ['whom a proxy names that adds a port to IPv6', 1, '[2001:db8::7]:4711', '2001:db8::7'],
    ['its connection, where that is none of the proxies', '10.0.0.0/8', CLIENT, '127.0.0.1'],
  ])('%s', async (_, trustedProxies, forwardedFor, sender) => {
    expect(await senderSeen(trustedProxies, forwardedFor)).toBe(sender);
  });
});
