import { parseArgs } from 'node:util';
import type { Engine } from '../../server/store/open.ts';
import { MEASURED, type MeasuredId } from './requests/operations.ts';

export const SUBJECTS = [
  'webhooks',
  'worlds',
  'requests',
  'scale',
  'instances',
  'pool',
  'connections',
  'memory',
  'cars',
  'start',
  'profile',
  'profiles',
  'ratios',
] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The parsed command line. */
export interface Arguments {
  readonly help: boolean;
  readonly subject: Subject;
  /** The operation to profile. */
  readonly operation: MeasuredId;
  readonly engine: Engine;
  readonly quick: boolean;
  readonly json: boolean;
  /** Whether to write the results into the docs. */
  readonly write: boolean;
  /** Whether to record the ratios, for later runs to compare with. */
  readonly record: boolean;
  /** How long the load of the memory bench lasts; undefined for the default. */
  readonly minutes: number | undefined;
}

/** Options that only some subjects have. */
const ONLY_OF = {
  write: ['requests', 'profile', 'profiles', 'instances', 'pool'],
  record: ['ratios'],
  minutes: ['memory'],
} as const;

/** Throws an Error that says what is wrong. */
export function argumentsIn(args: readonly string[]): Arguments {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      engine: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      record: { type: 'boolean', default: false },
      minutes: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const [subject, ...rest] = positionals;
  const isShared = subject === 'instances' || subject === 'pool';
  const engine = engineNamed(values.engine ?? (isShared ? 'postgres' : 'sqlite'));
  const common = { ...values, engine, minutes: minutesIn(values.minutes) };
  if (values.help) return { ...common, subject: 'requests', operation: 'eta' };
  if (!isSubject(subject))
    throw new Error(`Say what to measure: npm run bench -- ${SUBJECTS.slice(0, -1).join(', ')} or ${SUBJECTS.at(-1)}`);
  if (isShared && engine === 'sqlite')
    throw new Error(`${subject} needs PostgreSQL: only one server can open an SQLite file.`);
  for (const [name, subjects] of Object.entries(ONLY_OF)) {
    const isGiven = values[name as keyof typeof ONLY_OF];
    if (isGiven && !subjects.some((one) => one === subject)) throw new Error(`${subject} has no option --${name}.`);
  }
  const [operation = 'eta', ...more] = subject === 'profile' ? rest : [undefined, ...rest];
  if (more.length > 0) throw new Error(`${subject} does not take ${more.join(' ')}.`);
  if (!isMeasured(operation))
    throw new Error(`Unknown operation ${operation}. Choose one of ${Object.keys(MEASURED).join(', ')}.`);
  return { ...common, subject, operation };
}

function isSubject(name: string | undefined): name is Subject {
  return SUBJECTS.some((subject) => subject === name);
}

function minutesIn(text: string | undefined): number | undefined {
  if (text === undefined || Number(text) > 0) return text === undefined ? undefined : Number(text);
  throw new Error('--minutes must be a number greater than 0.');
}

function isMeasured(name: string): name is MeasuredId {
  return Object.hasOwn(MEASURED, name);
}

function engineNamed(name: string): Engine {
  if (name === 'sqlite' || name === 'postgres') return name;
  throw new Error(`Unknown engine ${name}: --engine must be sqlite or postgres.`);
}
