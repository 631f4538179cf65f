import { readFileSync } from 'node:fs';
import { type Context, createContext, runInContext } from 'node:vm';
import ts from 'typescript';
import * as generated from '../../../generated/server.ts';
import * as time from '../../../server/domain/time.ts';

export function sourceOf(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
}

/** The constants of a module that can be computed without running it, and those that it may import. */
export function constantsOf(source: ts.SourceFile): Context {
  const constants = createContext({ ...time, ...generated });
  for (const statement of source.statements.filter(ts.isVariableStatement)) {
    computed(statement.getText().replace(/^export /, ''), constants);
  }
  return constants;
}

/** The value of an expression; undefined if it depends on more than these constants. */
export function computed(code: string, constants: Context): unknown {
  try {
    return runInContext(ts.transpile(code), constants);
  } catch {
    return undefined;
  }
}
