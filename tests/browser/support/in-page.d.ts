interface Seen {
  /** Pixels by which the page is wider than the window. */
  readonly overflow: number;
  /** Pictures that do not show. */
  readonly broken: readonly string[];
  readonly headings: number;
}

export function whatIsSeen(): Seen;
export function brokenAmong(urls: readonly string[]): Promise<string[]>;
export function faintTexts(): string[];
