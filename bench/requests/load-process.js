/** Sends requests with autocannon, and reports how long they took. See load.ts for the job and the answer. */
import autocannon from 'autocannon';

/** Limits the time, because autocannon reconnects endlessly if a server closes its connections. */
const MOST_SECONDS = 60;
const MOST_OF_BODY = 500;

process.on('disconnect', () => process.exit());
process.on('message', async (job) => process.send(await send(job)));
process.send('ready');

async function send({ port, calls, amount, connections, status }) {
  let fault = null;
  let connection = 0;
  let [from, to] = [Number.POSITIVE_INFINITY, 0];
  const setupClient = (client) => {
    const own = calls.filter((_, index) => index % connections === connection % Math.min(connections, calls.length));
    connection += 1;
    client.setRequests(own.map((call) => ({ ...call })));
    let body = '';
    client.on('body', (part) => {
      body = fault === null ? String(part) : '';
    });
    client.on('response', (code) => {
      to = performance.now();
      // the parser emits the head with the body
      const text = () => body.slice(body.indexOf('\r\n\r\n') + 1).trim();
      if (code !== status) fault ??= `${code} ${text().slice(0, MOST_OF_BODY)}`;
      body = '';
    });
    from = Math.min(from, performance.now());
  };
  const url = `http://127.0.0.1:${port}`;
  // on a busy machine, a server may wait for its core longer than autocannon's default of ten seconds; autocannon checks
  // for the end of the run at the interval, in milliseconds
  const sending = autocannon({ url, connections, amount, setupClient, timeout: MOST_SECONDS, sampleInt: 10 });
  const giveUp = setTimeout(() => sending.stop(), MOST_SECONDS * 1000);
  const { errors, statusCodeStats } = await sending;
  clearTimeout(giveUp);
  const answered = Object.values(statusCodeStats).reduce((sum, { count }) => sum + count, 0);
  if (errors > 0) fault ??= `${errors} connections failed`;
  if (answered !== amount) fault ??= `${answered} of ${amount} requests got a response`;
  return { milliseconds: to - from, fault };
}
