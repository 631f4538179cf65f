import type { Logger } from 'pino';
import { compiledValidators } from '../validators.ts';
import { compiledGuard } from './compiled-guard.ts';
import type { ContractGuard } from './contract-guard.ts';

/**
 * The guard of a server: made of the validators that were compiled at build, or, if they do not fit, of
 * express-openapi-validator's own middleware.
 */
export async function chooseGuard(logger: Logger, validators = compiledValidators()): Promise<ContractGuard> {
  if (validators !== null) return compiledGuard(validators);
  logger.warn(
    'the validators in dist/ are missing or do not fit, so requests take longer: stop the server and run npm run validators',
  );
  const { stockGuard } = await import('./stock-guard.ts');
  return stockGuard();
}
