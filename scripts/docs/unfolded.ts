/** A block of code, which stays as it is. */
const CODE = /(^ *```.*?^ *```)/ms;
/** The end of a line that the next one continues: that one is no list item, table row, heading, quote or code. */
const FOLD = /(?<=\S)\n *(?=\S)(?![-*+] |[|>#]|\d+\. |```)/g;

/** A copy with each paragraph on one line: the search of Redoc joins the words at both sides of a line end. */
export function unfolded<T>(value: T): T {
  const text = JSON.stringify(value, (key, inner) =>
    key === 'description' && typeof inner === 'string'
      ? inner
          .split(CODE)
          .map((part, index) => (index % 2 === 0 ? part.replace(FOLD, ' ') : part))
          .join('')
      : inner,
  );
  return JSON.parse(text);
}
