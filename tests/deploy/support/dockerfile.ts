import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The result of a stage of a Dockerfile. A folder stands for its root. */
export interface Stage {
  readonly root: string;
  readonly env: Record<string, string>;
  workdir: string;
  user?: string;
  command?: readonly string[];
  healthCheck?: readonly string[];
}

/** The user that runs the steps. Root could write where the image does not allow it. */
export interface Runner {
  readonly uid: number;
  readonly gid: number;
}

interface Options {
  /** The folder for the stages. */
  readonly folder: string;
  /** The build context. */
  readonly context: string;
  readonly runner: Runner;
  /** For RUN, in addition to the stage's own variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs the steps of a Dockerfile in folders. Supports only the instructions that ours uses, and throws on any other.
 * @returns the last stage
 */
export async function buildImage(dockerfile: string, { folder, context, runner, env }: Options): Promise<Stage> {
  const make = (path: string) => {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o755);
    chownSync(path, runner.uid, runner.gid);
    return path;
  };
  let stage: Stage = { root: folder, env: {}, workdir: '/' };
  // a backslash continues a line
  const lines = readFileSync(dockerfile, 'utf8')
    .replace(/\\\n\s*/g, ' ')
    .split('\n');
  for (const line of lines.filter((one) => one !== '' && !one.startsWith('#'))) {
    const [, instruction, text] = /^(\w+) +(.*)$/.exec(line) as unknown as [string, string, string];
    const within = join(stage.root, stage.workdir);
    if (instruction === 'FROM') {
      stage = { root: make(join(folder, / AS (\w+)$/.exec(text)?.[1] ?? 'image')), env: {}, workdir: '/' };
    } else if (instruction === 'ENV') {
      const [name, value] = text.split('=', 2) as [string, string];
      stage.env[name] = value;
    } else if (instruction === 'WORKDIR') {
      make(join(stage.root, text));
      stage.workdir = text;
    } else if (instruction === 'COPY') {
      const [, from, owner, words] = /^(?:--from=(\w+) )?(--chown=\S+ )?(.*)$/.exec(text)!;
      const paths = words!.split(' ');
      const to = paths.pop()!;
      const target = to.startsWith('/') ? join(stage.root, to) : join(within, to);
      for (const path of paths) {
        const copied = to.endsWith('/') && path !== '.' ? join(target, basename(path)) : target;
        cpSync(join(from === undefined ? context : join(folder, from), path), copied, {
          recursive: true,
          verbatimSymlinks: true,
        });
        // as in a real build, other files belong to root
        if (owner !== undefined) chownSync(copied, runner.uid, runner.gid);
      }
    } else if (instruction === 'RUN') {
      await run(resolve(within, text), { ...runner, cwd: within, env: { ...env, ...stage.env } });
    } else if (instruction === 'USER') stage.user = text;
    else if (instruction === 'CMD') stage.command = JSON.parse(text);
    else if (instruction === 'HEALTHCHECK') stage.healthCheck = JSON.parse(text.slice(text.indexOf('[')));
    else if (!['ARG', 'EXPOSE', 'VOLUME'].includes(instruction)) throw new Error(`Unknown instruction: ${instruction}`);
  }
  return stage;
}
