import { randomBytes } from 'node:crypto';
import { SCOPES } from '../generated/server.ts';
import { HOUR_MS } from '../server/domain/time.ts';
import { sandboxThatBegins } from '../server/domain/worlds/sandbox.ts';
import { hashOf, newToken } from '../server/oauth/secrets.ts';
import { openStore } from '../server/store/engine/open.ts';
import { insertAccessToken } from '../server/store/tokens.ts';
import { insertWorldIfAbsent } from '../server/store/worlds.ts';
import { seconds } from './clock.ts';
import type { Options, Outcome } from './options.ts';
import { cpuOf } from './requests/cores.ts';
import { type Call, MEASURED, type MeasuredId } from './requests/operations.ts';
import { CONNECTIONS, openStage, type Stage } from './requests/stage.ts';
import { inWords, medianOf, spreadOf } from './spread.ts';
import { conditions, tableOf } from './table.ts';

/** The highest allowed share of the log in the CPU time of a request. */
const AIM = 0.05;
/** Two servers share the time, so as many applications send as often as 50 do to a server that has all of it. */
const CONTENT = { applications: 25, passengers: 500, riding: 20, history: 2, fresh: 0 };
/** The servers take turns many times in a round, because the speed of a machine can change within a second. */
const FULL = { rounds: 21, turns: 20, amount: CONNECTIONS * 10, toCompile: CONNECTIONS * 400 };
const QUICK: typeof FULL = { rounds: 1, turns: 1, amount: CONNECTIONS, toCompile: CONNECTIONS };
/** After this time, the server has stored the requests of a round. */
const WRITING_SECONDS = 1.2;
const written = (quick: boolean) => seconds(quick ? 0 : WRITING_SECONDS);
const SIDES = ['off', 'on'] as const;
const HEADS = ['CPU ms per request', 'log off', 'log on', 'share of the log'];

/** Compares the CPU time of requests with and without the log that developers see, on two servers that take turns. */
export async function benchRequestLog({ engine, quick, tell }: Options): Promise<Outcome> {
  const line = conditions({ engine, quick });
  const plan = quick ? QUICK : FULL;
  const stages: Stage[] = [];
  try {
    for (const _ of SIDES) stages.push(await openStage(engine, CONTENT, tell));
    const calls = await Promise.all(stages.map(callsOn));
    const servers = await Promise.all(
      stages.map((stage, i) => stage.startOwn(undefined, undefined, { REQUEST_LOG: SIDES[i] })),
    );
    const rows: string[][] = [];
    const shares: number[] = [];
    for (const name of Object.keys(calls[0]!) as (keyof (typeof calls)[0])[]) {
      tell(name);
      const send = (side: number, amount: number) =>
        stages[side]!.send(servers[side]!, OPERATION, { calls: calls[side]![name], amount });
      for (const side of [0, 1]) await send(side, plan.toCompile);
      const costs: [number, number][] = [];
      for (let round = 0; round < plan.rounds; round++) {
        await written(quick);
        const before = servers.map(({ pid }) => cpuOf(pid));
        for (let turn = 0; turn < plan.turns; turn++)
          for (const side of turn % 2 === 0 ? [0, 1] : [1, 0]) await send(side, plan.amount);
        await written(quick);
        const [off, on] = servers.map(
          ({ pid }, side) => (cpuOf(pid) - before[side]!) / plan.amount / plan.turns / 1000,
        );
        costs.push([off!, on!]);
      }
      const share = spreadOf(costs.map(([off, on]) => 1 - off / on));
      const medians = [0, 1].map((side) => medianOf(costs.map((cost) => cost[side]!)).toFixed(3));
      rows.push([name, ...medians, inWords(share)]);
      shares.push(share.median);
    }
    for (const server of servers) server.assertNoError();
    const isMet = shares.every((share) => share <= AIM);
    const verdict = `share of the log: aim of at most ${AIM} ${isMet ? 'met' : 'NOT MET'}`;
    return { table: [line, tableOf(HEADS, rows), verdict].join('\n\n'), isMet };
  } finally {
    for (const stage of stages) await stage.close();
  }
}

/** All calls expect its status. */
const OPERATION: MeasuredId = 'cost';

/** Calls in the live world, and calls in a sandbox of each application, whose bodies the log keeps. */
async function callsOn({ filled, databaseUrl, filledAt }: Stage): Promise<Record<'live' | 'sandbox', readonly Call[]>> {
  const store = await openStore(databaseUrl);
  const live = MEASURED[OPERATION].calls(filled);
  const sandbox: Call[] = [];
  for (const { id } of filled.clients) {
    const token = newToken(randomBytes);
    const world = sandboxThatBegins({ id: `world-${id}`, applicationId: id, seed: 'bench' }, filledAt);
    await insertWorldIfAbsent(store.db, world, filledAt);
    const whose = { applicationId: id, passengerId: null, worldId: world.id, scopes: SCOPES.clientToken };
    const times = { issuedAt: filledAt, expiresAt: filledAt + HOUR_MS, revokedAt: null };
    await insertAccessToken(store.db, {
      ...whose,
      ...times,
      tokenHash: hashOf(token),
      refreshTokenHash: null,
      codeHash: null,
    });
    sandbox.push({ ...live[0]!, headers: { authorization: `Bearer ${token}` } });
  }
  await store.close();
  return { live, sandbox };
}
