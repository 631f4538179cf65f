import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

/**
 * Maps camelCase names in code to snake_case names in the database. Kysely's own plugin also inspects the values of
 * each row, which is wasted work: no column contains an object.
 */
export class CamelCaseNames extends CamelCasePlugin {
  constructor() {
    super({ underscoreBetweenUppercaseLetters: true });
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    // all rows of a result have the same columns
    if (first === undefined || !Object.keys(first).some((name) => name.includes('_'))) return result;
    return { ...result, rows: result.rows.map((row) => this.mapRow(row)) };
  }

  protected override mapRow(row: UnknownRow): UnknownRow {
    const renamed: UnknownRow = {};
    for (const name in row) renamed[this.camelCase(name)] = row[name];
    return renamed;
  }
}
