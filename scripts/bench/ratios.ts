import { readFileSync, writeFileSync } from 'node:fs';
import type { Engine } from '../../server/store/open.ts';
import { medianOf } from './median.ts';
import { MEASURED, type MeasuredId } from './requests/operations.ts';
import { CONNECTIONS } from './requests/stage.ts';
import { measure, type Plan, ratioIn, SMALL } from './requests.ts';
import type { Options } from './webhooks.ts';

/** What an operation costs compared with the Prism mock, now and when it was recorded. */
export interface Compared {
  readonly operation: MeasuredId;
  /** CPU time of the Prism mock for an eta request, divided by ours. */
  readonly ratio: number;
  /** Null: nothing was recorded yet. */
  readonly recorded: number | null;
  readonly isWithinBound: boolean;
}

export interface RatioFigures {
  readonly engine: Engine;
  readonly quick: boolean;
  readonly compared: readonly Compared[];
  readonly isWithinBound: boolean;
}

type Ratios = Readonly<Partial<Record<MeasuredId, number>>>;
type Recorded = Readonly<Partial<Record<Engine, Ratios>>>;

/**
 * A large program, like this server, so a slow machine slows both down equally. On one machine, both took twice as long
 * as on another, while stock Express took only a quarter longer.
 */
const REFERENCE = 'prism';
const RECORDED_FILE = 'scripts/bench/recorded.json';
/** The least share of the recorded ratio. Less means that an operation has become slower, and not that the machine is busy. */
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
 * Compares what each operation costs with the Prism mock, by CPU time in one run, and with the recorded ratios. If an
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
  const medians = COMPARED.map((operation) => ({ operation, ratio: medianOf(runs.map((run) => run[operation]!)) }));
  if (record) keep(engine, medians);
  const compared = medians.map((now) => comparedWith(recorded[now.operation] ?? null, now));
  return { engine, quick, compared, isWithinBound: record || compared.every((one) => one.isWithinBound) };
}

export function ratiosTable({ engine, quick, compared, isWithinBound }: RatioFigures): string {
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; CPU time of the Prism mock for GET eta ÷ that of this server`,
    '',
    '| operation | ratio | recorded | |',
    '| --- | ---: | ---: | --- |',
    ...compared.map(
      ({ operation, ratio, recorded, ...one }) =>
        `| ${MEASURED[operation].name} | ${ratio.toFixed(3)} | ${recorded?.toFixed(3) ?? ''} | ${one.isWithinBound ? '' : 'SLOWER'} |`,
    ),
    '',
    isWithinBound
      ? `each is at least ${BOUND} of the recorded ratio`
      : `BELOW ${BOUND} of the recorded ratio. If that is meant to be: npm run bench -- ratios --record`,
  ].join('\n');
}

async function ratiosOf({ engine, quick, tell }: Options): Promise<Ratios> {
  const plan = quick ? QUICK : PLAN;
  const { takes } = await measure({
    engine,
    tell,
    plan,
    peers: [REFERENCE],
    operations: COMPARED,
    bare: false,
    isPaired: true,
  });
  return Object.fromEntries(
    COMPARED.map((operation) => [operation, ratioIn(takes, { operation, against: REFERENCE })!.byCpu]),
  );
}

export function comparedWith(recorded: number | null, now: Pick<Compared, 'operation' | 'ratio'>): Compared {
  return { ...now, recorded, isWithinBound: recorded === null || now.ratio >= BOUND * recorded };
}

function readRecorded(): Recorded {
  return JSON.parse(readFileSync(RECORDED_FILE, 'utf8'));
}

function keep(engine: Engine, compared: readonly Pick<Compared, 'operation' | 'ratio'>[]): void {
  const ratios = Object.fromEntries(compared.map(({ operation, ratio }) => [operation, Number(ratio.toFixed(3))]));
  writeFileSync(RECORDED_FILE, `${JSON.stringify({ ...readRecorded(), [engine]: ratios }, null, 2)}\n`);
}
