import { Router } from 'express';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addressOf, networksOf } from '../../server/http/network.ts';
import type { TrustedProxies } from '../../server/parts.ts';
import { testServer } from '../support/started.ts';
import { serveWith } from './support/added-routers.ts';

test.each([
  ['192.0.2.7', '192.0.2.7', null, '192.0.2.0/24'],
  [' 192.0.2.7:4711 ', '192.0.2.7', null, '192.0.2.0/24'],
  ['::FFFF:c000:0207', '192.0.2.7', null, '192.0.2.0/24'],
  ['192.0.255.255', '192.0.255.255', null, '192.0.255.0/24'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
  ['2001:db8::ffff:1', '2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
  ['2001:0DB8:0000:0000:a:b:c:d', '2001:db8:0:0::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
  ['2001:db8:0:ff::1', '2001:db8:0:ff::/64', '2001:db8:0:0::/56', '2001:db8:0::/48'],
  ['2001:db8:0:100::1', '2001:db8:0:100::/64', '2001:db8:0:100::/56', '2001:db8:0::/48'],
  ['2001:db8:1:abcd:3:4:192.0.2.7', '2001:db8:1:abcd::/64', '2001:db8:1:ab00::/56', '2001:db8:1::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0:0::/56', '0:0:0::/48'],
])('%s is in the networks %s, %s and %s', (sent, narrow, middle, wide) => {
  expect(networksOf(sent)).toEqual({ narrow, middle, wide });
});

test.each([undefined, '', 'unknown', '_hidden', '192.0.2.999', '[192.0.2.7', '1.2.3.4:5:6', ':80', 'a:80', '[]:80'])(
  '%o is not an address, and is in the shared network of all invalid addresses',
  (sent) => {
    expect(networksOf(sent)).toEqual({ narrow: 'unknown', middle: null, wide: 'unknown' });
    expect(addressOf(sent)).toBe('unknown');
  },
);

test('the networks of many addresses are also correct the second time', () => {
  const addresses = Array.from({ length: 1100 }, (_, i) => `192.0.${Math.floor(i / 256)}.${i % 256}`);
  for (const address of [...addresses, ...addresses]) expect(networksOf(address).narrow).toBe(address);
  const long = `${' '.repeat(50)}192.0.2.7`;
  for (const again of [long, long]) expect(networksOf(again).narrow).toBe('192.0.2.7');
});

describe('an address', () => {
  const port = fc.integer({ min: 0, max: 65_535 });

  test('is the same with any port, and when mapped to IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), port, (address, at) => {
        const spellings = [`${address}:${at}`, `::ffff:${address}`, `[::ffff:${address}]:${at}`, `${address}:`];
        expect(new Set(spellings.map(addressOf))).toEqual(new Set([addressOf(address)]));
        expect(new Set(spellings.map((one) => networksOf(one).narrow))).toEqual(new Set([address]));
      }),
    );
    fc.assert(
      fc.property(fc.ipV6(), port, (address, at) => {
        const spellings = [`[${address}]`, `[${address}]:${at}`, address.toUpperCase(), `${address}%eth0`];
        expect(new Set(spellings.map(addressOf))).toEqual(new Set([addressOf(address)]));
        expect(spellings.map(networksOf)).toEqual(spellings.map(() => networksOf(address)));
      }),
    );
  });

  test('has one canonical spelling for any input', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV4(), fc.ipV6()), (sent) => {
        const address = addressOf(sent);
        expect([addressOf(address), networksOf(address)]).toEqual([address, networksOf(sent)]);
      }),
    );
  });
});

describe('behind proxies', () => {
  const server = testServer('sqlite');
  const [client, outer] = ['203.0.113.9', '192.0.2.7'];

  test.each<[string, TrustedProxies, string, string]>([
    ['the peer of the connection, without a proxy', null, client, '127.0.0.1'],
    ['the address from one proxy', 1, client, client],
    ['the address from one proxy, not one that the sender added', 1, `198.51.100.1, ${client}`, client],
    ['the address from the outer of two proxies', 2, `${client}, ${outer}`, client],
    ['the address from the listed proxies', `127.0.0.0/8, ${outer}`, `${client}, ${outer}`, client],
    ['the address from proxies that add ports', `127.0.0.0/8, ${outer}`, `${client}:4711, ${outer}:80`, client],
    ['the address from a proxy that adds a port to IPv6', 1, '[2001:db8::7]:4711', '2001:db8::7'],
    ['the peer of the connection, if it is not a listed proxy', '10.0.0.0/8', client, '127.0.0.1'],
  ])('the sender of a request is %s', async (_, trustedProxies, forwardedFor, sender) => {
    const mirror = Router().get('/mirror', (req, res) => void res.send(addressOf(req.ip)));
    const baseUrl = await serveWith({ ...server.parts, trustedProxies }, [mirror]);
    const response = await fetch(`${baseUrl}/mirror`, { headers: { 'X-Forwarded-For': forwardedFor } });
    expect(await response.text()).toBe(sender);
  });
});
