/** The part of generated/server.ts that does not depend on the contract: the types of handlers and responses. */
export const SERVER_TYPES = `
/** The error codes of an operation. \`OPERATIONS[…].failures\` has their statuses. */
export type FailureCode<Op extends OperationId = OperationId> = Op extends OperationId
  ? keyof (typeof OPERATIONS)[Op]['failures']
  : never;

/** The error codes in an operation's redirects to an application. */
export type RedirectError = (typeof OPERATIONS)[OperationId]['redirectErrors'][number];

/** The security schemes that an operation accepts; \`nobody\` if it needs no credentials. */
export type SchemeOf<Op extends OperationId> = Op extends OperationId
  ? (typeof OPERATIONS)[Op]['security'] extends readonly []
    ? 'nobody'
    : (typeof OPERATIONS)[Op]['security'][number]['scheme']
  : never;
export type SecurityScheme = SchemeOf<OperationId>;

export type Tag = (typeof OPERATIONS)[OperationId]['tag'];

/** The statuses that a handler can return. For all other statuses, it throws a refusal. */
export type SuccessStatus<Op extends OperationId> = Extract<keyof operations[Op]['responses'], 200 | 201 | 202 | 204 | 302 | 303>;

type Nothing = Record<never, never>;
type Given<T> = [NonNullable<T>] extends [never] ? Nothing : NonNullable<T>;
type Content<T> = T extends { content: infer Media } ? Media[keyof Media] : undefined;
type Declared<T> = { readonly [Name in keyof T as string extends Name ? never : Name]?: T[Name] };

export type PathParameters<Op extends OperationId> = Given<operations[Op]['parameters']['path']>;

type DeclaredQuery<Op extends OperationId> = Given<operations[Op]['parameters']['query']>;

/** Query parameters as a handler gets them: coerced, and with defaults. */
export type Query<Op extends OperationId> = Op extends keyof DefaultedQuery
  ? DeclaredQuery<Op> & Required<Pick<DeclaredQuery<Op>, DefaultedQuery[Op] & keyof DeclaredQuery<Op>>>
  : DeclaredQuery<Op>;

/** A body as a handler gets it. A null field is omitted, unless null is a value of the field. */
type WithoutNulls<T> = T extends readonly unknown[]
  ? T
  : T extends object
    ? { [Name in keyof T]: Name extends NullIsValue ? T[Name] : WithoutNulls<Exclude<T[Name], null>> }
    : T;

/** The request body; undefined if the operation declares none or the request omits an optional one. */
export type Body<Op extends OperationId> = WithoutNulls<Content<operations[Op]['requestBody']>>;

export type ResponseBody<Op extends OperationId, Status extends SuccessStatus<Op>> = Content<operations[Op]['responses'][Status]>;

type ResponseHeaders<Op extends OperationId, Status extends SuccessStatus<Op>> =
  operations[Op]['responses'][Status] extends { headers: infer Headers } ? Declared<Headers> : Nothing;

declare const answered: unique symbol;

/** What a handler returns. Only \`reply\` can make it, so a handler cannot return anything undeclared. */
export interface Answer<Op extends OperationId = OperationId> {
  readonly [answered]: Op;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** Makes a response with a declared status, its declared body, and any of its declared headers. */
export type Reply<Op extends OperationId> = <Status extends SuccessStatus<Op>>(
  status: Status,
  ...rest: [ResponseBody<Op, Status>] extends [undefined]
    ? [body?: undefined, headers?: ResponseHeaders<Op, Status>]
    : [body: ResponseBody<Op, Status>, headers?: ResponseHeaders<Op, Status>]
) => Answer<Op>;

/** A validated request. */
export interface Incoming<Op extends OperationId, Context> {
  readonly params: PathParameters<Op>;
  readonly query: Query<Op>;
  readonly body: Body<Op>;
  readonly context: Context;
}

/** \`Contexts\` maps each security scheme to what the server knows about the caller. A handler gets those of its schemes. */
export type Handler<Op extends OperationId, Contexts extends Record<SecurityScheme, unknown>> = (
  request: Incoming<Op, Contexts[SchemeOf<Op>]>,
  reply: Reply<Op>,
) => Answer<Op> | Promise<Answer<Op>>;

/** The type of any handler, for the code that mounts them. */
export type AnyHandler<Context = unknown> = (
  request: { params: unknown; query: unknown; body: unknown; context: Context },
  reply: AnyReply,
) => Answer | Promise<Answer>;

export type AnyReply = (status: number, body?: unknown, headers?: Readonly<Record<string, unknown>>) => Answer;

/** The only \`reply\`. Pass it to every handler. */
export const reply: AnyReply = (status, body, headers = {}) => ({ status, body, headers }) as Answer;

/** The handlers of one tag, which a file of server/http/operations/ implements. */
export type HandlersTagged<T extends Tag, Contexts extends Record<SecurityScheme, unknown>> = Pick<
  Handlers<Contexts>,
  { [Op in OperationId]: (typeof OPERATIONS)[Op]['tag'] extends T ? Op : never }[OperationId]
>;
`;
