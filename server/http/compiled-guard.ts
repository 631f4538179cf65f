import type { ErrorObject } from 'ajv';
import type { Logger } from 'pino';
import { own } from '../domain/own.ts';
import { compiledValidators, inWords, type Validators } from '../validators.ts';
import { type ContractGuard, mediaTypeIn, type Violation } from './contract-guard.ts';

const NO_VIOLATIONS: readonly Violation[] = [];

/** Judges with the validators that were compiled at build. */
export function compiledGuard({ parameters, bodies, responses }: Validators): ContractGuard {
  return {
    violationsIn: (operation, request) => {
      const checkParameters = parameters[operation]!;
      const checkBody =
        request.body === undefined ? undefined : own(bodies, `${operation} ${mediaTypeIn(operation, request.headers)}`);
      // both convert and add defaults, so both have to run
      const areParametersSound = checkParameters(request);
      const isBodySound = checkBody?.(request) ?? true;
      if (areParametersSound && isBodySound) return NO_VIOLATIONS;
      return [...(checkParameters.errors ?? []), ...(checkBody?.errors ?? [])].map(violationOf);
    },
    problemWith: (operation, { status, body }) => {
      const check = responses[`${operation} ${status}`];
      if (check === undefined) return `status ${status} is not declared`;
      if (check === null) return body === undefined ? null : 'a body is not declared';
      if (body === undefined || body === null) return 'the body is missing';
      return check({ response: body }) ? null : inWords(check.errors!);
    },
  };
}

/** As express-openapi-validator reports it: the path has the name of a missing or unknown field, unless it is empty. */
function violationOf({ instancePath, keyword, params, message = '' }: ErrorObject): Violation {
  const name: string | undefined = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  const path = name === undefined ? instancePath : name && `${instancePath}/${name}`;
  return { path, message, errorCode: keyword };
}

/** The guard of a server: of the validators compiled at build, or of the package's middleware if they do not fit. */
export async function chooseGuard(logger: Logger, validators = compiledValidators()): Promise<ContractGuard> {
  if (validators !== null) return compiledGuard(validators);
  logger.warn(
    'the validators in dist/ are missing or do not fit, so requests take longer: stop the server and run npm run validators',
  );
  const { stockGuard } = await import('./stock-guard.ts');
  return stockGuard();
}
