/**
 * The signature is missing, unreadable, or that of another body or token. The message says which, and never what would have
 * been right. Express answers with `status` when the error is left to it.
 */
export class WebhookSignatureError extends Error {
  readonly status = 401;

  constructor(message: string) {
    super(message);
    this.name = 'WebhookSignatureError';
  }
}

/**
 * The body is no event (400), is too large (413), or is not there as it arrived because something on this side has parsed it
 * already (500). Express answers with `status` when the error is left to it.
 */
export class WebhookBodyError extends Error {
  constructor(
    message: string,
    readonly status: 400 | 413 | 500 = 400,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'WebhookBodyError';
  }
}
