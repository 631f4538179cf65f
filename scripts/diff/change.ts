/** One difference between two descriptions of an API, as `redocly diff` reports it. */
export interface Change {
  /** A JSON pointer to where it tells: from an operation or a webhook on, through whatever is referred to. */
  readonly path: string;
  /** What stands there: Operation, Parameter, Schema. */
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  /** The part of the version that it asks for; major breaks a client. */
  readonly impact: 'major' | 'minor' | 'patch';
  /** The keyword that was modified. */
  readonly property?: string;
  readonly verdicts: readonly { readonly message: string }[];
  readonly base?: Side;
  readonly revision?: Side;
}

/** What stands in one of the two descriptions; its pointer leads to the component, if it is one. */
interface Side {
  readonly pointer: string;
  readonly value?: unknown;
}
