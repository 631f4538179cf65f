import type { Engine } from '../../server/store/open.ts';
import { instant } from './clock.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import type { Size } from './requests/filled.ts';
import type { Span } from './requests/load.ts';
import {
  AIMS,
  type Aim,
  BARE,
  type Call,
  isOnce,
  MEASURED,
  type MeasuredId,
  PEERS,
  type PeerId,
} from './requests/operations.ts';
import type { Server } from './requests/servers.ts';
import { CONNECTIONS, openRequestStage, type RequestStage } from './requests/stage.ts';
import type { Options } from './webhooks.ts';

/** The name of this project's server. */
export const OWN = 'ridehail';

/** The median, the minimum and the maximum of the rounds. */
export interface Spread {
  readonly median: number;
  readonly lowest: number;
  readonly highest: number;
}

export interface Row {
  readonly server: typeof OWN | PeerId | typeof BARE;
  readonly operation: MeasuredId;
  /** Requests per second. */
  readonly rate: Spread;
  /** Microseconds of CPU time of the server per request. */
  readonly cpu: Spread;
}

/** Our rate divided by another server's rate: the median of the rounds. */
export interface Ratio {
  readonly operation: MeasuredId;
  readonly against: Aim['against'];
  readonly byRate: number;
  readonly byCpu: number;
}

export interface Verdict extends Ratio {
  readonly aim: Pick<Aim, 'ratio' | 'by'>;
  readonly isMet: boolean;
}

export interface RequestFigures {
  readonly engine: Engine;
  readonly quick: boolean;
  readonly machine: Machine;
  /** The date of the run, such as 2026-11-23. */
  readonly date: string;
  readonly minutes: number;
  readonly size: Size;
  readonly rounds: number;
  readonly rows: readonly Row[];
  readonly verdicts: readonly Verdict[];
}

export interface Plan {
  /** The number of rounds determines `fresh`. */
  readonly size: Omit<Size, 'fresh'>;
  readonly rounds: number;
  /** The approximate CPU time of a server per round. */
  readonly seconds: number;
  /** The fewest requests per connection in a round, so opening the connection doesn't matter much. */
  readonly least: number;
  /** Ride requests in a round. Each needs another passenger. */
  readonly once: number;
  /** Ride requests before the rounds, while V8 compiles. */
  readonly onceToCompile: number;
}

const FULL: Plan = {
  size: { applications: 50, passengers: 1000, riding: 50, history: 120 },
  rounds: 5,
  seconds: 1.2,
  least: 10,
  // together, they leave enough cars
  once: CONNECTIONS * 10,
  onceToCompile: CONNECTIONS * 40,
};
/** Takes about a second to fill. */
export const SMALL: Plan['size'] = { applications: 50, passengers: 1000, riding: 20, history: 60 };
const QUICK: Plan = {
  size: { applications: 5, passengers: 50, riding: 5, history: 60 },
  rounds: 1,
  seconds: 0.05,
  least: 1,
  once: CONNECTIONS,
  onceToCompile: CONNECTIONS,
};
/** The longest duration of a round, as a multiple of its CPU time. */
const MOST_WAITING = 3;
const PEERS_TO_COMPILE = 4;
/** Requests before the measurement, while V8 compiles. */
export const TO_COMPILE = CONNECTIONS * 20;
const EVERY_PEER = Object.keys(PEERS) as PeerId[];
const EVERY_OPERATION = Object.keys(MEASURED) as MeasuredId[];

/**
 * Compares the requests of this server with other servers, with one core for the servers and one for the load. The
 * servers take turns. Throws an Error if a response has an unexpected status or breaks the contract.
 */
export async function benchRequests({ engine, quick, tell }: Options): Promise<RequestFigures> {
  const from = instant();
  const plan = quick ? QUICK : FULL;
  const machine = thisMachine();
  const { size, takes } = await measure({
    engine,
    tell,
    plan,
    peers: EVERY_PEER,
    operations: EVERY_OPERATION,
    bare: true,
  });
  const verdicts = AIMS.flatMap((aim): Verdict[] => {
    const ratio = ratioIn(takes, aim);
    if (ratio === null) return [];
    return [{ ...ratio, aim, isMet: (aim.by === 'cpu' ? ratio.byCpu : ratio.byRate) >= aim.ratio }];
  });
  return {
    engine,
    quick,
    machine,
    date: new Date().toISOString().slice(0, 10),
    minutes: (instant() - from) / 60_000,
    size,
    rounds: plan.rounds,
    rows: takes.map(rowOf),
    verdicts: verdicts.map(({ aim: { ratio, by }, ...verdict }) => ({ ...verdict, aim: { ratio, by } })),
  };
}

/** The cost of a server's requests in each round. */
export interface Take extends Pick<Row, 'server' | 'operation'> {
  readonly spans: Span[];
}

interface Measuring {
  readonly engine: Engine;
  readonly tell: Options['tell'];
  readonly plan: Plan;
  readonly peers: readonly PeerId[];
  readonly operations: readonly MeasuredId[];
  /** Whether to also run the statements of a request without a server. */
  readonly bare: boolean;
  /** Whether the peers take a turn before each operation instead of once per round. For short rounds. */
  readonly isPaired?: boolean;
}

/** A server and an operation, which take a turn in each round. */
interface Cell {
  readonly take: Take;
  readonly run: () => Promise<Span>;
}

export async function measure({ engine, tell, plan, peers, operations, bare, isPaired }: Measuring) {
  // one more passenger than requests, to record the statements
  const size: Size = { ...plan.size, fresh: plan.onceToCompile + plan.once * plan.rounds + 1 };
  tell(`${engine}: filling a database with ${size.passengers} passengers`);
  const stage = await openRequestStage(engine, size);
  const closes: (() => Promise<unknown>)[] = [stage.close];
  try {
    const without = bare && operations.some((id) => isOnce(id)) ? await stage.startBare() : null;
    if (without !== null) closes.unshift(without.close);
    const own = await stage.startOwn();
    closes.unshift(own.end);
    const started: [PeerId, Server][] = [];
    const answer = await answerOf(own, stage);
    for (const peer of peers) {
      tell(`starting ${PEERS[peer]}`);
      const server = await stage.startPeer(peer, answer);
      closes.unshift(server.end);
      started.push([peer, server]);
    }
    const repeated = operations.filter((id) => !isOnce(id));
    const cells: Cell[] = [];
    for (const [peer, server] of started) cells.push(await repeatedCell(stage, peer, server, 'eta', plan, tell));
    for (const operation of repeated) cells.push(await repeatedCell(stage, OWN, own, operation, plan, tell));
    const references = isPaired ? cells.filter(({ take }) => take.server !== OWN) : [];
    const measured = paired(cells, references);
    await inRounds(measured, plan, tell);
    const onceCells: Cell[] = [];
    for (const operation of operations.filter((id) => isOnce(id))) {
      onceCells.push(await onceCell(stage, own, operation, plan));
      if (without !== null) {
        await without.run(plan.onceToCompile);
        onceCells.push({ take: { server: BARE, operation, spans: [] }, run: () => without.run(plan.once) });
      }
    }
    const measuredOnce = paired(onceCells, references);
    await inRounds(measuredOnce, plan, tell);
    own.assertNoError();
    return { size, takes: [...measured, ...measuredOnce].map(({ take }) => take) };
  } finally {
    for (const close of closes) await close();
  }
}

/** Puts a turn of each reference before each of our cells. */
function paired(cells: readonly Cell[], references: readonly Cell[]): readonly Cell[] {
  if (references.length === 0) return cells;
  const own = cells.filter(({ take }) => take.server === OWN);
  return own.flatMap((cell) => [
    ...references.map(({ take, ...reference }) => ({
      ...reference,
      take: { server: take.server, operation: cell.take.operation, spans: [] },
    })),
    cell,
  ]);
}

async function inRounds(cells: readonly Cell[], { rounds }: Plan, tell: Options['tell']): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    for (const { take, run } of cells) take.spans.push(await run());
    const names = [...new Set(cells.map(({ take }) => MEASURED[take.operation].name))];
    tell(`round ${round} of ${rounds}: ${names.length > 2 ? `${names.length} operations` : names.join(', ')}`);
  }
}

/** Lets the server compile, and finds out how many requests it can handle in a round. */
async function repeatedCell(
  stage: RequestStage,
  name: Row['server'],
  server: Server,
  operation: MeasuredId,
  { seconds, least }: Plan,
  tell: Options['tell'],
): Promise<Cell> {
  const calls = MEASURED[operation].calls(stage.filled);
  const send = (amount: number) => stage.send(server, operation, calls, amount);
  const inTime = (span: Span) => {
    // CPU time, because the rate says little on a busy machine; and duration, because a separate database takes time
    const time = Math.max(cpuPerRequest(span) / 1000, timePerRequest(span) / MOST_WAITING);
    return CONNECTIONS * Math.max(least, Math.round((seconds * 1000) / time / CONNECTIONS));
  };
  // the operations of our server share most of their code, so each needs fewer requests
  const first = await send(name === OWN ? TO_COMPILE : PEERS_TO_COMPILE * TO_COMPILE);
  const amount = inTime(await send(inTime(first)));
  tell(`${name === OWN ? MEASURED[operation].name : PEERS[name as PeerId]}: ${amount} requests in a round`);
  return { take: { server: name, operation, spans: [] }, run: () => send(amount) };
}

async function onceCell(
  stage: RequestStage,
  server: Server,
  operation: MeasuredId,
  { once, onceToCompile }: Plan,
): Promise<Cell> {
  // the first call is used to record the statements
  const calls: readonly Call[] = MEASURED[operation].calls(stage.filled).slice(1);
  let used = 0;
  const send = (amount: number) => {
    const next = calls.slice(used, used + amount);
    used += amount;
    return stage.send(server, operation, next, next.length);
  };
  await send(onceToCompile);
  return { take: { server: OWN, operation, spans: [] }, run: () => send(once) };
}

/** Gets our server's response to an eta request, for the other servers to return. */
async function answerOf({ port }: Server, { filled }: RequestStage): Promise<object> {
  const [call] = MEASURED.eta.calls(filled);
  const response = await fetch(`http://127.0.0.1:${port}${call!.path}`, { headers: call!.headers });
  if (!response.ok) throw new Error(`${call!.path} returned ${response.status}: ${await response.text()}`);
  return (await response.json()) as object;
}

/** Compares the rounds pairwise, so a temporary slowdown of the machine affects both servers. */
export function ratioIn(
  takes: readonly Take[],
  { operation, against }: Pick<Aim, 'operation' | 'against'>,
): Ratio | null {
  const own = takes.find((take) => take.server === OWN && take.operation === operation);
  const others = takes.filter((take) => take.server === against);
  const other = others.find((take) => take.operation === operation) ?? others[0];
  if (own === undefined || other === undefined) return null;
  const ratioOf = (cost: (span: Span) => number) =>
    medianOf(own.spans.map((span, round) => cost(other.spans[round]!) / cost(span)));
  return { operation, against, byRate: ratioOf(timePerRequest), byCpu: ratioOf(cpuPerRequest) };
}

function rowOf({ server, operation, spans }: Take): Row {
  return {
    server,
    operation,
    rate: spreadOf(spans.map((span) => 1000 / timePerRequest(span))),
    cpu: spreadOf(spans.map(cpuPerRequest)),
  };
}

const timePerRequest = ({ requests, milliseconds }: Span) => milliseconds / requests;
const cpuPerRequest = ({ requests, cpu }: Span) => cpu / requests;

function spreadOf(values: readonly number[]): Spread {
  return { median: medianOf(values), lowest: Math.min(...values), highest: Math.max(...values) };
}
