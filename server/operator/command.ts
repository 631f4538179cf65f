import type { z } from 'zod';
import type { Audit, AuditEvent } from '../audit.ts';
import type { Parts } from '../parts.ts';

/**
 * Entries of a list that a command prints. That of applications fits all of one developer.
 * @beyond the next list continues
 */
export const MOST_LISTED = { developers: 100, applications: 50, passengers: 100 } as const;

/** Settings for a command, from the server that runs it or from its own environment. */
export interface OperatorSettings extends Pick<Parts, 'webhookTargets' | 'portalSignUp'> {
  readonly databaseUrl: string;
  /** Null if it isn't set. Required only by commands that create links. */
  readonly publicUrl: string | null;
}

export interface OperatorParts
  extends Omit<OperatorSettings, 'databaseUrl'>,
    Pick<Parts, 'store' | 'now' | 'randomBytes'> {
  readonly audit: Audit;
}

/** An operator's command. Throws a Refusal whose description is for the operator. */
export interface OperatorCommand<Input, Output> {
  readonly input: z.ZodType<Input>;
  readonly run: (parts: OperatorParts, input: Input) => Promise<Output>;
  /** The audit event. Absent if nothing changes or `run` already audits it. */
  readonly audited?: (output: Output) => AuditEvent;
  /** Creates a missing database, because operators may run this command first. */
  readonly makesDatabase?: true;
  /** Changes nothing, so it does not migrate the database either. */
  readonly onlyReads?: true;
}

/** Infers the types of a command from its parts. */
export function operatorCommand<Input, Output>(
  command: OperatorCommand<Input, Output>,
): OperatorCommand<Input, Output> {
  return command;
}
