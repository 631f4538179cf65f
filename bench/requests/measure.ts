import { medianOf } from '../spread.ts';
import { cpuPerRequest, type Span, timePerRequest } from './load.ts';
import { MEASURED, type MeasuredId, PEERS, type PeerId } from './operations.ts';
import type { Server } from './servers.ts';
import { CONNECTIONS, type Stage } from './stage.ts';

/** The name of this project's server. */
export const OWN = 'ridehail';

export interface Plan {
  readonly rounds: number;
  /** The approximate CPU time of a server per round. */
  readonly seconds: number;
  /** The fewest requests per connection in a round, so opening the connection doesn't matter much. */
  readonly least: number;
  /** Ride requests in a round, and before the rounds, while V8 compiles. Each needs another passenger. */
  readonly once: number;
  readonly onceToCompile: number;
}

/** The cost of a server's requests in each round. */
export interface Take {
  readonly server: typeof OWN | PeerId;
  readonly operation: MeasuredId;
  readonly spans: Span[];
}

/** The cost of an operation, with the takes of the servers that it is compared with. */
export interface Compared extends Take {
  readonly others: readonly Take[];
}

/** A server and an operation, which take a turn in each round. */
interface Cell extends Omit<Take, 'spans'> {
  readonly run: () => Promise<Span>;
}

interface Measuring {
  readonly stage: Stage;
  readonly plan: Plan;
  readonly peers: readonly PeerId[];
  readonly operations: readonly MeasuredId[];
  /** The peers take a turn before this many of our operations. */
  readonly group: number;
  readonly tell: (line: string) => void;
}

/** Requests before the measurement, while V8 compiles. The operations of our server share most of their code. */
const TO_COMPILE = CONNECTIONS * 20;
const PEERS_TO_COMPILE = CONNECTIONS * 160;
/** The longest duration of a round, as a multiple of its CPU time. */
const MOST_WAITING = 3;

/** How many ride requests the measurement needs. Each needs a fresh passenger. */
export const rideRequests = ({ onceToCompile, once, rounds }: Plan) => onceToCompile + once * rounds;

/**
 * Measures the operations of our server next to other servers, which take turns. Throws an Error if a response has an
 * unexpected status or breaks the contract.
 */
export async function measure(measuring: Measuring): Promise<Compared[]> {
  const { stage, plan, operations, tell } = measuring;
  const own = await stage.startOwn();
  const [call] = MEASURED.eta.calls(stage.filled);
  const response = await fetch(`http://127.0.0.1:${own.port}${call!.path}`, { headers: call!.headers });
  const answer = await response.json();
  const peers: Cell[] = [];
  for (const peer of measuring.peers) {
    tell(`starting ${PEERS[peer]}`);
    peers.push(await repeated(stage, peer, await stage.startPeer(peer, answer), 'eta', plan));
  }
  const cells: Cell[] = [];
  for (const id of operations) if (id !== 'rides') cells.push(await repeated(stage, OWN, own, id, plan));
  const takes = await inRounds(cells, peers, measuring);
  // last, because new rides slow down the search for cars
  if (operations.includes('rides')) takes.push(...(await inRounds([await rides(stage, own, plan)], peers, measuring)));
  own.assertNoError();
  return takes;
}

/** In each round, the others take a turn before each group of our cells. */
async function inRounds(cells: readonly Cell[], others: readonly Cell[], { group, plan, tell }: Measuring) {
  const turns: (() => Promise<unknown>)[] = [];
  const withTurn = ({ run, ...cell }: Cell): Take => {
    const spans: Span[] = [];
    turns.push(async () => spans.push(await run()));
    return { ...cell, spans };
  };
  let beside: readonly Take[] = [];
  const compared = cells.map((cell, index): Compared => {
    if (index % group === 0) beside = others.map(withTurn);
    return { ...withTurn(cell), others: beside };
  });
  for (let round = 1; round <= plan.rounds; round++) {
    for (const turn of turns) await turn();
    tell(`round ${round} of ${plan.rounds}: ${cells.map(({ operation }) => MEASURED[operation].name).join(', ')}`);
  }
  return compared;
}

/** Lets the server compile, and finds out how many requests it can handle in a round. */
async function repeated(
  stage: Stage,
  name: Cell['server'],
  server: Server,
  operation: MeasuredId,
  { seconds, least }: Plan,
): Promise<Cell> {
  const calls = MEASURED[operation].calls(stage.filled);
  const send = (amount: number) => stage.send(server, operation, { calls, amount });
  const inTime = (span: Span) => {
    // CPU time, because the rate says little on a busy machine; and duration, because a separate database takes time
    const time = Math.max(cpuPerRequest(span) / 1000, timePerRequest(span) / MOST_WAITING);
    return CONNECTIONS * Math.max(least, Math.round((seconds * 1000) / time / CONNECTIONS));
  };
  const first = await send(name === OWN ? TO_COMPILE : PEERS_TO_COMPILE);
  const amount = inTime(await send(inTime(first)));
  return { server: name, operation, run: () => send(amount) };
}

async function rides(stage: Stage, server: Server, { once, onceToCompile }: Plan): Promise<Cell> {
  const calls = [...MEASURED.rides.calls(stage.filled)];
  const send = (amount: number) => stage.send(server, 'rides', { calls: calls.splice(0, amount), amount });
  await send(onceToCompile);
  return { server: OWN, operation: 'rides', run: () => send(once) };
}

/** The CPU time of a request to another server, divided by ours: the median of the rounds. NaN without that server. */
export function ratioTo({ spans, others }: Pick<Compared, 'spans' | 'others'>, server: Take['server']): number {
  const other = others.find((one) => one.server === server);
  // in pairs, so a round that is slow for both does not count
  return medianOf(spans.map((span, round) => (other ? cpuPerRequest(other.spans[round]!) / cpuPerRequest(span) : NaN)));
}
