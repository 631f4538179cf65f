/** The package has no types that TypeScript finds. */
declare module 'unicode-confusables' {
  /** The text with each character replaced by the one that it looks like (UTS 39, section 4). */
  export function rectifyConfusion(text: string): string;
}
