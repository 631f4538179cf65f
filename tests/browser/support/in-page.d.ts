interface Seen {
  /** Pixels by which the page is wider than the window. */
  readonly overflow: number;
  /** URLs of the pictures that do not show. */
  readonly broken: readonly string[];
  /** The texts of the buttons that are below the window. */
  readonly unseen: readonly string[];
  /** The code without a button that copies it. */
  readonly uncopied: readonly string[];
  readonly headings: number;
}

export interface Focus {
  /** The accessible name. */
  readonly name: string;
  readonly isOutlined: boolean;
  /** Whether the whole element is in the window. */
  readonly isInSight: boolean;
}

export function write(markup: string): Promise<void>;
export function whatIsSeen(asked: string): Seen;
export function violations(rules: readonly string[]): Promise<string[]>;
export function hasBegun(): boolean;
export function focusSeen(): Focus | null;
export function focusFaults(): string[];
export function recordHeadings(): void;
export function recordHeadings(): void;
