import { commandLine, runScript } from '../server/cli/command-line.ts';
import { VALIDATORS_FOLDER } from '../server/files.ts';
import { writeValidators } from './build/validators.ts';

const HELP = `Compiles the schemas of the contract to dist/validators/, from which the server loads them.

  npm run validators

  --help    this text

npm ci, npm run generate and npm run build do this too. Without current validators, the server starts more slowly and
validates with express-openapi-validator's own middleware.`;

await commandLine(HELP, {});
await runScript(() => writeValidators(VALIDATORS_FOLDER));
