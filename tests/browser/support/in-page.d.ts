interface Seen {
  /** Pixels by which the page is wider than the window. */
  readonly overflow: number;
  /** URLs of the pictures that do not show. */
  readonly broken: readonly string[];
  readonly headings: number;
}

export interface Focus {
  /** The accessible name. */
  readonly name: string;
  readonly isOutlined: boolean;
  /** Whether the whole element is in the window. */
  readonly isInSight: boolean;
  /** Pixels from the top of the page. */
  readonly top: number;
  readonly left: number;
}

export function write(markup: string): Promise<void>;
export function whatIsSeen(): Seen;
export function brokenAmong(urls: readonly string[]): Promise<string[]>;
export function violations(rules: readonly string[]): Promise<string[]>;
export function hasBegun(): boolean;
export function focusSeen(): Focus | null;
