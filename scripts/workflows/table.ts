import type { Executed, Report } from './respect.ts';

/** One line per workflow, with its result. */
export function tableOf({ files }: Report): string[] {
  const rows = Object.entries(files).flatMap(([file, { executedWorkflows }]) =>
    executedWorkflows.map((workflow) => rowOf(file, workflow)),
  );
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]!.length))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

function rowOf(file: string, workflow: Executed): string[] {
  const steps = stepsOf(workflow);
  const checks = steps.flatMap((step) => step.checks ?? []);
  const mark = workflow.status === 'success' ? '✓' : '✗';
  return [mark, file, workflow.workflowId, `steps: ${tally(steps)}`, `checks: ${tally(checks)}`];
}

/** The calls of a workflow, in order. */
function stepsOf({ executedSteps = [] }: Executed): Executed[] {
  return executedSteps.flatMap((step) => (step.executedSteps ? stepsOf(step) : [step]));
}

function tally(parts: ReadonlyArray<{ readonly status: string }>): string {
  const failed = parts.filter(({ status }) => status !== 'success').length;
  return failed === 0 ? `${parts.length} passed` : `${failed} of ${parts.length} failed`;
}
