/** Repeats the statements of one request on SQLite, without a server and with different ids each time. */
import { readFileSync } from 'node:fs';
import Libsql from 'libsql';
import { instant } from '../clock.ts';

/** A statement that ran on SQLite. */
export interface Statement {
  readonly source: string;
  /** Null if the statement was not prepared. */
  readonly parameters: readonly unknown[] | null;
}

export interface Replay {
  readonly file: string;
  readonly pragmas: readonly string[];
  readonly statements: readonly Statement[];
  /** The replacements of each repetition. */
  readonly replacements: ReadonlyArray<ReadonlyArray<readonly [from: string, to: string]>>;
}

/** How many of the next repetitions to run. */
export type ToBare = number;
export interface FromBare {
  readonly milliseconds: number;
}

const replay: Replay = JSON.parse(readFileSync(process.argv[2]!, 'utf8'));
const database = new Libsql(replay.file, { timeout: 0 });
for (const pragma of replay.pragmas) database.exec(pragma);
const prepared = replay.statements.map(({ source, parameters }) => {
  const statement = parameters === null ? null : database.prepare(source);
  return { source, parameters, statement };
});
let done = 0;

process.on('disconnect', () => process.exit());
process.on('message', (count: ToBare) => {
  const next = replay.replacements.slice(done, done + count).map(bound);
  done += count;
  const from = instant();
  for (const parametersOf of next) runAll(parametersOf);
  process.send!({ milliseconds: instant() - from } satisfies FromBare);
});
process.send!('ready');

/** Makes the parameters of all statements in advance, so only the statements are measured. */
function bound(replacements: Replay['replacements'][number]): readonly (readonly unknown[])[] {
  const replaced = (value: unknown) =>
    typeof value === 'string' ? replacements.reduce((text, [from, to]) => text.replaceAll(from, to), value) : value;
  return prepared.map(({ parameters }) => (parameters ?? []).map(replaced));
}

function runAll(parametersOf: readonly (readonly unknown[])[]): void {
  for (const [index, { source, statement }] of prepared.entries()) {
    if (statement === null) database.exec(source);
    else if (statement.reader) statement.all(parametersOf[index]!);
    else statement.run(parametersOf[index]!);
  }
}
