import type { z } from 'zod';
import type { Audit, AuditEvent } from '../audit.ts';
import type { Store } from '../store/open.ts';

export interface OperatorParts {
  readonly store: Pick<Store, 'db' | 'transaction'>;
  /** Real milliseconds UTC. */
  readonly now: () => number;
  readonly randomBytes: (size: number) => Uint8Array;
  readonly audit: Audit;
}

/** Something that an operator can have done. It throws a Refusal, whose description the operator reads. */
export interface OperatorCommand<Input, Output> {
  readonly input: z.ZodType<Input>;
  readonly run: (parts: OperatorParts, input: Input) => Promise<Output>;
  /** What the audit trail says about a change; absent for a command that changes nothing. */
  readonly audited?: (output: Output) => AuditEvent;
}

/** Infers the types of a command from its parts. */
export function operatorCommand<Input, Output>(
  command: OperatorCommand<Input, Output>,
): OperatorCommand<Input, Output> {
  return command;
}
