import { execFile } from 'node:child_process';
import { commandLine } from '../server/cli/command-line.ts';

const HELP = `Lints the contract (Spectral, Redocly), the code (Biome) and the prose (scripts/words.ts), in parallel.

  npm run lint

  --help    this text`;

const SPECTRAL = ['lint', 'openapi.yaml', 'webhooks.yaml', '--fail-severity', 'hint', '--quiet'];
const LINTERS = [
  ['spectral', ...SPECTRAL],
  ['redocly', 'lint', '--max-problems', '50'],
  ['biome', 'check'],
  ['tsx', 'scripts/words.ts'],
] as const;

await commandLine(HELP, {});
const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
for (const [program, ...parameters] of LINTERS) {
  execFile(`node_modules/.bin/${program}`, parameters, { env }, (error, stdout, stderr) => {
    process.stdout.write(stdout + stderr);
    if (error === null) return;
    console.error(`${program} failed.`);
    process.exitCode = 1;
  });
}
