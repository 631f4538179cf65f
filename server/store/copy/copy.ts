import { isUnavailable } from '../engine/dialect.ts';
import type { FilePlace, ServerPlace } from '../place.ts';
import { type Content, newSum } from './content.ts';
import { openSource, type Source } from './source.ts';
import { openTarget, reasonOf, type Target } from './target.ts';

/** The progress of a copy, in rows of a table. */
export interface Step {
  readonly phase: 'reading' | 'copying' | 'checking';
  readonly table: string;
  readonly rows: number;
  /** Null before the rows are counted. */
  readonly of: number | null;
}

export interface Copy {
  readonly from: FilePlace;
  readonly to: ServerPlace;
  /** Called after each batch. */
  readonly onStep: (step: Step) => void;
}

/** The content of each table, identical in both databases. */
export type Copied = ReadonlyMap<string, Content>;

/**
 * Copies an SQLite file to an empty PostgreSQL schema, or continues an earlier copy to it. The copy owns the file while
 * it runs, and leaves it unchanged. Servers refuse to start on the schema until everything is copied and verified.
 */
export async function copyToServer({ from, to, onStep }: Copy): Promise<Copied> {
  const source = openSource(from.path);
  try {
    const target = await openTarget(to);
    try {
      return await copy(source, target, onStep);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      throw new Error(`The copy was interrupted: ${reasonOf(error)}. Run the command again to continue.`);
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function copy(source: Source, target: Target, onStep: Copy['onStep']): Promise<Copied> {
  // reads everything before the first write: this finds data that PostgreSQL cannot store, and changes to the file
  const contents = readContents(source, onStep);
  const progress = await target.begin(source.tables, contents);
  for (const table of source.tables) {
    let done = progress.get(table.name)!;
    for (const rows of source.pages(table, done.copiedTo)) {
      done = await target.store(table, rows, done);
      onStep({ phase: 'copying', table: table.name, rows: done.copiedRows, of: done.content.rows });
    }
  }
  for (const table of source.tables) {
    const expected = contents.get(table.name)!;
    const onRows = (rows: number) => onStep({ phase: 'checking', table: table.name, rows, of: expected.rows });
    assertSame(table.name, expected, await target.contentOf(table, onRows));
  }
  await target.finish(source.tables);
  return contents;
}

function readContents({ tables, pages }: Source, onStep: Copy['onStep']): Copied {
  const contents = new Map<string, Content>();
  for (const table of tables) {
    const sum = newSum();
    for (const rows of pages(table, null)) {
      rows.forEach(sum.add);
      onStep({ phase: 'reading', table: table.name, rows: sum.content().rows, of: null });
    }
    contents.set(table.name, sum.content());
  }
  return contents;
}

function assertSame(table: string, source: Content, target: Content): void {
  if (source.rows === target.rows && source.checksum === target.checksum) return;
  const told = ({ rows, checksum }: Content) => `${rows} rows with the checksum ${checksum}`;
  throw new Error(
    `The copy of ${table} differs: ${told(source)} in the source, ${told(target)} in the target. Another process ` +
      'writes to the target. To start over, specify an empty database in --to.',
  );
}
