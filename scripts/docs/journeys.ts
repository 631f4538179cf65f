import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { journeyFiles } from '../workflows/journeys.ts';

/** The part of an Arazzo document that the docs show. */
interface Journey {
  readonly info: { readonly title: string; readonly description: string };
  readonly workflows: ReadonlyArray<{ readonly summary: string; readonly steps: readonly Step[] }>;
}

interface Step {
  readonly description: string;
  /** Absent if the step runs another workflow. */
  readonly operationId?: string;
  readonly workflowId?: string;
  readonly successCriteria?: ReadonlyArray<{ readonly condition: string }>;
}

/** Returns the journeys as Markdown, each with a description and a table of calls. */
export function journeysInWords(): string {
  return journeyFiles()
    .map((file) => journeyInWords(parse(readFileSync(file, 'utf8'))))
    .join('\n');
}

function journeyInWords({ info, workflows }: Journey): string {
  const tables = workflows.map(({ summary, steps }) =>
    [`**${summary}**`, '', '| Call | What happens | Response |', '| --- | --- | --- |', ...steps.map(row), ''].join(
      '\n',
    ),
  );
  return [`### ${info.title}`, '', info.description, ...tables].join('\n');
}

function row({ description, operationId, workflowId, successCriteria = [] }: Step): string {
  const call = operationId ? `[${operationId}](#operation/${operationId})` : `\`${workflowId!.split('.').at(-1)}\``;
  const conditions = successCriteria.map(({ condition }) => condition).join('\n');
  const status = conditions.match(/^\$statusCode == (\d+)$/m)?.[1] ?? '';
  const error = conditions.match(/#\/error == '(\w+)'$/m)?.[1];
  return `| ${call} | ${description.trim()} | ${status}${error ? ` \`${error}\`` : ''} |`;
}
