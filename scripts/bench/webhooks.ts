import { availableParallelism } from 'node:os';
import type { Engine } from '../../server/store/open.ts';
import { instant } from './clock.ts';
import type { Speed } from './journal.ts';
import { commitAtRate, commitUntil, isHealthy, type Load, saturate, settle } from './load.ts';
import { type Machine, thisMachine } from './machine.ts';
import { openStage, type Stage } from './stage.ts';

export interface Options {
  readonly engine: Engine;
  readonly quick: boolean;
  /** Receives the progress, line by line. */
  readonly tell: (line: string) => void;
}

/** The speed of deliveries at the highest sustainable rate, and at half of it. */
export interface Speeds {
  readonly saturated: Speed;
  readonly halfLoaded: Speed;
  /** CPU milliseconds of the sending process per event of the saturated span, including commits. */
  readonly cpuPerEvent: number;
}

export interface Figures {
  readonly engine: Engine;
  readonly quick: boolean;
  readonly machine: Machine;
  readonly oneReceiver: Speeds;
  readonly hundredReceivers: {
    readonly endpoints: number;
    readonly hanging: number;
    /** Only the endpoints that still respond when others hang. */
    readonly allHealthy: Speeds;
    readonly someHang: Speeds;
    /** The rate of the healthy endpoints while others hang, divided by their rate before. */
    readonly ratio: number;
    /** The same ratio per CPU time of the sending process, which depends less on other load on the machine. */
    readonly ratioByCpu: number;
  };
  readonly backlog: {
    readonly events: number;
    /** Events per second of the endpoint with the backlog. */
    readonly drainRate: number;
    /** An endpoint that gets new events in the meantime. */
    readonly newcomers: Speed;
  };
  /** Events sent again after their 200. */
  readonly repeated: number;
}

interface Size {
  readonly seconds: number;
  readonly endpoints: number;
  readonly hanging: number;
  readonly backlog: number;
  readonly newcomersPerSecond: number;
}

const FULL: Size = { seconds: 20, endpoints: 100, hanging: 10, backlog: 100_000, newcomersPerSecond: 20 };
const QUICK: Size = { seconds: 1, endpoints: 20, hanging: 2, backlog: 500, newcomersPerSecond: 20 };
const LONGEST_SETTLING_SECONDS = 60;
const LONGEST_DRAIN_SECONDS = 1200;
const BACKLOG_PER_COMMIT = 100;

export async function benchWebhooks(options: Options): Promise<Figures> {
  const { engine, quick, tell } = options;
  const size = quick ? QUICK : FULL;
  const machine = thisMachine();
  tell(
    `${machine.cores} cores, load ${machine.load.toFixed(1)}, ${Math.round(machine.durableWritesPerSecond)} fsyncs/s`,
  );
  if (machine.load > availableParallelism() / 2)
    tell('the machine is busy with other work: the figures will be too low');
  let repeated = 0;
  const onStage = async <T>(endpoints: number, work: (stage: Stage) => Promise<T>): Promise<T> => {
    const stage = await openStage(engine, endpoints);
    try {
      return await work(stage);
    } finally {
      repeated += stage.journal.repeated;
      await stage.close();
    }
  };
  const oneReceiver = await onStage(1, (stage) => measureOne(stage, size, tell));
  const hundredReceivers = await onStage(size.endpoints, (stage) => measureHundred(stage, size, tell));
  const backlog = await onStage(2, (stage) => measureBacklog(stage, size, tell));
  return { engine, quick, machine, oneReceiver, hundredReceivers, backlog, repeated };
}

async function measureOne(stage: Stage, size: Size, tell: Options['tell']): Promise<Speeds> {
  stage.startWorker();
  return measure(stage, { endpoints: 1, hanging: 0, seconds: size.seconds }, 'one receiver', tell);
}

async function measureHundred(stage: Stage, size: Size, tell: Options['tell']): Promise<Figures['hundredReceivers']> {
  const { endpoints, hanging, seconds } = size;
  const isMeasured = isHealthy({ hanging });
  stage.startWorker();
  const healthy = { endpoints, hanging: 0, seconds };
  const allHealthy = await measure(stage, healthy, `${endpoints} receivers`, tell, isMeasured);
  stage.receivers.hang(hanging);
  const some = { endpoints, hanging, seconds };
  const someHang = await measure(stage, some, `${endpoints} receivers, of which ${hanging} hang`, tell, isMeasured);
  const ratio = someHang.saturated.rate / allHealthy.saturated.rate;
  // before, the endpoints that now hang used a share of the CPU time
  const cpuBefore = (allHealthy.cpuPerEvent * endpoints) / (endpoints - hanging);
  return { endpoints, hanging, allHealthy, someHang, ratio, ratioByCpu: cpuBefore / someHang.cpuPerEvent };
}

async function measure(
  stage: Stage,
  load: Load,
  what: string,
  tell: Options['tell'],
  isMeasured = isHealthy(load),
): Promise<Speeds> {
  const { journal } = stage;
  tell(`${what}, saturated: ${load.seconds} s`);
  const [cpuBefore, doneBefore] = [process.cpuUsage(), journal.done];
  const saturatedSpan = await saturate(stage, load, isMeasured);
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpuPerEvent = (user + system) / 1000 / (journal.done - doneBefore);
  await settle(stage, load, LONGEST_SETTLING_SECONDS);
  const rate = (journal.speed(saturatedSpan, isHealthy(load)).rate * load.endpoints) / (load.endpoints - load.hanging);
  tell(`${what}, half loaded: ${load.seconds} s at ${Math.round(rate / 2)} events a second`);
  const halfSpan = await commitAtRate(stage, load, rate / 2, isMeasured);
  await settle(stage, load, LONGEST_SETTLING_SECONDS);
  return {
    saturated: journal.speed(saturatedSpan, isMeasured),
    halfLoaded: journal.speed(halfSpan, isMeasured),
    cpuPerEvent,
  };
}

const BACKLOG = 0;
const NEWCOMER = 1;
const isBacklog = (endpoint: number) => endpoint === BACKLOG;
const isNewcomer = (endpoint: number) => endpoint === NEWCOMER;

async function measureBacklog(stage: Stage, size: Size, tell: Options['tell']): Promise<Figures['backlog']> {
  const { journal } = stage;
  tell(`backlog: committing ${size.backlog} events`);
  for (let count = 0; count < size.backlog; count += BACKLOG_PER_COMMIT)
    await stage.commit(BACKLOG, BACKLOG_PER_COMMIT);
  tell('backlog: starting the worker');
  const from = instant();
  stage.startWorker();
  const told = setInterval(() => tell(`backlog: ${journal.waiting(isBacklog)} left`), 10_000);
  try {
    const isOver = () => {
      if (instant() > from + LONGEST_DRAIN_SECONDS * 1000)
        throw new Error('The worker did not clear the backlog in time.');
      return journal.waiting(isBacklog) === 0;
    };
    await commitUntil(stage, size.newcomersPerSecond, () => NEWCOMER, isOver);
  } finally {
    clearInterval(told);
  }
  const span = { from, to: instant() };
  await settle(stage, { hanging: 0 }, LONGEST_SETTLING_SECONDS);
  return {
    events: size.backlog,
    drainRate: journal.speed(span, isBacklog).rate,
    newcomers: journal.speed(span, isNewcomer),
  };
}
