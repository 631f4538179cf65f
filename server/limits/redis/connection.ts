import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import { SECOND_MS } from '../../domain/time.ts';

/**
 * Response of Redis. A request counts at most three times, for example when it creates a sandbox token. All three
 * counts must delay it by less than a second.
 * @beyond Redis counts as unavailable: each server counts separately until it returns
 */
export const LONGEST_REDIS_ANSWER_MS = 300;
/**
 * Connecting to Redis. No request waits for it.
 * @beyond the server starts or continues without it, and retries every second
 */
export const LONGEST_REDIS_CONNECT_MS = 2 * SECOND_MS;
/** How long a server waits before it reconnects to an unavailable Redis. */
const TRY_AGAIN_AFTER_MS = SECOND_MS;

type Script = ReturnType<typeof scriptOf>;

export type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** Writes, like the counts do: a full Redis, or a replica, still responds to a ping. */
const PROBE = "return redis.call('set', KEYS[1], '1', 'px', ARGV[1])";
const PROBE_KEY = 'ridehail:probe';

/**
 * A connection to Redis that reconnects whenever it is lost. Never rejects: while Redis does not respond, the server
 * reconnects, and counts as without it. Logs both changes.
 */
export async function connectRedis(url: string, logger: Logger, answerMs = LONGEST_REDIS_ANSWER_MS) {
  const { createClient } = await import('@redis/client');
  const newClient = () =>
    createClient({
      url,
      RESP: 2,
      disableOfflineQueue: true,
      // a new client replaces a lost one, so that no waiting command is sent late
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
    logger.warn({ err: error }, 'Redis is unavailable: this server counts separately');
    tryLater();
  };
  const tellBack = () => {
    if (!isClosed) logger.info('Redis is back: servers share their counts');
  };
  const lose = (lost: Client, error: unknown) => {
    if (lost !== client) return;
    client = null;
    // rejects pending commands, which then count locally
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
  /** Runs a script. Null if Redis is unavailable or does not respond in time. Never rejects. */
  const run = async (script: Script, keys: readonly string[], args: readonly string[]): Promise<unknown> => {
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
      // after a restart, Redis has forgotten its scripts
      if (error instanceof Error && error.message.startsWith('NOSCRIPT')) return asked.eval(text, options);
      throw error;
    }
  };
  const close = async (): Promise<void> => {
    isClosed = true;
    clearTimeout(nextTry);
    const last = client;
    client = null;
    try {
      // lets commands in progress finish
      if (last !== null) await within(answerMs, last.close());
    } catch {
      last?.destroy();
    }
  };

  await connect().catch(tellAway);
  return { isAway: () => client === null, run, close };
}

/**
 * Rejects if a response takes too long. The timeout has two halves: if the process was busy during the first, it still
 * sends and reads in the second. A response that has arrived by then is read before the timeout rejects.
 */
function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const tooLate = () => setImmediate(() => reject(new Error('Redis does not respond')));
    let timer = setTimeout(() => {
      timer = setTimeout(tooLate, ms / 2);
    }, ms / 2);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** A Lua script. Redis runs it atomically, and recognizes one that it has run before by the SHA-1 of the text. */
export function scriptOf(text: string) {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}
