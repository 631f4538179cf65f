import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import * as generated from '../../../generated/server.ts';
import * as time from '../../../server/domain/time.ts';
import { sourcesIn } from './sources.ts';

/** A bound in the code: its value, or the text of an expression that only a running server can compute. */
export interface Bound {
  readonly name: string;
  readonly file: string;
  readonly value: number | string;
}

/** Names of bounds, as CONTRIBUTING.md defines them: one bound, or a table of several. */
const BOUND = /^(MOST|MAX|LONGEST)_|(^|_)LIMITS?$/;
/** Code that may declare a bound. Parsing all files would take seconds. */
const MAY_DECLARE = /(\b(const|let|var)|,)\s+((MOST|MAX|LONGEST)_|(\w*_)?LIMITS?\b)/;
/** The simulated city's constants have such names too, but do not limit what clients can do. */
const SIMULATION = /^server\/domain\/(fleet|routes)\//;

/** The bounds that the contract states. */
const CONTRACT_AS_CODE = 'generated/server.ts';

/** Names that constants may refer to. */
const KNOWN: Readonly<Record<string, unknown>> = { ...time, ...generated };

/** Every bound at the top level of a server module, and those that the contract states for all operations. */
export function boundsOfCode(): Bound[] {
  const files = [CONTRACT_AS_CODE, ...sourcesIn('server').filter((file) => !SIMULATION.test(file))];
  const declaring = files.filter((file) => MAY_DECLARE.test(readFileSync(file, 'utf8')));
  return declaring.flatMap((file) => constantsOf(file).filter(({ name }) => BOUND.test(name.split(/[.[]/)[0]!)));
}

const read = new Map<string, readonly Bound[]>();

/**
 * Every constant at the top level of a module. Those in a table or list are named `TABLE.property` and
 * `LIST[0].property`.
 */
export function constantsOf(file: string): readonly Bound[] {
  const found =
    read.get(file) ?? constantsIn(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true));
  read.set(file, found);
  return found;
}

/** The value of a constant by its name in a module; undefined if it has none. */
type Known = (name: string) => unknown;

function constantsIn(source: ts.SourceFile): Bound[] {
  const own = new Map<string, unknown>();
  const known: Known = (name) => own.get(name) ?? importedInto(source, name) ?? KNOWN[name];
  return source.statements.filter(ts.isVariableStatement).flatMap(({ declarationList }) =>
    declarationList.declarations.flatMap(({ name, initializer }): Bound[] => {
      if (initializer === undefined || !ts.isIdentifier(name)) return [];
      const bounds = boundsIn(name.text, initializer, known).map((bound) => ({ ...bound, file: source.fileName }));
      for (const bound of bounds) own.set(bound.name, bound.value);
      return bounds;
    }),
  );
}

/** The value of a constant that a module imports from another server module. */
function importedInto({ fileName, statements }: ts.SourceFile, name: string): unknown {
  const [base] = name.split(/[.[]/);
  const found = statements.filter(ts.isImportDeclaration).find(({ importClause }) => {
    const bindings = importClause?.namedBindings;
    return bindings && ts.isNamedImports(bindings) && bindings.elements.some((one) => one.name.text === base);
  });
  if (found === undefined || !ts.isStringLiteral(found.moduleSpecifier)) return undefined;
  const file = join(dirname(fileName), found.moduleSpecifier.text);
  return file.startsWith('server/') ? constantsOf(file).find((one) => one.name === name)?.value : undefined;
}

function boundsIn(name: string, node: ts.Expression, known: Known): Omit<Bound, 'file'>[] {
  const expression = bare(node);
  if (ts.isArrayLiteralExpression(expression)) {
    return expression.elements.flatMap((element, index) => boundsIn(`${name}[${index}]`, element, known));
  }
  if (ts.isObjectLiteralExpression(expression)) {
    const properties = expression.properties.filter(ts.isPropertyAssignment).filter(({ name }) => !isAside(name));
    return properties.flatMap((property) =>
      boundsIn(`${name}.${property.name.getText()}`, property.initializer, known),
    );
  }
  // names and functions in a table are not bounds
  if (ts.isStringLiteral(expression) || ts.isArrowFunction(expression)) return [];
  // the contract already states this bound
  if (expression.getText().startsWith('REQUEST_LIMITS.')) return [];
  return [{ name, value: numberOf(expression, known) ?? expression.getText().replace(/\s+/g, ' ') }];
}

/** The window and the key of a limit, which are in the row of its count. */
function isAside(name: ts.PropertyName): boolean {
  return ['windowSeconds', 'keyOf'].includes(name.getText());
}

/** Computes an expression without running it; undefined if it depends on more than constants. */
function numberOf(node: ts.Expression, known: Known): number | undefined {
  const expression = bare(node);
  if (ts.isNumericLiteral(expression)) return Number(expression.text);
  if (ts.isIdentifier(expression)) return asNumber(known(expression.text));
  if (ts.isPropertyAccessExpression(expression)) return asNumber(known(expression.getText()));
  if (!ts.isBinaryExpression(expression)) return undefined;
  const [left, right] = [numberOf(expression.left, known), numberOf(expression.right, known)];
  const compute = OPERATORS[expression.operatorToken.kind];
  return left === undefined || right === undefined ? undefined : compute?.(left, right);
}

const OPERATORS: Readonly<Partial<Record<ts.SyntaxKind, (left: number, right: number) => number>>> = {
  [ts.SyntaxKind.PlusToken]: (left, right) => left + right,
  [ts.SyntaxKind.MinusToken]: (left, right) => left - right,
  [ts.SyntaxKind.AsteriskToken]: (left, right) => left * right,
  [ts.SyntaxKind.SlashToken]: (left, right) => left / right,
  [ts.SyntaxKind.AsteriskAsteriskToken]: (left, right) => left ** right,
};

/** Removes parentheses, `as` and `satisfies`. */
function bare(expression: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression);
  return isWrapped ? bare(expression.expression) : expression;
}

function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
