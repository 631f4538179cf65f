import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from '../../server/store/open.ts';
import { instant } from './clock.ts';
import { flameGraph } from './profile/flame.ts';
import { type Sample, samplesIn } from './profile/samples.ts';
import { STAGES, type Stage, stageOf } from './profile/stages.ts';
import { isOnce, MEASURED, type MeasuredId } from './requests/operations.ts';
import type { OwnServer } from './requests/servers.ts';
import { CONNECTIONS, openRequestStage, type RequestStage } from './requests/stage.ts';
import { SMALL, TO_COMPILE } from './requests.ts';
import type { Options } from './webhooks.ts';

export interface ProfileFigures {
  readonly engine: Engine;
  readonly quick: boolean;
  readonly operation: MeasuredId;
  readonly requests: number;
  /** Microseconds per request. The profiler slows everything down, so only the shares are meaningful. */
  readonly perRequest: number;
  readonly shares: Readonly<Record<Stage, number>>;
  /** The files with the complete profile and its flame graph. */
  readonly profile: string;
  readonly flame: string;
}

const FOLDER = 'dist/profiles';
const SAMPLE_EVERY_US = '200';
const [FULL_MS, QUICK_MS] = [8000, 100];

/** Profiles an operation by the stages of a request. Writes the profile and its flame graph. */
export async function benchProfile(options: Options & { readonly operation: MeasuredId }): Promise<ProfileFigures> {
  const { engine, quick, operation, tell } = options;
  const { name } = MEASURED[operation];
  const toCompile = quick ? CONNECTIONS : 4 * TO_COMPILE;
  const mostOnce = CONNECTIONS * (quick ? 2 : 60);
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-profile-'));
  tell(`${engine}: filling a database`);
  const stage = await openRequestStage(engine, { ...SMALL, fresh: toCompile + mostOnce });
  try {
    const calls = MEASURED[operation].calls(stage.filled);
    const [first, rest] = isOnce(operation) ? [calls.slice(0, toCompile), calls.slice(toCompile)] : [calls, calls];
    const span = await profiled(stage, folder, async (own) => {
      const rate = await stage.send(own, operation, first, toCompile).then((sent) => sent.requests / sent.milliseconds);
      const inTime = CONNECTIONS * Math.ceil((rate * (quick ? QUICK_MS : FULL_MS)) / CONNECTIONS);
      const requests = isOnce(operation) ? Math.min(inTime, mostOnce) : inTime;
      tell(`${name}: ${requests} requests`);
      const from = instant();
      await stage.send(own, operation, rest.slice(0, isOnce(operation) ? requests : undefined), requests);
      return { requests, from, to: instant() };
    });
    const written = join(folder, readdirSync(folder)[0]!);
    const samples = samplesIn(JSON.parse(readFileSync(written, 'utf8')), span.from * 1000, span.to * 1000);
    const files = filesOf(operation, engine);
    mkdirSync(FOLDER, { recursive: true });
    copyFileSync(written, files.profile);
    writeFileSync(files.flame, flameGraph(samples, `${name} on ${engine}: where the CPU time goes`));
    const { requests } = span;
    return { engine, quick, operation, requests, ...partsOf(samples, requests), ...files };
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true });
  }
}

/** Runs our server with the profiler, which writes the profile when the server exits. */
async function profiled<T>(stage: RequestStage, folder: string, work: (own: OwnServer) => Promise<T>): Promise<T> {
  const own = await stage.startOwn([
    '--cpu-prof',
    `--cpu-prof-dir=${folder}`,
    `--cpu-prof-interval=${SAMPLE_EVERY_US}`,
  ]);
  try {
    return await work(own);
  } finally {
    await own.end();
    own.assertNoError();
  }
}

export function profileTable({
  engine,
  quick,
  operation,
  requests,
  perRequest,
  shares,
  ...files
}: ProfileFigures): string {
  return [
    `${MEASURED[operation].name}, ${engine}${quick ? ', quick: these figures mean nothing' : ''}; ${requests} requests, ${perRequest.toFixed(0)} µs each with the profiler`,
    '',
    '| stage | share |',
    '| --- | ---: |',
    ...STAGES.map((stage) => `| ${stage} | ${(100 * shares[stage]).toFixed(1)} % |`),
    '',
    `profile: ${files.profile}, flame graph: ${files.flame}`,
  ].join('\n');
}

function partsOf(samples: readonly Sample[], requests: number): Pick<ProfileFigures, 'perRequest' | 'shares'> {
  const times = new Map<Stage, number>(STAGES.map((stage) => [stage, 0]));
  for (const { stack, time } of samples) times.set(stageOf(stack), times.get(stageOf(stack))! + time);
  const all = samples.reduce((sum, { time }) => sum + time, 0);
  const shares = Object.fromEntries([...times].map(([stage, time]) => [stage, time / all])) as Record<Stage, number>;
  return { perRequest: all / requests, shares };
}

function filesOf(operation: MeasuredId, engine: Engine) {
  const path = join(FOLDER, `${operation}-${engine}`);
  return { profile: `${path}.cpuprofile`, flame: `${path}.svg` };
}
