import { instant } from './clock.ts';
import type { Options, Outcome } from './options.ts';
import { ridesIn } from './requests/filled.ts';
import { cpuPerRequest, timePerRequest } from './requests/load.ts';
import { type Compared, measure, OWN, type Plan, ratioTo, rideRequests, type Take } from './requests/measure.ts';
import { AIMS, BARE, BARE_NAME, MEASURED, type MeasuredId, PEERS, type PeerId } from './requests/operations.ts';
import { CONNECTIONS, openStage } from './requests/stage.ts';
import { spreadOf } from './spread.ts';
import { conditions, tableOf } from './table.ts';

// few enough ride requests to leave enough cars
const FULL: Plan = { rounds: 5, seconds: 1.2, least: 10, once: CONNECTIONS * 10, onceToCompile: CONNECTIONS * 40 };
const QUICK: Plan = { rounds: 1, seconds: 0.05, least: 1, once: CONNECTIONS, onceToCompile: CONNECTIONS };
const SIZE = { applications: 50, passengers: 1000, riding: 50, history: 120 };
const QUICK_SIZE = { ...SIZE, passengers: 50, riding: 5, history: 2 };

/** Compares the requests of this server with other servers, with one core for the servers and one for the load. */
export async function benchRequests({ engine, quick, tell }: Options): Promise<Outcome> {
  const from = instant();
  const [plan, size] = quick ? [QUICK, QUICK_SIZE] : [FULL, SIZE];
  const line = conditions({ engine, quick });
  const stage = await openStage(engine, { ...size, fresh: rideRequests(plan) }, tell);
  try {
    const peers = Object.keys(PEERS) as PeerId[];
    const operations = Object.keys(MEASURED) as MeasuredId[];
    const group = operations.length;
    const compared = await measure({ stage, plan, peers, operations, group, withBare: true, tell });
    const rounds = `${plan.rounds} rounds in ${((instant() - from) / 60_000).toFixed(1)} minutes`;
    const content = `${size.passengers} tokens of ${size.applications} applications, ${ridesIn(size)} rides`;
    return { table: [`${line}, ${rounds}; ${content}`, ...tablesOf(compared)].join('\n\n'), isMet: true };
  } finally {
    await stage.close();
  }
}

/** A row for each server and operation, and the aims. */
export function tablesOf(compared: readonly Compared[]): [figures: string, aims: string] {
  const bare = compared.flatMap(({ others }) => others.filter(({ server }) => server === BARE));
  const takes: readonly Take[] = [...peersOf(compared), ...compared, ...bare];
  const express = takes.find(({ server }) => server === 'express');
  const rows = takes.map((take) => {
    const cpu = spreadOf(take.spans.map(cpuPerRequest));
    const times = express ? spreadOf(express.spans.map(cpuPerRequest)).median / cpu.median : Number.NaN;
    const rate = take.spans.map((span) => 1000 / timePerRequest(span));
    return [nameOf(take), words(spreadOf(rate)), words(cpu), take.server === BARE ? '' : times.toFixed(2)];
  });
  const aims = AIMS.flatMap(({ operation, against, ratio: aim, by }) => {
    const take = compared.find((one) => one.operation === operation);
    const ratio = take ? ratioTo(take, against, by === 'cpu' ? cpuPerRequest : timePerRequest) : null;
    if (ratio === null) return [];
    const other = against === BARE ? BARE_NAME : PEERS[against];
    const verdict = ratio >= aim ? 'met' : 'not met';
    const figure = `${ratio.toFixed(2)} by ${by === 'cpu' ? 'CPU' : 'rate'}`;
    return [[MEASURED[operation].name, other, aim.toFixed(1), figure, verdict]];
  });
  return [
    tableOf(['', 'requests/s', 'CPU µs per request', 'CPU of stock Express ÷ CPU of this row'], rows),
    tableOf(['operation', 'compared with', 'aim', 'ratio', ''], aims),
  ];
}

/** The peers that took turns with the first of our operations. */
function peersOf([first]: readonly Compared[]): readonly Take[] {
  return first!.others.filter(({ server }) => server !== BARE);
}

function nameOf({ server, operation }: Take): string {
  if (server === OWN) return MEASURED[operation].name;
  return server === BARE ? `${MEASURED[operation].name}: ${BARE_NAME}` : PEERS[server];
}

function words({ median, lowest, highest }: ReturnType<typeof spreadOf>): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en-US');
  return `${whole(median)} (${whole(lowest)}–${whole(highest)})`;
}
