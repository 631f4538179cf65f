import { instant } from './clock.ts';
import type { Options, Outcome } from './options.ts';
import { conditions, tableOf } from './table.ts';
import { commitUntil, inTurn, isMeasured, type Load, saturate, settle, spanOf } from './webhooks/load.ts';
import { openStage, type Stage } from './webhooks/stage.ts';

const FULL = { seconds: 20, endpoints: 100, hanging: 10, backlog: 100_000 };
const QUICK = { seconds: 1, endpoints: 20, hanging: 2, backlog: 500 };
const NEWCOMERS_PER_SECOND = 20;
const BACKLOG_PER_COMMIT = 100;
const LONGEST_DRAIN_SECONDS = 1200;
const HEADS = ['', 'events/s', 'p50 ms', 'p99 ms', 'CPU ms/event'];

/** Measures how fast webhooks are delivered: from the start of the commit to the receiver's 200. */
export async function benchWebhooks({ engine, quick, tell }: Options): Promise<Outcome> {
  const { seconds, endpoints, hanging, backlog } = quick ? QUICK : FULL;
  const line = conditions({ engine, quick });
  const rows: string[][] = [];
  let repeated = 0;
  const onStage = async (count: number, work: (stage: Stage) => Promise<void>) => {
    const stage = await openStage(engine, count);
    try {
      await work(stage);
    } finally {
      repeated += stage.journal.repeated();
      await stage.close();
    }
  };
  let ratio = Number.NaN;
  await onStage(1, async (stage) => {
    tell('one receiver');
    stage.startWorker();
    rows.push(...(await measure(stage, { endpoints: 1, first: 0, seconds }, 'one receiver')).rows);
  });
  await onStage(endpoints, async (stage) => {
    const load = { endpoints, first: hanging, seconds };
    tell(`${endpoints} receivers`);
    stage.startWorker();
    const before = await measure(stage, load, `${endpoints - hanging} of ${endpoints} receivers`);
    tell(`${endpoints} receivers, of which ${hanging} hang`);
    stage.receivers.hang(hanging);
    const meanwhile = await measure(stage, load, `the same, ${hanging} others hang`);
    ratio = meanwhile.rate / before.rate;
    rows.push(...before.rows, ...meanwhile.rows);
  });
  let ratioAgain = Number.NaN;
  await onStage(endpoints, async (stage) => {
    const load = { endpoints, first: 1, seconds };
    tell(`${backlog} events of one receiver are sent again`);
    for (let count = 0; count < backlog; count += BACKLOG_PER_COMMIT) await stage.commit(0, BACKLOG_PER_COMMIT);
    await stage.giveUp(0);
    stage.startWorker();
    const before = await measure(stage, load, `${endpoints - 1} of ${endpoints} receivers`);
    await stage.sendAgain(0);
    const meanwhile = await measure(stage, load, 'the same, a range is sent again');
    ratioAgain = meanwhile.rate / before.rate;
    rows.push(...before.rows, ...meanwhile.rows);
  });
  await onStage(2, async (stage) => {
    tell(`a backlog of ${backlog} events`);
    rows.push(...(await measureBacklog(stage, backlog)));
  });
  const verdict =
    `rate of the healthy receivers while others hang ÷ before: ${ratio.toFixed(2)}; ` +
    `rate of the others while a range is sent again ÷ before: ${ratioAgain.toFixed(2)}; ` +
    `events sent again after their 200: ${repeated}`;
  return { table: [line, tableOf(HEADS, rows), verdict].join('\n\n'), isMet: true };
}

/** Measures the highest rate that the worker can sustain, and the speed at half of it. */
async function measure(stage: Stage, load: Load, what: string): Promise<{ rate: number; rows: string[][] }> {
  const { journal } = stage;
  const [cpuBefore, doneBefore] = [process.cpuUsage(), journal.done()];
  const span = await saturate(stage, load);
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuPerEvent = (user + system) / 1000 / (journal.done() - doneBefore);
  await settle(stage, load);
  const saturated = journal.speed(span, isMeasured(load));
  const half = (saturated.rate * load.endpoints) / (load.endpoints - load.first) / 2;
  const halfSpan = spanOf(load);
  await commitUntil(stage, half, inTurn(load.endpoints), () => instant() >= halfSpan.to);
  await settle(stage, load);
  const rows = [
    rowOf(`${what}, saturated`, saturated, cpuPerEvent.toFixed(2)),
    rowOf(`${what}, half loaded`, journal.speed(halfSpan, isMeasured(load))),
  ];
  return { rate: saturated.rate, rows };
}

/** Measures how fast the first endpoint's backlog drains, and the deliveries to the second endpoint meanwhile. */
async function measureBacklog(stage: Stage, backlog: number): Promise<string[][]> {
  const { journal } = stage;
  for (let count = 0; count < backlog; count += BACKLOG_PER_COMMIT) await stage.commit(0, BACKLOG_PER_COMMIT);
  const from = instant();
  const isDrained = () => {
    if (instant() > from + LONGEST_DRAIN_SECONDS * 1000) throw new Error('The backlog did not drain in time.');
    return journal.waiting((endpoint) => endpoint === 0) === 0;
  };
  stage.startWorker();
  await commitUntil(stage, NEWCOMERS_PER_SECOND, () => 1, isDrained);
  const span = { from, to: instant() };
  await settle(stage, { first: 0 });
  const { rate } = journal.speed(span, (endpoint) => endpoint === 0);
  return [
    [`backlog of ${backlog}`, rate.toFixed(0), '', '', ''],
    rowOf('new events during the backlog', journal.speed(span, isMeasured({ first: 1 }))),
  ];
}

function rowOf(what: string, { rate, p50, p99 }: ReturnType<Stage['journal']['speed']>, cpu = ''): string[] {
  return [what, rate.toFixed(0), p50.toFixed(1), p99.toFixed(1), cpu];
}
