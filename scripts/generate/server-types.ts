/** The part of generated/server.ts that is the same for every contract: the types of handlers and responses. */
export const SERVER_TYPES = `
/** The codes with which an operation may refuse, each with its status in \`OPERATIONS[…].failures\`. */
export type FailureCode<Op extends OperationId = OperationId> = Op extends OperationId
  ? keyof (typeof OPERATIONS)[Op]['failures']
  : never;

/** The codes with which an operation sends a browser back to an application. */
export type RedirectError = (typeof OPERATIONS)[OperationId]['redirectErrors'][number];

/** The security schemes that an operation accepts; \`nobody\` where none is needed. */
export type SchemeOf<Op extends OperationId> = Op extends OperationId
  ? (typeof OPERATIONS)[Op]['security'] extends readonly []
    ? 'nobody'
    : (typeof OPERATIONS)[Op]['security'][number]['scheme']
  : never;
export type SecurityScheme = SchemeOf<OperationId>;

export type Tag = (typeof OPERATIONS)[OperationId]['tag'];

/** The statuses a handler answers with; every other one is a refusal, and is thrown. */
export type SuccessStatus<Op extends OperationId> = Extract<keyof operations[Op]['responses'], 200 | 201 | 202 | 204 | 302 | 303>;

type Nothing = Record<never, never>;
type Given<T> = [NonNullable<T>] extends [never] ? Nothing : NonNullable<T>;
type Content<T> = T extends { content: infer Media } ? Media[keyof Media] : undefined;
type Declared<T> = { readonly [Name in keyof T as string extends Name ? never : Name]?: T[Name] };

export type PathParameters<Op extends OperationId> = Given<operations[Op]['parameters']['path']>;

type DeclaredQuery<Op extends OperationId> = Given<operations[Op]['parameters']['query']>;

/** Query parameters as a handler sees them: coerced, and with their defaults filled in. */
export type Query<Op extends OperationId> = Op extends keyof DefaultedQuery
  ? DeclaredQuery<Op> & Required<Pick<DeclaredQuery<Op>, DefaultedQuery[Op] & keyof DeclaredQuery<Op>>>
  : DeclaredQuery<Op>;

/** A body as a handler sees it. Null in a field is the same as leaving it out, unless it is a value there. */
type WithoutNulls<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]: Name extends NullIsValue ? T[Name] : WithoutNulls<Exclude<T[Name], null>> }
    : T;

/** The request's body; undefined where none is declared, or an optional one was left out. */
export type Body<Op extends OperationId> = WithoutNulls<Content<operations[Op]['requestBody']>>;

export type ResponseBody<Op extends OperationId, Status extends SuccessStatus<Op>> = Content<operations[Op]['responses'][Status]>;

type ResponseHeaders<Op extends OperationId, Status extends SuccessStatus<Op>> =
  operations[Op]['responses'][Status] extends { headers: infer Headers } ? Declared<Headers> : Nothing;

declare const answered: unique symbol;

/** What a handler returns: made by \`reply\` alone, so that nothing undeclared can be answered. */
export interface Answer<Op extends OperationId = OperationId> {
  readonly [answered]: Op;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Answers with a declared status, the body that the contract gives it, and any of its declared headers. */
export type Reply<Op extends OperationId> = <Status extends SuccessStatus<Op>>(
  status: Status,
  ...rest: [ResponseBody<Op, Status>] extends [undefined]
    ? [body?: undefined, headers?: ResponseHeaders<Op, Status>]
    : [body: ResponseBody<Op, Status>, headers?: ResponseHeaders<Op, Status>]
) => Answer<Op>;

/** A request that has passed the contract. */
export interface Incoming<Op extends OperationId, Context> {
  readonly params: PathParameters<Op>;
  readonly query: Query<Op>;
  readonly body: Body<Op>;
  readonly context: Context;
}

/** \`Contexts\` says, by security scheme, what the server knows of the caller; an operation sees those of its own schemes. */
export type Handler<Op extends OperationId, Contexts extends Record<SecurityScheme, unknown>> = (
  request: Incoming<Op, Contexts[SchemeOf<Op>]>,
  reply: Reply<Op>,
) => Answer<Op> | Promise<Answer<Op>>;

/** Any handler, as the code that mounts them all sees it. */
export type AnyHandler<Context = unknown> = (
  request: { params: unknown; query: unknown; body: unknown; context: Context },
  reply: AnyReply,
) => Answer | Promise<Answer>;

export type AnyReply = (status: number, body?: unknown, headers?: Readonly<Record<string, unknown>>) => Answer;

/** The one \`reply\` there is: pass it to every handler. */
export const reply: AnyReply = (status, body, headers = {}) => ({ status, body, headers }) as Answer;

/** The handlers of one tag: what a file of server/http/operations/ implements. */
export type HandlersTagged<T extends Tag, Contexts extends Record<SecurityScheme, unknown>> = Pick<
  Handlers<Contexts>,
  { [Op in OperationId]: (typeof OPERATIONS)[Op]['tag'] extends T ? Op : never }[OperationId]
>;
`;
