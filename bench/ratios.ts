import { readFileSync, writeFileSync } from 'node:fs';
import type { Engine } from '../server/store/engine/open.ts';
import type { Options, Outcome } from './options.ts';
import { type Compared, measure, type Plan, ratioTo, rideRequests } from './requests/measure.ts';
import { MEASURED, type MeasuredId, PEERS } from './requests/operations.ts';
import { CONNECTIONS, openStage } from './requests/stage.ts';
import { medianOf } from './spread.ts';
import { conditions, tableOf } from './table.ts';

/**
 * Express is small and spends its time in system calls; Prism is large and spends it in its own code. Another machine
 * can be slow at one of these and not at the other, so an operation is slower only if it is slower than both show.
 */
const REFERENCES = ['express', 'prism'] as const;

/** CPU time of each reference for an eta request, divided by ours. */
export type Ratio = Readonly<Record<(typeof REFERENCES)[number], number>>;
type Ratios = Readonly<Partial<Record<MeasuredId, Ratio>>>;

const RECORDED_FILE = 'bench/recorded.json';
/** The least share of a recorded ratio. Less means that an operation has become slower, and not that the machine is busy. */
const BOUND = 0.7;
const PLAN: Plan = { rounds: 3, seconds: 0.15, least: 8, once: CONNECTIONS * 8, onceToCompile: CONNECTIONS * 10 };
const QUICK: Plan = { rounds: 1, seconds: 0.02, least: 1, once: CONNECTIONS, onceToCompile: CONNECTIONS };
const SIZE = { applications: 50, passengers: 500, riding: 20, history: 60 };
/** The references take a turn before this many operations, which takes about a second. */
const GROUP = 4;
/** Without `refresh`, which runs nearly the same code as `token`. */
const COMPARED = (Object.keys(MEASURED) as MeasuredId[]).filter((id) => id !== 'refresh');
/** Even on a quiet machine, the ratios of two runs can differ by a fifth. */
const RUNS_TO_RECORD = 5;
const RUNS_TO_BE_SURE = 3;

/**
 * Compares what each operation costs with the references, by CPU time in one run, and with the recorded ratios. If an
 * operation is below its bound, the median of three runs decides, because a busy machine can spoil one run.
 */
export async function benchRatios(options: Options): Promise<Outcome> {
  const { engine, quick, record } = options;
  const line = conditions(options);
  const recorded: Partial<Record<Engine, Ratios>> = JSON.parse(readFileSync(RECORDED_FILE, 'utf8'));
  const known = recorded[engine] ?? {};
  const first = await ratiosOf(options);
  const isFast = COMPARED.every((id) => isWithinBound(first[id]!, known[id]));
  const runs = [first];
  const planned = record ? RUNS_TO_RECORD : isFast || quick ? 1 : RUNS_TO_BE_SURE;
  while (runs.length < planned) runs.push(await ratiosOf(options));
  const medianRatio = (id: MeasuredId) => ratioFor((reference) => medianOf(runs.map((run) => run[id]![reference])));
  const now = new Map(COMPARED.map((id) => [id, medianRatio(id)]));
  if (record) {
    const text = JSON.stringify({ ...recorded, [engine]: Object.fromEntries(now) }, null, 2);
    writeFileSync(RECORDED_FILE, `${text}\n`);
  }
  const isMet = record || [...now].every(([id, ratio]) => isWithinBound(ratio, known[id]));
  const verdict = isMet
    ? `each has a ratio of at least ${BOUND} of the recorded one`
    : `BOTH RATIOS BELOW ${BOUND} of the recorded ones. If that is meant to be: npm run bench -- ratios --record`;
  const rows = [...now].map(([id, ratio]) => [
    MEASURED[id].name,
    ...REFERENCES.flatMap((reference) => [ratio[reference].toFixed(3), known[id]?.[reference].toFixed(3) ?? '']),
    isWithinBound(ratio, known[id]) ? '' : 'SLOWER',
  ]);
  const heads = REFERENCES.flatMap((reference) => [PEERS[reference], 'recorded']);
  const what = `${line}; CPU time of another server for GET eta ÷ that of this server`;
  return { table: [what, tableOf(['operation', ...heads, ''], rows), verdict].join('\n\n'), isMet };
}

async function ratiosOf({ engine, quick, tell }: Options): Promise<Ratios> {
  const plan = quick ? QUICK : PLAN;
  const size = quick ? { ...SIZE, passengers: 50, history: 2 } : SIZE;
  const stage = await openStage(engine, { ...size, fresh: rideRequests(plan) }, tell);
  try {
    const compared = await measure({ stage, plan, peers: REFERENCES, operations: COMPARED, group: GROUP, tell });
    const rounded = (take: Compared) => ratioFor((reference) => Number(ratioTo(take, reference).toFixed(3)));
    return Object.fromEntries(compared.map((take) => [take.operation, rounded(take)]));
  } finally {
    await stage.close();
  }
}

function ratioFor(figureOf: (reference: keyof Ratio) => number): Ratio {
  return { express: figureOf('express'), prism: figureOf('prism') };
}

export function isWithinBound(now: Ratio, recorded: Ratio | undefined): boolean {
  return recorded === undefined || REFERENCES.some((reference) => now[reference] >= BOUND * recorded[reference]);
}
