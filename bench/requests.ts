import type { Options, Outcome } from './options.ts';
import { ridesIn } from './requests/filled.ts';
import { cpuPerRequest, timePerRequest } from './requests/load.ts';
import { type Compared, measure, OWN, type Plan, ratioTo, rideRequests } from './requests/measure.ts';
import { AIMS, MEASURED, type MeasuredId, PEERS, type PeerId } from './requests/operations.ts';
import { CONNECTIONS, openStage } from './requests/stage.ts';
import { type Spread, spreadOf } from './spread.ts';
import { conditions, tableOf } from './table.ts';

// few enough ride requests to leave enough cars
const FULL: Plan = { rounds: 5, seconds: 1.2, least: 10, once: CONNECTIONS * 10, onceToCompile: CONNECTIONS * 40 };
const QUICK: Plan = { rounds: 1, seconds: 0.05, least: 1, once: CONNECTIONS, onceToCompile: CONNECTIONS };
const SIZE = { applications: 50, passengers: 1000, riding: 50, history: 120 };
const QUICK_SIZE = { ...SIZE, passengers: 50, riding: 5, history: 2 };

/** Compares the requests of this server with other servers, with one core for the servers and one for the load. */
export async function benchRequests({ engine, quick, tell }: Options): Promise<Outcome> {
  const [plan, size] = quick ? [QUICK, QUICK_SIZE] : [FULL, SIZE];
  const line = conditions({ engine, quick });
  const stage = await openStage(engine, { ...size, fresh: rideRequests(plan) }, tell);
  try {
    const peers = Object.keys(PEERS) as PeerId[];
    const operations = Object.keys(MEASURED) as MeasuredId[];
    const compared = await measure({ stage, plan, peers, operations, group: operations.length, tell });
    const content = `${size.passengers} tokens of ${size.applications} applications, ${ridesIn(size)} rides`;
    return { table: [`${line}, ${plan.rounds} rounds; ${content}`, ...tablesOf(compared)].join('\n\n'), isMet: true };
  } finally {
    await stage.close();
  }
}

/** A row for each server and operation, and the aims. */
export function tablesOf(compared: readonly Compared[]): [figures: string, aims: string] {
  const [{ others }] = compared as [Compared];
  const medianCpu = (spans: Compared['spans']) => spreadOf(spans.map(cpuPerRequest)).median;
  const express = others.find(({ server }) => server === 'express')!;
  const rows = [...others, ...compared].map(({ server, operation, spans }) => [
    server === OWN ? MEASURED[operation].name : PEERS[server],
    words(spreadOf(spans.map((span) => 1000 / timePerRequest(span)))),
    words(spreadOf(spans.map(cpuPerRequest))),
    (medianCpu(express.spans) / medianCpu(spans)).toFixed(2),
  ]);
  const aims = AIMS.flatMap(([operation, against, aim]) => {
    const take = compared.find((one) => one.operation === operation);
    if (take === undefined) return [];
    const ratio = ratioTo(take, against);
    const figures = [aim.toFixed(1), ratio.toFixed(2), ratio >= aim ? 'met' : 'not met'];
    return [[MEASURED[operation].name, PEERS[against], ...figures]];
  });
  return [
    tableOf(['', 'requests/s', 'CPU µs per request', 'CPU of stock Express ÷ CPU of this row'], rows),
    tableOf(['operation', 'compared with', 'aim', 'ratio by CPU', ''], aims),
  ];
}

function words({ median, lowest, highest }: Spread): string {
  const whole = (value: number) => Math.round(value).toLocaleString('en-US');
  return `${whole(median)} (${whole(lowest)}–${whole(highest)})`;
}
