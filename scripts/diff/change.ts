/** One difference between two descriptions of an API, as `redocly diff` reports it. */
export interface Change {
  /** A JSON pointer to the change, from an operation or a webhook on and through its $refs. */
  readonly path: string;
  /** The type of what changed: Operation, Parameter, Schema. */
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  /** The part of the version to raise; major breaks a client. */
  readonly impact: 'major' | 'minor' | 'patch';
  /** The keyword that was modified. */
  readonly property?: string;
  readonly verdicts: readonly { readonly message: string }[];
  readonly base?: Side;
  readonly revision?: Side;
}

/** One side of the change. The pointer leads to the component, if it is one. */
interface Side {
  readonly pointer: string;
  readonly value?: unknown;
}
