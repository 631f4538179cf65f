import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { newLatch } from './latch.ts';
import { close, listen } from './listen.ts';
import { seeDelivery } from './watch.ts';

/** A request that reached the receiver. */
export interface Received {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as UTF-8. */
  readonly body: string;
}

/** A status, a whole response, or a closed connection. */
export type Answer =
  | number
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang up';

/** Returns the response to a request. If it returns a promise, the receiver awaits it. */
export type AnswerRule = (received: Received) => Answer | Promise<Answer>;

/** A local server that records requests and responds by a rule. */
export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Starts a receiver on a free port. By default it returns 204. */
export async function startReceiver(rule: AnswerRule = () => 204) {
  const received: Received[] = [];
  const arrivals = new EventEmitter();
  let answerOf = rule;
  let underWay = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    mostAtOnce = Math.max(mostAtOnce, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const { method = '', url: path = '', headers } = request;
    const arrived: Received = { method, path, headers, body: await text(request) };
    received.push(arrived);
    arrivals.emit('arrival');
    const answer = await answerOf(arrived);
    if (answer === 204) seeDelivery(headers, arrived.body);
    send(response, answer);
  });
  return {
    /** Has no slash at the end. The server accepts every path. */
    url: await listen(server),
    /** All requests in order of arrival, including those without a response yet. */
    received: received as readonly Received[],
    /** The highest number of simultaneous requests. */
    get mostAtOnce() {
      return mostAtOnce;
    },
    /** Sets the rule for later requests. */
    answerWith: (next: AnswerRule) => {
      answerOf = next;
    },
    /** The requests to a path. */
    at: (path: string) => received.filter((one) => one.path === path),
    /** Resolves after `count` requests in all. */
    arrived: async (count: number) => {
      while (received.length < count) await once(arrivals, 'arrival');
    },
    /** Closes all connections, including those without a response yet. */
    close: () => close(server),
  };
}

/** A response that the receiver holds back until a test releases it. */
export function heldAnswer(): { readonly answer: Promise<Answer>; give(answer: Answer): void } {
  const { promise: answer, open: give } = newLatch<Answer>();
  return { answer, give };
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === 'hang up') return void response.destroy();
  const { status, headers = {}, body } = typeof answer === 'number' ? { status: answer } : answer;
  response.writeHead(status, headers).end(body);
}
