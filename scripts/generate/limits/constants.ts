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
  const declarations = source.statements.filter(ts.isVariableStatement).map((statement) => statement.getText());
  const asVariables = declarations.map((code) => `try { ${code.replace(/^(export )?const/, 'var')} } catch {}`);
  computed(asVariables.join('\n'), constants);
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
