import { Counter, collectDefaultMetrics, Gauge, Histogram, type Registry } from 'prom-client';
import { CONTRACT_VERSION, FAILURES, OPERATIONS } from '../../generated/server.ts';
import { BUILD } from '../build.ts';
import type { WorldKind } from '../domain/worlds/clock.ts';
import type { AttemptEnd, Meter } from '../parts.ts';

/** The value of `operation`, `code` and `commit` when there is none. */
const NONE = 'none';
/** Replaces codes outside the contract, to limit the number of series. */
const OTHER = 'other';
/** Upper bounds in seconds. Durations are measured in whole milliseconds; advanceClock takes up to 20 seconds. */
const DURATIONS = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const WORLDS: readonly WorldKind[] = ['live', 'sandbox'];
const ENDS: readonly AttemptEnd[] = ['delivered', 'refused', 'failed', 'dropped'];

const CODES: ReadonlySet<string> = new Set([
  ...Object.keys(FAILURES),
  ...Object.values(OPERATIONS).flatMap(({ failures }) => Object.keys(failures)),
]);

/** Counts requests and attempts, and adds Node's process metrics. */
export function openMeter(register: Registry): Meter {
  collectDefaultMetrics({ register });
  const versions = {
    version: BUILD.version,
    commit: BUILD.commit ?? NONE,
    contract_version: CONTRACT_VERSION,
    node_version: process.version,
  };
  new Gauge({
    name: 'ridehail_build_info',
    help: 'Always 1. The labels contain the versions of the server, the contract and Node, and the commit of the server.',
    labelNames: Object.keys(versions),
    registers: [register],
  }).set(versions, 1);
  const requests = new Counter({
    name: 'ridehail_http_requests_total',
    help: 'Requests that got a response, or whose client disconnected first (status "aborted").',
    labelNames: ['operation', 'status', 'code', 'simulated'],
    registers: [register],
  });
  const durations = new Histogram({
    name: 'ridehail_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response.',
    labelNames: ['operation'],
    buckets: DURATIONS,
    registers: [register],
  });
  const attempts = new Counter({
    name: 'ridehail_webhook_attempts_total',
    help: 'Recorded attempts to deliver a webhook.',
    labelNames: ['world', 'result'],
    registers: [register],
  });
  const dropped = new Counter({
    name: 'ridehail_logged_requests_dropped_total',
    help: 'Requests that are missing in the portal, because too many waited to be stored or the database failed.',
    registers: [register],
  });
  // a rate needs a zero sample, so that the first failures count too
  for (const world of WORLDS) for (const result of ENDS) attempts.inc({ world, result }, 0);
  return {
    request: ({ operation = NONE, status, code, isSimulated, ms }) => {
      const known = code === null ? NONE : CODES.has(code) ? code : OTHER;
      requests.inc({ operation, status, code: known, simulated: String(isSimulated) });
      durations.observe({ operation }, ms / 1000);
    },
    droppedRequests: (count) => dropped.inc(count),
    attempt: (kind, end) => attempts.inc({ world: kind, result: end }),
  };
}
