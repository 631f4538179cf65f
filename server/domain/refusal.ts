/** The only expected error: a rule refuses a request. The contract defines its HTTP status, by operation and code. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /**
   * @param code the `error` of the failure body
   * @param description the `error_description`; written for people and safe to show to them
   * @param detail what is wrong, by parameter name; each entry becomes an `error_detail` pair
   * @param extra further fields of this code in the contract (Prime Time, cancel confirmation, error_uri)
   */
  constructor(
    readonly code: string,
    readonly description: string,
    readonly detail: Readonly<Record<string, string>> = {},
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    // no one reads where a refusal was thrown, and a stack trace costs more than the response
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(`${code}: ${description}`);
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** A Refusal `bad_parameter` with the same sentence for the whole request and for one of its fields. */
export function wrongField(field: string, problem: string): Refusal {
  return new Refusal('bad_parameter', problem, { [field]: problem });
}
