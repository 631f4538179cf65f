import { expect, test } from 'vitest';
import { portWarning } from '../../server/portal/applications/webhooks.ts';
import { createSender } from '../../server/webhooks/delivery/send.ts';
import { assertWebhookUrl, ForbiddenTarget } from '../../server/webhooks/delivery/target.ts';

const RULES = { allowPrivate: true, requireHttps: false };
const at = (port: number) => `http://127.0.0.1:${port}/hook`;

test.each([80, 443, 1024, 3000, 8080, 8443, 65_535])('webhooks can go to port %i', (port) => {
  expect(assertWebhookUrl(at(port), RULES).href).toBe(new URL(at(port)).href);
});

/** Whether a URL that was saved before the rules still works for a while. */
const REFUSED = [
  ...[1, 22, 25, 53, 110, 587, 993, 2049, 5060, 6000, 6667, 10_080].map((port) => [port, false] as const),
  ...[26, 81, 444, 1023, 1433, 3306, 5432, 6379, 9042, 9200, 11_211, 27_017].map((port) => [port, true] as const),
];
test.each(REFUSED)('no new webhook URL has port %i; stored ones work for a while: %s', async (port, isOutdated) => {
  expect(() => assertWebhookUrl(at(port), RULES)).toThrow(ForbiddenTarget);
  const said = `The webhook URL must not use port ${port}.`;
  const request = {
    url: at(port),
    applicationId: 'planner',
    body: '{}',
    headers: {},
  } as const;
  for (const [now, isAllowed] of [
    [999, isOutdated],
    [1000, false],
  ] as const) {
    // nothing may connect: the test's own machine can have a server at the port
    const lookup = async () => [];
    const sender = createSender({ ...RULES, now: () => now, lookup, outdatedPortsUntil: 1000 });
    const url = request.url.replace('127.0.0.1', 'receiver.test');
    const { error } = await sender.send({ ...request, url });
    await sender.close();
    expect(error?.startsWith(said), `${error}`).toBe(!isAllowed);
  }
});

test.each([
  [8080, 999, ''],
  [5432, 999, 'We send webhooks to this URL until'],
  [5432, 1000, 'We send no webhooks to this URL.'],
  [22, 999, 'We send no webhooks to this URL.'],
])('the portal says what a stored URL with port %i still gets at %i', (port, now, said) => {
  const { markup } = portWarning(at(port), 1000, now);
  if (said === '') expect(markup).toBe('');
  else expect(markup).toContain(said);
});
