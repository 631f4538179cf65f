import type { Logger } from 'pino';
import { compiledValidators } from '../validators.ts';
import { compiledGuard } from './compiled-guard.ts';
import type { ContractGuard } from './contract-guard.ts';

/** The guard of a server: of the validators compiled at build, or of the package's middleware if they do not fit. */
export async function chooseGuard(logger: Logger, validators = compiledValidators()): Promise<ContractGuard> {
  if (validators !== null) return compiledGuard(validators);
  logger.warn(
    'the validators in dist/ are missing or do not fit, so requests take longer: stop the server and run npm run validators',
  );
  const { stockGuard } = await import('./stock-guard.ts');
  return stockGuard();
}
