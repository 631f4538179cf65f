import { execFile } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The result of a stage of a Dockerfile. A folder stands for its root. */
export interface Stage {
  readonly root: string;
  readonly workdir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user?: string;
  readonly command?: readonly string[];
  readonly healthCheck?: readonly string[];
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
export async function buildImage(dockerfile: string, options: Options): Promise<Stage> {
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [instruction, text] of instructionsIn(readFileSync(dockerfile, 'utf8'))) {
    if (instruction === 'ARG') continue;
    if (instruction === 'FROM') {
      const name = / AS (\w+)$/.exec(text)?.[1] ?? 'image';
      stage = { root: join(options.folder, name), workdir: '/', env: {} };
      make(stage.root, options.runner);
      stages.set(name, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${instruction} before FROM`);
    stage = await take(stage, instruction, text, stages, options);
    stages.set(basename(stage.root), stage);
  }
  if (stage === undefined) throw new Error('No stage');
  return stage;
}

async function take(
  stage: Stage,
  instruction: string,
  text: string,
  stages: ReadonlyMap<string, Stage>,
  options: Options,
): Promise<Stage> {
  switch (instruction) {
    case 'ENV': {
      const [, name, value] = /^(\w+)=(.*)$/.exec(text)!;
      return { ...stage, env: { ...stage.env, [name!]: value! } };
    }
    case 'WORKDIR':
      make(join(stage.root, text), options.runner);
      return { ...stage, workdir: text };
    case 'COPY':
      copy(stage, text.split(' '), stages, options);
      return stage;
    case 'RUN': {
      const env = { ...options.env, ...stage.env };
      await run(join(stage.root, stage.workdir, text), {
        ...options.runner,
        cwd: join(stage.root, stage.workdir),
        env,
      });
      return stage;
    }
    case 'USER':
      return { ...stage, user: text };
    case 'HEALTHCHECK':
      return { ...stage, healthCheck: JSON.parse(text.slice(text.indexOf('['))) };
    case 'CMD':
      return { ...stage, command: JSON.parse(text) };
    case 'EXPOSE':
    case 'VOLUME':
      return stage;
    default:
      throw new Error(`Unknown instruction: ${instruction}`);
  }
}

/** As in a real build, copied files belong to root unless there is a `--chown`. */
function copy(stage: Stage, words: string[], stages: ReadonlyMap<string, Stage>, { context, runner }: Options): void {
  const flag = (name: string) => words.find((word) => word.startsWith(`--${name}=`))?.split('=')[1];
  const paths = words.filter((word) => !word.startsWith('--'));
  const from = flag('from');
  const origin = from === undefined ? context : stages.get(from)!.root;
  const to = paths.pop()!;
  const target = to.startsWith('/') ? join(stage.root, to) : join(stage.root, stage.workdir, to);
  for (const path of paths) {
    const isIntoFolder = to.endsWith('/') && path !== '.';
    const copied = isIntoFolder ? join(target, basename(path)) : target;
    if (!existsSync(join(origin, path))) throw new Error(`COPY finds no ${path}`);
    cpSync(join(origin, path), copied, { recursive: true, verbatimSymlinks: true });
    if (flag('chown') !== undefined) chownSync(copied, runner.uid, runner.gid);
  }
}

function make(folder: string, { uid, gid }: Runner): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  chownSync(folder, uid, gid);
}

/** Each instruction with its text. A backslash continues a line. */
function instructionsIn(text: string): [string, string][] {
  const lines = text.replace(/\\\n\s*/g, ' ').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const end = line.indexOf(' ');
      return [line.slice(0, end), line.slice(end + 1).trim()];
    });
}
