import type { Logger } from 'pino';
import { SECOND_MS } from '../domain/time.ts';

/**
 * How long Redis may take for an answer. A request counts three times at most, such as for a token in a sandbox, and must not
 * take a second longer.
 */
export const LONGEST_REDIS_ANSWER_MS = 300;
/** How long it may take to connect. No request waits for that. */
export const LONGEST_REDIS_CONNECT_MS = 2 * SECOND_MS;
/** How long a server waits before it tries again to reach a Redis that is away. */
const TRY_AGAIN_AFTER_MS = SECOND_MS;

/** A Lua script, which Redis runs as one step. */
export interface Script {
  readonly text: string;
  /** By which Redis knows a script that it has run before: SHA-1 of the text. */
  readonly sha1: string;
}

/** A connection to Redis that is made anew whenever it is lost. */
export interface Redis {
  readonly isAway: () => boolean;
  /** Runs a script. Null if Redis is away, or has not answered in time. Never rejects. */
  readonly run: (script: Script, keys: readonly string[], args: readonly string[]) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

/** Writes as the counts do: a Redis that is full, or a replica, answers a ping all the same. */
const PROBE = "return redis.call('set', KEYS[1], '1', 'px', ARGV[1])";
const PROBE_KEY = 'ridehail:probe';

/**
 * Connects to Redis. Resolves also if Redis does not answer: then it is away, and further tries follow. Logs when it goes away,
 * and when it is back.
 * @param answerMs see LONGEST_REDIS_ANSWER_MS
 */
export async function connectRedis(url: string, logger: Logger, answerMs = LONGEST_REDIS_ANSWER_MS): Promise<Redis> {
  const { createClient } = await import('@redis/client');
  const newClient = () =>
    createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      // a new client takes the place of a lost one, so that nothing that waited is sent late
      socket: { connectTimeout: LONGEST_REDIS_CONNECT_MS, reconnectStrategy: false },
    });
  type Client = ReturnType<typeof newClient>;

  let client: Client | null = null;
  let isClosed = false;
  let nextTry: NodeJS.Timeout | undefined;

  const tryLater = () => {
    if (isClosed) return;
    nextTry = setTimeout(() => void connect().then(tellBack, tryLater), TRY_AGAIN_AFTER_MS).unref();
  };
  const tellAway = (error: unknown) => {
    logger.warn({ err: error }, 'Redis is away: this server counts alone');
    tryLater();
  };
  const tellBack = () => {
    if (!isClosed) logger.info('Redis is back: servers count together');
  };
  const lose = (lost: Client, error: unknown) => {
    if (lost !== client) return;
    client = null;
    // what waits for an answer is rejected, and counts here
    lost.destroy();
    if (!isClosed) tellAway(error);
  };
  const connect = async () => {
    const next = newClient();
    next.on('error', (error: unknown) => lose(next, error));
    try {
      await within(LONGEST_REDIS_CONNECT_MS, next.connect());
      const probe = { keys: [PROBE_KEY], arguments: [String(SECOND_MS)] };
      await within(answerMs, next.eval(PROBE, probe));
    } catch (error) {
      next.destroy();
      throw error;
    }
    if (isClosed) next.destroy();
    else client = next;
  };
  const run: Redis['run'] = async (script, keys, args) => {
    const asked = client;
    if (asked === null) return null;
    try {
      const answer = evaluate(asked, script, { keys: [...keys], arguments: [...args] });
      return await within(answerMs, answer);
    } catch (error) {
      lose(asked, error);
      return null;
    }
  };
  const evaluate = async (asked: Client, { text, sha1 }: Script, options: Parameters<Client['evalSha']>[1]) => {
    try {
      return await asked.evalSha(sha1, options);
    } catch (error) {
      // a Redis that was restarted has forgotten its scripts
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return asked.eval(text, options);
      throw error;
    }
  };
  const close = async () => {
    isClosed = true;
    clearTimeout(nextTry);
    const last = client;
    client = null;
    try {
      // what is on its way gets there
      if (last !== null) await within(answerMs, last.close());
    } catch {
      last?.destroy();
    }
  };

  await connect().catch(tellAway);
  return { isAway: () => client === null, run, close };
}

/**
 * Rejects if an answer takes longer. It waits in two parts: a process that was busy for the first one asks and reads in the second
 * one. What has arrived by then is read before it rejects.
 */
function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => setImmediate(() => reject(new Error('Redis does not answer')));
    let timer = setTimeout(() => {
      timer = setTimeout(tooLate, ms / 2);
    }, ms / 2);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
