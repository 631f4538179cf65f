import { OPERATIONS } from '../../generated/server.ts';
import { builtServer } from '../support/built-server.ts';
import { type Askers, get, inTurn, openAskers, type Pace } from './asking.ts';
import { openCrowdedServer } from './crowded-server.ts';
import { type Machine, thisMachine } from './machine.ts';
import { medianOf } from './median.ts';
import { startReceivers } from './receivers.ts';
import { PICKUP } from './sample-rides.ts';
import { inWords, type Spread, spreadOf } from './spread.ts';
import type { Options } from './webhooks.ts';

/** The lowest allowed rate on many connections, divided by the rate on few. */
const AIM = 0.9;
/**
 * Tokens per connection. With this many, a token leaves the server's cache before it is used again, on few and on many
 * connections. With fewer, the faster run would find more tokens in the cache and get even faster.
 */
const TOKENS_PER_CONNECTION = 5;
const CROWD = { hanging: 1, rides: 1000, active: 100, history: 100, dueDeliveries: 1 };
const FULL = { few: 16, many: 1000, applications: 50, rounds: 9, seconds: 3 };
const QUICK = { few: 4, many: 40, applications: 4, rounds: 1, seconds: 0.2 };

export interface ConnectionFigures {
  readonly engine: Options['engine'];
  readonly quick: boolean;
  readonly machine: Machine;
  readonly few: ManyConnections;
  readonly many: ManyConnections;
  /** The rate of many connections divided by that of few. */
  readonly ratio: Spread;
  readonly isMet: boolean;
}

interface ManyConnections extends Pace {
  readonly connections: number;
}

/**
 * Measures the rate of requests on few and on many persistent connections from one network, in turns. Throws an Error
 * if a connection or a request fails.
 */
export async function benchConnections(options: Options): Promise<ConnectionFigures> {
  const { engine, quick, tell } = options;
  const machine = thisMachine();
  const { few, many, applications, rounds, seconds } = quick ? QUICK : FULL;
  const receivers = await startReceivers(applications, () => {});
  const main = await builtServer();
  try {
    const size = { ...CROWD, applications, callers: TOKENS_PER_CONNECTION * many };
    const { server, crowd, close } = await openCrowdedServer(options, size, receivers.urls, { main });
    const caller = inTurn(crowd.callers);
    const place = { lat: String(PICKUP.lat), lng: String(PICKUP.lng) };
    const next = () => get(OPERATIONS.estimateEta.path, place, caller().token);
    const asking = [openAskers(server, few), openAskers(server, many)] as const;
    try {
      const paces: [Pace, Pace][] = [];
      // the first round is a warm-up
      for (let round = 0; round <= rounds; round++) {
        const pace = await inRound(asking, round, (askers) => askers.ask(seconds, next));
        if (round > 0) paces.push(pace);
        tell(round === 0 ? 'warm' : `round ${round} of ${rounds}`);
      }
      const ratio = spreadOf(paces.map(([ofFew, ofMany]) => ofMany.rate / ofFew.rate));
      const medianPace = (index: 0 | 1, connections: number) => ({
        connections,
        rate: medianOf(paces.map((pace) => pace[index].rate)),
        cpuMs: medianOf(paces.map((pace) => pace[index].cpuMs)),
      });
      const figures = { few: medianPace(0, few), many: medianPace(1, many) };
      return { engine, quick, machine, ...figures, ratio, isMet: ratio.median >= AIM };
    } finally {
      for (const askers of asking) await askers.close();
      await close();
    }
  } finally {
    await receivers.close();
  }
}

/** Measures few and many connections, one after the other. Every other round reverses the order. */
async function inRound(
  [few, many]: readonly [Askers, Askers],
  round: number,
  measure: (askers: Askers) => Promise<Pace>,
): Promise<[Pace, Pace]> {
  if (round % 2 === 0) {
    const ofFew = await measure(few);
    return [ofFew, await measure(many)];
  }
  const ofMany = await measure(many);
  return [await measure(few), ofMany];
}

export function connectionsTable({ engine, quick, machine, few, many, ratio, isMet }: ConnectionFigures): string {
  const row = ({ connections, rate, cpuMs }: ManyConnections) =>
    `| ${connections} | ${rate.toFixed(0)} | ${cpuMs.toFixed(2)} |`;
  return [
    `${engine}${quick ? ', quick: these figures mean nothing' : ''}; ${machine.cores} cores, load ${machine.load.toFixed(1)} at the start, node ${machine.node}`,
    '',
    '| connections | requests/s | CPU ms per request |',
    '| ---: | ---: | ---: |',
    row(few),
    row(many),
    '',
    `rate on many ÷ rate on few: ${inWords(ratio)}, aim of ${AIM} ${isMet ? 'met' : 'NOT MET'}`,
  ].join('\n');
}
