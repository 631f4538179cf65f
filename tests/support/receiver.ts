import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { newLatch } from './latch.ts';
import { close, listen } from './listen.ts';
import { seeDelivery } from './watch.ts';

/** A request that reached the receiver. */
export interface Received {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The bytes as UTF-8. */
  readonly body: string;
}

/** A status; a whole answer; or a connection that is closed instead. */
export type Answer =
  | number
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | 'hang up';

/** What a request is answered with; a promise holds the answer back until it is fulfilled. */
export type AnswerRule = (received: Received) => Answer | Promise<Answer>;

/** A local server that answers as told, and keeps what it got. */
export interface Receiver {
  /** Without a slash at the end; every path is received. */
  readonly url: string;
  /** In order of arrival, those that are not answered yet too. */
  readonly received: readonly Received[];
  /** The most that were under way at once. */
  readonly mostAtOnce: number;
  /** How it answers from now on. */
  answerWith(rule: AnswerRule): void;
  /** What arrived at a path. */
  at(path: string): Received[];
  /** Resolves once so many have arrived in all. */
  arrived(count: number): Promise<void>;
  /** Closes its connections also, and with them what still waits for its answer. */
  close(): Promise<void>;
}

/** Starts a receiver on a free port. It answers 204 unless told otherwise. */
export async function startReceiver(rule: AnswerRule = () => 204): Promise<Receiver> {
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
    url: await listen(server),
    received,
    get mostAtOnce() {
      return mostAtOnce;
    },
    answerWith: (next) => {
      answerOf = next;
    },
    at: (path) => received.filter((one) => one.path === path),
    arrived: async (count) => {
      while (received.length < count) await once(arrivals, 'arrival');
    },
    close: () => close(server),
  };
}

/** An answer that is held back until it is given. */
export function heldAnswer(): { readonly answer: Promise<Answer>; give(answer: Answer): void } {
  const { promise: answer, open: give } = newLatch<Answer>();
  return { answer, give };
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === 'hang up') return void response.destroy();
  const { status, headers = {}, body } = typeof answer === 'number' ? { status: answer } : answer;
  response.writeHead(status, headers).end(body);
}
