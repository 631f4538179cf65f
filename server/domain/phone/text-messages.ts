export interface TextMessages {
  /** @param to E.164. Rejects when the message could not be submitted */
  send(to: string, text: string): Promise<void>;
  /** The latest message to a number, from a simulated sender that reaches no phone; absent for a real one. */
  readonly latestTo?: (to: string) => string | undefined;
}
