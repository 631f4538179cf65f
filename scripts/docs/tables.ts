/** A Markdown table: its header, the line below it, and its rows. */
const TABLE = /^\|(.+)\|\n\|[ :|-]+\|\n(?:\|.*\|(?:\n|$))*/gm;

/**
 * Wraps each table in the descriptions of a contract in an element with the column names as CSS variables, so that the
 * styles can show the name of a cell's column next to it.
 */
export function withColumnNames<T extends object>(contract: T): T {
  const inTables = (key: string, value: unknown) =>
    key === 'description' && typeof value === 'string' ? value.replace(TABLE, withVariables) : value;
  return JSON.parse(JSON.stringify(contract, inTables));
}

function withVariables(table: string, header: string): string {
  const variables = header.split('|').map((name, index) => `--column-${index + 1}:'${name.trim()}'`);
  return `<div style="${variables.join(';')}">\n\n${table.trimEnd()}\n\n</div>\n`;
}
