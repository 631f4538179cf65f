import type { Operation } from '../contract/bundle.ts';
import type { Route } from './route.ts';

/** Returns a doc comment, indented by two spaces. */
export function docComment(lines: string[]): string {
  const body = lines.join('\n').replaceAll('*/', '*\\/').split('\n');
  return ['  /**', ...body.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n');
}

/** Describes how to call an operation and what the call needs, one fact per line. */
export function callingFacts(route: Route): string[] {
  return [
    `\`${route.method.toUpperCase()} ${route.path}\``,
    `- Authorization: ${authorization(route)}`,
    `- Limit: ${limit(route)}`,
    ...Object.keys(route.deprecatedFields).map((field) => `- Deprecated: \`${field}\``),
  ];
}

/** Returns the description up to its first blank line. */
export function firstParagraph(operation: Operation): string {
  return operation.description.trim().split(/\n\s*\n/)[0]!;
}

function authorization({ security }: Route): string {
  if (security.length === 0) return 'none';
  return security
    .map(({ scheme, scopes }) => [scheme, ...scopes.map((scope) => `\`${scope}\``)].join(' '))
    .join(', or ');
}

function limit({ rateLimit }: Route): string {
  if (!rateLimit) return 'none';
  return `${rateLimit.limit} calls in ${rateLimit.windowSeconds} seconds (bucket ${rateLimit.bucket})`;
}
