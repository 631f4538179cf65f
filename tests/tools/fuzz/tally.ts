import type { OperationId } from '../../../generated/server.ts';

/** Counts calls by operation and status. */
export class Tally {
  readonly #counts = new Map<OperationId, Map<number, number>>();
  total = 0;

  count = (operation: OperationId, status: number): void => {
    this.total += 1;
    const ofOperation = this.#counts.get(operation) ?? new Map<number, number>();
    this.#counts.set(operation, ofOperation.set(status, (ofOperation.get(status) ?? 0) + 1));
  };

  statusesOf(operation: OperationId): ReadonlySet<number> {
    return new Set(this.#counts.get(operation)?.keys());
  }

  lines(): string[] {
    return [...this.#counts].map(([operation, counts]) => {
      const statuses = [...counts].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      return `${operation.padEnd(22)} ${statuses.join('  ')}`;
    });
  }
}
