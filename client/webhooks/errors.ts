/**
 * The signature is missing, unreadable, or made for another body or token. The message says which, but never contains
 * the right signature. Express responds with `status` if it receives the error.
 */
export class WebhookSignatureError extends Error {
  readonly status = 401;

  constructor(message: string) {
    super(message);
    this.name = 'WebhookSignatureError';
  }
}

/**
 * The body is not an event (400), is too large (413), or was parsed before verification, so that its bytes are lost
 * (500). Express responds with `status` if it receives the error.
 */
export class WebhookBodyError extends Error {
  readonly status: 400 | 413 | 500;

  constructor(message: string, status: 400 | 413 | 500 = 400, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WebhookBodyError';
    this.status = status;
  }
}
