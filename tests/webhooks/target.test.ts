import { describe, expect, test } from 'vitest';
import { checkedLookup, resolveByNameServers } from '../../server/webhooks/delivery/checked-lookup.ts';
import { assertPublicAddress, assertWebhookUrl, ForbiddenTarget } from '../../server/webhooks/delivery/target.ts';

const STRICT = { allowPrivate: false, requireHttps: false };

/** Address ranges, each with addresses at or near its ends. */
const SPECIAL: [range: string, ...addresses: string[]][] = [
  ['0.0.0.0/8', '0.0.0.0', '0.255.255.255'],
  ['10.0.0.0/8', '10.0.0.1', '10.255.255.255'],
  ['100.64.0.0/10', '100.64.0.1', '100.127.255.255'],
  ['127.0.0.0/8', '127.0.0.1', '127.255.255.254'],
  ['169.254.0.0/16, with the metadata of cloud providers', '169.254.0.1', '169.254.169.254'],
  ['172.16.0.0/12', '172.16.0.1', '172.31.255.255'],
  ['192.0.0.0/24', '192.0.0.1', '192.0.0.170'],
  ['192.0.2.0/24', '192.0.2.1'],
  ['192.31.196.0/24', '192.31.196.1'],
  ['192.52.193.0/24', '192.52.193.1'],
  ['192.88.99.0/24', '192.88.99.1'],
  ['192.168.0.0/16', '192.168.0.1', '192.168.255.255'],
  ['192.175.48.0/24', '192.175.48.1'],
  ['198.18.0.0/15', '198.18.0.1', '198.19.255.255'],
  ['198.51.100.0/24', '198.51.100.1'],
  ['203.0.113.0/24', '203.0.113.1'],
  ['224.0.0.0/4', '224.0.0.1', '239.255.255.255'],
  ['240.0.0.0/4', '240.0.0.1', '255.255.255.254'],
  ['the broadcast address', '255.255.255.255'],
  ['::/128 and ::1/128', '::', '::1'],
  ['::/96, deprecated IPv4-compatible addresses', '::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  [
    '::ffff:0:0/96, IPv4-mapped addresses',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::FFFF:169.254.169.254',
  ],
  ['::ffff:0:0:0/96', '::ffff:0:7f00:1'],
  ['64:ff9b::/96 and 64:ff9b:1::/48', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ['100::/64 and 100:0:0:1::/64', '100::1', '100:0:0:1::1'],
  ['2001::/32, Teredo', '2001::1', '2001:0:7f00:1::1'],
  ['2001::/23', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff::1'],
  ['2001:db8::/32', '2001:db8::1'],
  ['2002::/16, 6to4', '2002:7f00:1::1', '2002:808:808::1'],
  ['2620:4f:8000::/48', '2620:4f:8000::1'],
  ['3fff::/20', '3fff::1'],
  ['4000::/2 and above, unassigned', '4000::1', '5f00::1', '8000::1'],
  ['fc00::/7', 'fc00::1', 'fd00:ec2::254', 'fdff::1'],
  ['fe80::/10', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  ['fec0::/10', 'fec0::1', 'feff::1'],
  ['ff00::/8', 'ff02::1', 'ff0e::1'],
  ['with a zone', '::1%lo', '::ffff:127.0.0.1%eth0'],
  ['not an address', 'localhost', 'fe80::g', '1.2.3.4.5', '8.8', '010.8.8.8'],
];

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.216.34'],
  ...['100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['172.15.255.255', '172.32.0.0', '192.167.255.255', '198.17.255.255', '198.20.0.0', '223.255.255.255'],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2a00:1450:4001::1', '::ffff:8.8.8.8'],
];

/** Spellings of URLs, by the host that they lead to. */
const INSIDE: [host: string, ...urls: string[]][] = [
  [
    '127.0.0.1',
    ...['http://127.0.0.1', 'http://127.0.0.1.', 'http://127.0.0.1:8443/hooks', 'http://127.1', 'http://127.0.1'],
    ...['http://2130706433', 'http://0x7f000001', 'http://0X7F.1', 'http://0177.0.0.1', 'http://017700000001'],
    ...['http://①②⑦.0.0.1', 'http://127。0。0。1', 'http://%31%32%37.0.0.1', 'http:127.0.0.1'],
    ...['http:\\\\127.0.0.1\\hooks', ' http://127.0.0.1 ', 'http://12\t7.0.0.1'],
  ],
  ['0.0.0.0', 'http://0'],
  ['169.254.169.254', 'http://0xa9fea9fe/latest/meta-data'],
  ['::1', 'http://[::1]', 'http://[0:0:0:0:0:0:0:1]:8080'],
  [':: is', 'http://[::]'],
  ['::ffff:7f00:1', 'http://[::ffff:127.0.0.1]', 'http://[::ffff:7f00:1]'],
  ['::7f00:1', 'http://[::127.0.0.1]'],
  ['64:ff9b::7f00:1', 'http://[64:ff9b::127.0.0.1]'],
  ['fd00:ec2::254', 'http://[fd00:ec2::254]'],
  ['localhost', 'http://localhost', 'http://LOCALHOST:3000', 'http://ⓛocalhost'],
  ['localhost.', 'http://localhost.'],
  ['hooks.localhost', 'http://hooks.localhost'],
  ['hooks.localhost.', 'http://hooks.localhost.'],
];

describe('addresses that are not public', () => {
  test.each(SPECIAL.flatMap(([range, ...addresses]) => addresses.map((address) => [address, range])))(
    '%s (%s) is refused, and the error names it',
    (address) => {
      expect(() => assertPublicAddress(address)).toThrow(ForbiddenTarget);
      expect(() => assertPublicAddress(address)).toThrow(`${address} is not public`);
    },
  );

  test.each(PUBLIC)('%s is public', (address) => {
    expect(() => assertPublicAddress(address)).not.toThrow();
  });
});

describe('a URL of a host that is not public, in any spelling', () => {
  test.each(INSIDE.flatMap(([host, ...urls]) => urls.map((url) => [url, host])))(
    '%j is refused, and the error names the host',
    (url, name) => {
      expect(() => assertWebhookUrl(url, STRICT)).toThrow(ForbiddenTarget);
      expect(() => assertWebhookUrl(url, STRICT)).toThrow(`public address, but ${name}`);
      expect(() => assertWebhookUrl(url, { ...STRICT, allowPrivate: true })).not.toThrow();
    },
  );
});

describe('a URL', () => {
  test.each([
    'https://hooks.example.com',
    'https://hooks.example.com:8443/rides?key=a',
    'https://1.1.1.1',
    'https://localhost.example.com',
  ])('%s is always allowed', (url) => {
    expect(assertWebhookUrl(url, { allowPrivate: false, requireHttps: true }).href).toBe(new URL(url).href);
  });

  test('with http is allowed if https is not required', () => {
    expect(() => assertWebhookUrl('http://hooks.example.com', STRICT)).not.toThrow();
    expect(() => assertWebhookUrl('http://hooks.example.com', { ...STRICT, requireHttps: true })).toThrow(
      'The webhook URL must be an https URL.',
    );
  });

  test.each([
    ...['', 'hooks', '//hooks.example.com', 'ftp://hooks.example.com', 'file:///etc/passwd', 'javascript:0'],
    ...['https://', 'http://[fe80::1%25eth0]', 'http://[fe80::1%eth0]', 'http://[::1', 'http://256.0.0.1'],
    'http://1.2.3.4.5',
  ])('with another scheme is refused, and so is an invalid URL: %j', (url) => {
    const judge = () => assertWebhookUrl(url, { allowPrivate: true, requireHttps: false });
    expect(judge).toThrow(ForbiddenTarget);
    expect(judge).toThrow('must be an http or https URL');
  });

  test.each([
    'https://maya@hooks.example.com',
    'https://maya:secret@hooks.example.com',
    'https://:secret@hooks.example.com',
  ])('with credentials is refused: %s', (url) => {
    expect(() => assertWebhookUrl(url, { allowPrivate: true, requireHttps: false })).toThrow('user name or a password');
  });
});

describe('a name', () => {
  const PUBLIC_ANSWER = [
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700::1', family: 6 },
  ];
  const lookUp = (lookup: ReturnType<typeof checkedLookup>, all = true) =>
    new Promise((resolve, reject) => {
      lookup('hooks.example.com', { all }, (error, ...answer) => (error ? reject(error) : resolve(answer)));
    });

  test('is given to the socket as exactly the addresses that were checked', async () => {
    const lookup = checkedLookup(async () => PUBLIC_ANSWER, false);
    expect(await lookUp(lookup)).toEqual([PUBLIC_ANSWER]);
    expect(await lookUp(lookup, false)).toEqual(['93.184.216.34', 4]);
  });

  test('is checked by all its addresses, and again each time', async () => {
    const inside = { address: '10.0.0.7', family: 4 };
    const answers = [PUBLIC_ANSWER, [...PUBLIC_ANSWER, inside], [inside, ...PUBLIC_ANSWER], [inside]];
    const lookup = checkedLookup(async () => answers.shift()!, false);
    expect(await lookUp(lookup)).toEqual([PUBLIC_ANSWER]);
    for (let times = 0; times < 3; times += 1) {
      await expect(lookUp(lookup)).rejects.toMatchObject({
        message: 'The host of the webhook URL must resolve only to public addresses.',
        cause: { message: expect.stringContaining('10.0.0.7 is not public') },
      });
    }
  });

  test('with thousands of addresses gives the socket the first two of each family', async () => {
    const ipv4 = Array.from({ length: 4000 }, (_, i) => ({ address: `8.9.${i >> 8}.${i & 255}`, family: 4 }));
    const ipv6 = Array.from({ length: 2000 }, (_, i) => ({ address: `2606:4700::${i.toString(16)}`, family: 6 }));
    const lookup = checkedLookup(async () => [...ipv4, ...ipv6], false);
    expect(await lookUp(lookup)).toEqual([[...ipv4.slice(0, 2), ...ipv6.slice(0, 2)]]);
  });

  test('without an address is an error', async () => {
    await expect(lookUp(checkedLookup(async () => [], true))).rejects.toThrow('hooks.example.com has no address');
  });

  test('is resolved by name servers to both kinds of address; one kind is enough', async () => {
    const noData = () => Promise.reject(Object.assign(new Error('queryA ENODATA'), { code: 'ENODATA' }));
    type Ask = () => Promise<string[]>;
    type Resolver = NonNullable<Parameters<typeof resolveByNameServers>[1]>;
    const answer = (resolve4: Ask, resolve6: Ask) =>
      resolveByNameServers('hooks.example.com', { resolve4, resolve6 } as unknown as Resolver);
    const [ipv4, ipv6] = PUBLIC_ANSWER.map(({ address }) => async () => [address]) as [Ask, Ask];
    expect(await answer(ipv4, ipv6)).toEqual(PUBLIC_ANSWER);
    expect(await answer(ipv4, noData)).toEqual([PUBLIC_ANSWER[0]]);
    expect(await answer(noData, ipv6)).toEqual([PUBLIC_ANSWER[1]]);
    await expect(answer(noData, noData)).rejects.toThrow('ENODATA');
  });
});
