/** One difference between two descriptions of an API, as `redocly diff` reports it. */
export interface Change {
  /** A JSON pointer from the operation or webhook to the change, through any $refs. */
  readonly path: string;
  /** The type of what changed: Operation, Parameter, Schema. */
  readonly typeName: string;
  readonly kind: 'added' | 'removed' | 'modified';
  /** The part of the version to increase. A major change breaks clients. */
  readonly impact: 'major' | 'minor' | 'patch';
  /** The keyword that was modified. */
  readonly property?: string;
  readonly verdicts: readonly { readonly message: string }[];
  readonly base?: Side;
  readonly revision?: Side;
  /** The name of the parameter or tag at the path. */
  readonly name?: string;
}

/** One side of the change. If a component changed, the pointer leads to the component. */
interface Side {
  readonly pointer: string;
  readonly value?: unknown;
}
