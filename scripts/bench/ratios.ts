import { readFileSync, writeFileSync } from 'node:fs';
import type { Engine } from '../../server/store/open.ts';
import { medianOf } from './median.ts';
import { MEASURED, type MeasuredId, PEERS } from './requests/operations.ts';
import { CONNECTIONS } from './requests/stage.ts';
import { measure, type Plan, ratioIn, SMALL } from './requests.ts';
import type { Options } from './webhooks.ts';

/**
 * Express is small and spends its time in system calls; Prism is large and spends it in its own code. Another machine
 * can be slow at one of these and not at the other, so an operation is slower only if it is slower than both show.
 */
const REFERENCES = ['express', 'prism'] as const;

/** CPU time of each reference for an eta request, divided by ours. */
type Ratio = Readonly<Record<(typeof REFERENCES)[number], number>>;

/** What an operation costs compared with the references, now and when it was recorded. */
export interface Compared {
  readonly operation: MeasuredId;
  readonly ratio: Ratio;
  /** Null: nothing was recorded yet. */
  readonly recorded: Ratio | null;
  readonly isWithinBound: boolean;
}

export interface RatioFigures {
  readonly engine: Engine;
  readonly quick: boolean;
  readonly compared: readonly Compared[];
  readonly isWithinBound: boolean;
}

type Ratios = Readonly<Partial<Record<MeasuredId, Ratio>>>;
type Recorded = Readonly<Partial<Record<Engine, Ratios>>>;

const RECORDED_FILE = 'scripts/bench/recorded.json';
/** The least share of a recorded ratio. Less means that an operation has become slower, and not that the machine is busy. */
const BOUND = 0.7;
const PLAN: Plan = {
  size: SMALL,
  rounds: 5,
  seconds: 0.2,
  least: 10,
  once: CONNECTIONS * 10,
  onceToCompile: CONNECTIONS * 10,
};
const QUICK: Plan = {
  ...PLAN,
  size: { ...SMALL, passengers: 50 },
  rounds: 1,
  seconds: 0.02,
  least: 1,
  once: CONNECTIONS,
  onceToCompile: CONNECTIONS,
};
/** Operations that run the same code as another one. Measuring an operation takes two seconds. */
const LEFT_OUT: readonly MeasuredId[] = ['unknown-token', 'history-end', 'refresh'];
const COMPARED = (Object.keys(MEASURED) as MeasuredId[]).filter((id) => !LEFT_OUT.includes(id));

/** Even on a quiet machine, the ratios of two runs can differ by a fifth. */
const RUNS_TO_RECORD = 5;
const RUNS_TO_BE_SURE = 3;

/**
 * Compares what each operation costs with the references, by CPU time in one run, and with the recorded ratios. If an
 * operation is below its bound, the median of three runs decides, because a busy machine can spoil one run.
 * @param record whether to record the medians of five runs instead
 */
export async function benchRatios(options: Options & { readonly record: boolean }): Promise<RatioFigures> {
  const { engine, quick, record, tell } = options;
  const first = await ratiosOf(options);
  const recorded = readRecorded()[engine] ?? {};
  const isSlow = COMPARED.some(
    (id) => !comparedWith(recorded[id] ?? null, { operation: id, ratio: first[id]! }).isWithinBound,
  );
  const runs = [first];
  const planned = quick ? 1 : record ? RUNS_TO_RECORD : isSlow ? RUNS_TO_BE_SURE : 1;
  while (runs.length < planned) {
    tell(`run ${runs.length + 1} of ${planned}`);
    runs.push(await ratiosOf(options));
  }
  const medians = COMPARED.map((operation) => ({
    operation,
    ratio: ratioOf((reference) => medianOf(runs.map((run) => run[operation]![reference]))),
  }));
  if (record) keep(engine, medians);
  const compared = medians.map((now) => comparedWith(recorded[now.operation] ?? null, now));
  return { engine, quick, compared, isWithinBound: record || compared.every((one) => one.isWithinBound) };
}

export function ratiosTable({ engine, quick, compared, isWithinBound }: RatioFigures): string {
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; CPU time of another server for GET eta ÷ that of this server`,
    '',
    `| operation | ${REFERENCES.map((reference) => `${PEERS[reference]} | recorded`).join(' | ')} | |`,
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...compared.map(
      ({ operation, ratio, recorded, ...one }) =>
        `| ${MEASURED[operation].name} | ${REFERENCES.map((reference) => `${ratio[reference].toFixed(3)} | ${recorded?.[reference].toFixed(3) ?? ''}`).join(' | ')} | ${one.isWithinBound ? '' : 'SLOWER'} |`,
    ),
    '',
    isWithinBound
      ? `each has a ratio of at least ${BOUND} of the recorded one`
      : `BOTH RATIOS BELOW ${BOUND} of the recorded ones. If that is meant to be: npm run bench -- ratios --record`,
  ].join('\n');
}

async function ratiosOf({ engine, quick, tell }: Options): Promise<Ratios> {
  const plan = quick ? QUICK : PLAN;
  const { takes } = await measure({
    engine,
    tell,
    plan,
    peers: REFERENCES,
    operations: COMPARED,
    bare: false,
    isPaired: true,
  });
  const ofOperation = (operation: MeasuredId) =>
    ratioOf((against) => Number(ratioIn(takes, { operation, against })!.byCpu.toFixed(3)));
  return Object.fromEntries(COMPARED.map((operation) => [operation, ofOperation(operation)]));
}

function ratioOf(figureOf: (reference: keyof Ratio) => number): Ratio {
  return { express: figureOf('express'), prism: figureOf('prism') };
}

export function comparedWith(recorded: Ratio | null, now: Pick<Compared, 'operation' | 'ratio'>): Compared {
  const isWithin = (reference: keyof Ratio) => recorded === null || now.ratio[reference] >= BOUND * recorded[reference];
  return { ...now, recorded, isWithinBound: REFERENCES.some(isWithin) };
}

function readRecorded(): Recorded {
  return JSON.parse(readFileSync(RECORDED_FILE, 'utf8'));
}

function keep(engine: Engine, compared: readonly Pick<Compared, 'operation' | 'ratio'>[]): void {
  const ratios = Object.fromEntries(compared.map(({ operation, ratio }) => [operation, ratio]));
  writeFileSync(RECORDED_FILE, `${JSON.stringify({ ...readRecorded(), [engine]: ratios }, null, 2)}\n`);
}
