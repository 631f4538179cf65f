import { Misused, oneOf, parseCommandLine, wholeNumber } from '../server/cli/command-line.ts';
import type { Engine } from '../server/store/engine/open.ts';

const NAMES = ['requests', 'ratios', 'scale', 'instances', 'request-log', 'webhooks', 'start'] as const;
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

/** Parses a command line. Null for --help. Throws Misused. */
export function commandIn(args: readonly string[]): (Omit<Options, 'tell'> & { readonly name: Name }) | null {
  const [flag, text] = [{ type: 'boolean', default: false } as const, { type: 'string' } as const];
  const options = { engine: text, quick: flag, record: flag, rides: text, cars: text, connections: text };
  const { values, positionals } = parseCommandLine(args, options, ['NAME']);
  if (values.help) return null;
  const name = oneOf('NAME', positionals[0]!, NAMES);
  if (values.record && name !== 'ratios') throw new Misused(`${name} has no option --record.`);
  const { engine = name === 'instances' ? 'postgres' : 'sqlite', quick, record } = values;
  if (name === 'instances' && engine === 'sqlite')
    throw new Misused('instances needs PostgreSQL: only one server can open an SQLite file.');
  const given = DIMENSIONS.flatMap((dimension) => {
    const size = values[dimension];
    if (size === undefined) return [];
    if (name !== 'scale') throw new Misused(`${name} has no option --${dimension}.`);
    return [[dimension, wholeNumber(`--${dimension}`, size, 1)]];
  });
  const sizes = Object.fromEntries(given);
  return { name, engine: oneOf('--engine', engine, ['sqlite', 'postgres']), quick, record, sizes };
}
