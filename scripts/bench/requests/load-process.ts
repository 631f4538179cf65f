/** Sends requests by autocannon, and says how long they took. */
import autocannon, { type Client, type Instance } from 'autocannon';
import { instant } from '../clock.ts';
import type { Call } from './operations.ts';

/** Requests for one server. */
export interface Job {
  readonly port: number;
  /** Each connection has its own share of them, and repeats it. */
  readonly calls: readonly Call[];
  readonly amount: number;
  readonly connections: number;
  /** The only status that responses may have. */
  readonly status: number;
}

export interface Sent {
  readonly milliseconds: number;
  /** The first unexpected response, or what else went wrong; null: nothing did. */
  readonly fault: string | null;
}

const OFTEN_MS = 10;
/** A server that closes connections at once would be asked again and again. */
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
    // in seconds: a busy machine can leave a server without its core for longer than the ten that autocannon waits
    timeout: MOST_MS / 1000,
    // when the last response has come, it looks for the end only so often
    sampleInt: OFTEN_MS,
  });
  const giveUp = setTimeout(() => (sending as unknown as Instance).stop(), MOST_MS);
  const result = await sending;
  clearTimeout(giveUp);
  const answered = Object.values(result.statusCodeStats ?? {}).reduce((sum, { count = 0 }) => sum + count, 0);
  if (result.errors > 0) fault ??= `${result.errors} connections failed`;
  if (answered !== amount) fault ??= `${answered} of ${amount} requests were answered`;
  return { milliseconds: to - from, fault };
}

/** The parser shows the body with what came before it. */
function textOf(part: string): string {
  return part
    .slice(part.indexOf('\r\n\r\n') + 1)
    .trim()
    .slice(0, MOST_OF_BODY);
}
