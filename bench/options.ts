import { parseArgs } from 'node:util';
import type { Engine } from '../server/store/engine/open.ts';

const NAMES = ['requests', 'ratios', 'scale', 'instances', 'webhooks', 'start'] as const;
export type Name = (typeof NAMES)[number];

/** The dimensions of `scale`. */
const DIMENSIONS = ['rides', 'cars', 'connections'] as const;
/** A size for some or all of the dimensions. */
export type Sizes = Readonly<Record<(typeof DIMENSIONS)[number], number>>;

export interface Options {
  readonly engine: Engine;
  readonly quick: boolean;
  /** Whether `ratios` records what it measures. */
  readonly record: boolean;
  /** What `scale` compares with its base; none for its defaults. */
  readonly sizes: Partial<Sizes>;
  /** Receives the progress, line by line. */
  readonly tell: (line: string) => void;
}

/** What a bench found. */
export interface Outcome {
  /** Markdown. */
  readonly table: string;
  /** Whether it meets what the command enforces. */
  readonly isMet: boolean;
}

/** Parses a command line. Null for --help. Throws an Error that says what is wrong. */
export function commandIn(args: readonly string[]): (Omit<Options, 'tell'> & { readonly name: Name }) | null {
  const [flag, text] = [{ type: 'boolean', default: false } as const, { type: 'string' } as const];
  const options = { engine: text, quick: flag, record: flag, rides: text, cars: text, connections: text, help: flag };
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
  if (values.help) return null;
  const name = NAMES.find((one) => one === positionals[0]);
  if (name === undefined)
    throw new Error(`Say what to measure: npm run bench -- ${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`);
  if (positionals.length > 1) throw new Error(`${name} does not take ${positionals.slice(1).join(' ')}.`);
  if (values.record && name !== 'ratios') throw new Error(`${name} has no option --record.`);
  const { engine = name === 'instances' ? 'postgres' : 'sqlite', quick, record } = values;
  if (engine !== 'sqlite' && engine !== 'postgres')
    throw new Error(`Unknown engine ${engine}: --engine must be sqlite or postgres.`);
  if (name === 'instances' && engine === 'sqlite')
    throw new Error('instances needs PostgreSQL: only one server can open an SQLite file.');
  const given = DIMENSIONS.flatMap((dimension) => {
    const size = values[dimension];
    if (size === undefined) return [];
    if (name !== 'scale') throw new Error(`${name} has no option --${dimension}.`);
    if (!/^[1-9]\d*$/.test(size)) throw new Error(`--${dimension} must be a whole number greater than 0.`);
    return [[dimension, Number(size)]];
  });
  return { name, engine, quick, record, sizes: Object.fromEntries(given) };
}
