import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const QUIET = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** A workflow or a workflow step. A step that runs another workflow has its own steps. */
export interface Executed {
  readonly workflowId: string;
  readonly status: string;
  readonly executedSteps?: readonly Executed[];
  readonly checks?: ReadonlyArray<{ readonly status: string }>;
}

export interface Report {
  readonly passed: boolean;
  /** The tool's output for each step. */
  readonly output: string;
  /** The workflows that were run, by file. */
  readonly files: Readonly<Record<string, { readonly executedWorkflows: readonly Executed[] }>>;
}

/**
 * Runs Arazzo documents against a server with `redocly respect`.
 * @param baseUrl URL for the source description named ridehail
 */
export async function respect(
  documents: readonly string[],
  baseUrl: string,
  inputs: Readonly<Record<string, string>>,
): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'ridehail-workflows-'));
  const notes = join(folder, 'notes.json');
  const given = Object.entries(inputs).flatMap(([name, value]) => ['--input', `${name}=${value}`]);
  const parameters = ['respect', ...documents, '--server', `ridehail=${baseUrl}`, '--json-output', notes, ...given];
  const options = { env: QUIET, maxBuffer: Number.POSITIVE_INFINITY };
  try {
    const { passed, output } = await promisify(execFile)('node_modules/.bin/redocly', parameters, options).then(
      ({ stdout }) => ({ passed: true, output: stdout }),
      ({ stdout, stderr }) => ({ passed: false, output: `${stderr}${stdout}` }),
    );
    // redocly writes no notes if it cannot read a document
    return { passed, output, files: existsSync(notes) ? JSON.parse(readFileSync(notes, 'utf8')).files : {} };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
