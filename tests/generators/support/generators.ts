import { join } from 'node:path';
import { contract } from '../../../scripts/contract/read.ts';
import type { LiveAnswer } from './live-answers.ts';

/** The part of the interface that Zod 3 and 4 share. */
export interface Schema {
  safeParse(value: unknown): { readonly success: boolean; readonly error?: { readonly issues: readonly unknown[] } };
}

type Module = Readonly<Record<string, unknown>>;
type Answered = Omit<LiveAnswer, 'body'>;

interface Schemas {
  readonly file: string;
  /** The schema of a response; null if the generator deliberately makes none. */
  readonly of: (module: Module, answer: Answered) => unknown;
}

interface Types {
  readonly file: string;
  /** The type of a response, as an export of the module `made`. */
  readonly of: (answer: Answered) => string;
  /** The type of a component. By default, it has the name of the component. */
  readonly component?: (name: string) => string;
  /** Whether the generated types are known to omit this response. */
  readonly lacks?: (answer: LiveAnswer) => boolean;
}

interface Generator {
  /** What to compile, if not all that it makes. */
  readonly compiled?: string;
  readonly schemas?: Schemas;
  readonly types?: Types;
}

const pascal = (id: string) => id[0]!.toUpperCase() + id.slice(1);
const isSuccess = ({ status }: Answered) => status < 400;
const byName = (name: string) => `made.${name}`;

/** Where each generator puts the types and the schemas of a response. */
export const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-typescript': {
    types: {
      file: 'api.ts',
      of: ({ operation, status, mediaType }) =>
        `made.operations['${operation}']['responses'][${status}]['content']['${mediaType}']`,
      component: (name) => `made.components['schemas']['${name}']`,
    },
  },
  'hey-api': {
    types: {
      file: 'types.gen.ts',
      of: (answer) => `made.${pascal(answer.operation)}${isSuccess(answer) ? 'Responses' : 'Errors'}[${answer.status}]`,
    },
    schemas: {
      file: 'zod.gen.ts',
      of: (module, answer) =>
        module[isSuccess(answer) ? `z${pascal(answer.operation)}Response` : `z${answer.component}`],
    },
  },
  orval: {
    types: { file: 'client.ts', of: ({ component }) => byName(component) },
    schemas: {
      file: 'schemas.ts',
      of: (module, { operation, status, mediaType }) =>
        mediaType === 'text/html' ? null : module[`${operation}${status}Response`],
    },
  },
  kubb: {
    types: { file: 'index.ts', of: ({ operation, status }) => `made.${pascal(operation)}${status}` },
    schemas: { file: 'index.ts', of: (module, { operation, status }) => module[`${operation}${status}Schema`] },
  },
  'typed-openapi': {
    types: {
      file: 'api.ts',
      of: ({ method, path, status }) => `made.EndpointByMethod['${method}']['${path}']['responses'][${status}]`,
      component: (name) => `made.Schemas.${name}`,
    },
    schemas: { file: 'schemas.ts', of: (module, { component }) => module[component] },
  },
  'openapi-zod-client': {
    schemas: {
      file: 'api.ts',
      of: ({ api }, { operation, status, mediaType }) => {
        const endpoint = (api as Zodios).api.find(({ alias }) => alias === operation);
        if (mediaType === 'text/html') return null;
        return endpoint?.errors?.find((error) => error.status === status)?.schema ?? endpoint?.response;
      },
    },
  },
  'swagger-typescript-api': {
    types: { file: 'api.ts', of: ({ component }) => byName(component) },
  },
  'rtk-query': {
    types: { file: 'api.ts', of: ({ component }) => byName(component) },
  },
  oazapfts: {
    types: { file: 'api.ts', of: ({ component }) => byName(component) },
  },
  'ng-openapi-gen': {
    compiled: 'src/models.ts',
    types: { file: 'models.ts', of: ({ component }) => byName(component) },
  },
  'openapi-client-axios': {
    types: { file: 'api.ts', of: ({ component }) => byName(component) },
  },
  'openapi-typescript-codegen': {
    types: { file: 'index.ts', of: ({ component }) => byName(component), lacks: sharesItsSchema },
  },
};

/** Whether a later code of the failure has the same schema. openapi-typescript-codegen keeps only the last one. */
function sharesItsSchema({ component, body }: LiveAnswer): boolean {
  const { mapping = {} } = contract.components!.schemas![component]!.discriminator ?? {};
  const code = (body as { readonly error?: string }).error ?? '';
  const sharing = Object.keys(mapping).filter((other) => mapping[other] === mapping[code]);
  return sharing.includes(code) && sharing.at(-1) !== code;
}

interface Zodios {
  readonly api: ReadonlyArray<{
    readonly alias: string;
    readonly response: unknown;
    readonly errors?: ReadonlyArray<{ readonly status: number; readonly schema: unknown }>;
  }>;
}

/**
 * Imports the generated schemas from a folder. @returns a function from a response to its schema. It throws an Error if
 * there is none
 */
export async function schemasIn(folder: string, { file, of }: Schemas): Promise<(answer: Answered) => Schema | null> {
  const module: Module = await import(join(folder, 'src', file));
  return (answer) => {
    const schema = of(module, answer);
    if (schema === undefined) throw new Error(`No schema found for ${answer.operation} ${answer.status}.`);
    return schema as Schema | null;
  };
}

/** Returns a module that assigns each response to its type, and narrows a ride and a failure. */
export function moduleOfAnswers(
  { file, of, component = byName, lacks }: Types,
  answers: readonly LiveAnswer[],
): string {
  const values = answers.map((answer, index) => {
    const value = `export const answer${index}: ${of(answer)} = ${JSON.stringify(answer.body)};`;
    // the compiler also fails if there is no error after this comment
    return lacks?.(answer) ? `// @ts-expect-error\n${value}` : value;
  });
  return `import type * as made from './src/${file.replace('.ts', '')}';

${values.join('\n')}

export function driverOf(ride: ${component('Ride')}): string | null {
  return ride.status === 'accepted' ? ride.driver.first_name : null;
}

export function tokenOf(failure: ${component('RideRequestFailure')}): string | null {
  return failure.error === 'primetime_confirmation_required' ? failure.cost_token : null;
}
`;
}
