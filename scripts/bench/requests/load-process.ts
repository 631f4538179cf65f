/** Sends requests with autocannon, and reports how long they took. */
import autocannon, { type Client, type Instance } from 'autocannon';
import { instant } from '../clock.ts';
import type { Call } from './operations.ts';

/** Requests for one server. */
export interface Job {
  readonly port: number;
  /** Each connection repeats its own share of the calls. */
  readonly calls: readonly Call[];
  readonly amount: number;
  readonly connections: number;
  /** The expected status of all responses. */
  readonly status: number;
}

export interface Sent {
  readonly milliseconds: number;
  /** The first unexpected response or another problem; null if there was none. */
  readonly fault: string | null;
}

const OFTEN_MS = 10;
/** Limits the time, because autocannon reconnects endlessly if a server closes its connections. */
const MOST_MS = 60_000;
const MOST_OF_BODY = 500;

process.on('disconnect', () => process.exit());
process.on('message', async (job: Job) => process.send!(await send(job)));
process.send!('ready');

async function send({ port, calls, amount, connections, status }: Job): Promise<Sent> {
  let fault: string | null = null;
  let connection = 0;
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  const setupClient = (client: Client) => {
    const own = calls.filter((_, index) => index % connections === connection % Math.min(connections, calls.length));
    connection += 1;
    client.setRequests(own.map((call) => ({ ...call })));
    let body = '';
    client.on('body', (part: Buffer) => {
      body = fault === null ? String(part) : '';
    });
    client.on('response', (code: number) => {
      to = instant();
      if (code !== status) fault ??= `${code} ${textOf(body)}`;
      body = '';
    });
    from = Math.min(from, instant());
  };
  const sending = autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    amount,
    setupClient,
    // in seconds: on a busy machine, a server may wait for its core longer than autocannon's default of ten
    timeout: MOST_MS / 1000,
    // autocannon checks for the end of the run at this interval
    sampleInt: OFTEN_MS,
  });
  const giveUp = setTimeout(() => (sending as unknown as Instance).stop(), MOST_MS);
  const result = await sending;
  clearTimeout(giveUp);
  const answered = Object.values(result.statusCodeStats ?? {}).reduce((sum, { count = 0 }) => sum + count, 0);
  if (result.errors > 0) fault ??= `${result.errors} connections failed`;
  if (answered !== amount) fault ??= `${answered} of ${amount} requests got a response`;
  return { milliseconds: to - from, fault };
}

/** Removes the response head, which the parser emits with the body. */
function textOf(part: string): string {
  return part
    .slice(part.indexOf('\r\n\r\n') + 1)
    .trim()
    .slice(0, MOST_OF_BODY);
}
