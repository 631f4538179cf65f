/**
 * The one expected error: a request that the rules refuse. Its HTTP status is not here; the contract knows it
 * from the operation and the code.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /**
   * @param code the `error` of the failure body
   * @param description the `error_description`; written for people, and safe to show them
   * @param detail parameter name to what is wrong with it, one `error_detail` pair each
   * @param extra further fields that the contract gives this code (Prime Time, cancel confirmation, error_uri)
   */
  constructor(
    readonly code: string,
    readonly description: string,
    readonly detail: Readonly<Record<string, string>> = {},
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(`${code}: ${description}`);
  }
}
