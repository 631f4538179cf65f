import { spawnSync } from 'node:child_process';
import { commandLine } from '../server/cli/command-line.ts';
import { builtServer } from './support/built-server.ts';

const HELP = `Runs every check of a push, in four stages. Stops after a stage in which a check failed.

  npm run check

  --help    this text

1. lint, check:generated, diff and typecheck, in parallel
2. test, then test:full
3. conformance -- --check, coverage:contract and workflows, in parallel
4. bench -- ratios: fails if an operation costs much more than recorded`;

const IN_PARALLEL = ['run-p', '--aggregate-output', '--continue-on-error'] as const;
const STAGES = [
  [...IN_PARALLEL, 'lint', 'check:generated', 'diff', 'typecheck'],
  ['run-s', '--continue-on-error', 'test', 'test:full'],
  [...IN_PARALLEL, 'workflows', 'conformance -- --check', 'coverage:contract'],
  ['run-s', '--silent', 'bench -- ratios'],
] as const;

await commandLine(HELP, {});
// every check that starts a server starts this one
process.env.BUILT_SERVER = await builtServer();
const failed = STAGES.find(
  ([program, ...tasks]) => spawnSync(`node_modules/.bin/${program}`, tasks, { stdio: 'inherit' }).status !== 0,
);
if (failed !== undefined) process.exitCode = 1;
