/**
 * A fair queue, or a part of it: a group, a flow, or a waiting job. Jobs of a flow start in order of arrival. Flows of a
 * group take turns (round robin), and so do groups, so a part with thousands of jobs delays each other one by one job.
 * The user decides when the next job starts. Each change takes the same time, however many wait: a Map or an array would
 * pass or move thousands to remove the first.
 */
export class FairQueue<T> {
  waiting = 0;
  running = 0;
  /** How long its jobs have blocked the process beyond what was granted, where the user shares out time. */
  debtMs = 0;
  /** Whether the other parts take turns without it. */
  isPaused = false;
  /** Parts by name, while they have jobs or are paused. */
  parts: Map<string, FairQueue<T>> | null = null;
  /** The parts with a waiting job and room to run it, in the order of their turns. */
  first: FairQueue<T> | null = null;
  last: FairQueue<T> | null = null;
  /** Its neighbors in that order, if it is listed there. */
  previous: FairQueue<T> | null = null;
  next: FairQueue<T> | null = null;
  isListed = false;

  /** @param most how many jobs may run at once */
  constructor(
    readonly most: number,
    readonly name = '',
    readonly parent: FairQueue<T> | null = null,
    readonly work: T | null = null,
  ) {}

  /** A group or a flow. A new one is forgotten unless it gets a job. */
  part(name: string, most = Number.POSITIVE_INFINITY): FairQueue<T> {
    this.parts ??= new Map();
    return this.parts.get(name) ?? new FairQueue(most, name, this);
  }

  /** @param isExempt whether the bound on the whole queue does not apply */
  hasRoom(isExempt = false): boolean {
    if (this.parent === null) return isExempt || this.running < this.most;
    return this.running < this.most && this.parent.hasRoom(isExempt);
  }

  /** The part whose turn it is; null if none can start a job within its own bound and the bound here. */
  nextPart(): FairQueue<T> | null {
    return this.running < this.most ? this.first : null;
  }

  /** Adds a waiting job to a flow. */
  add(work: T): FairQueue<T> {
    const job = new FairQueue<T>(0, '', this, work);
    job.enlist();
    this.count(1, 0);
    return job;
  }

  /** Removes a waiting job. */
  leave(): void {
    this.unlist();
    this.parent!.count(-1, 0);
  }

  /** Counts a job of a flow that starts without waiting. */
  begin(): void {
    this.count(0, 1);
  }

  /** Counts the next job of a flow as running. The flow and its group go to the end of their rounds. */
  start(): T {
    const job = this.first!;
    job.unlist();
    this.count(-1, 1);
    return job.work!;
  }

  /** Ends a running job of a flow. */
  end(): void {
    this.count(0, -1);
  }

  /** Applies a change of `isPaused`. */
  settle(): void {
    const { parent, waiting, running, isPaused } = this;
    if (parent === null) return;
    if (this.first !== null && running < this.most && !isPaused) this.enlist();
    else this.unlist();
    if (waiting + running > 0 || isPaused) parent.parts!.set(this.name, this);
    else parent.parts!.delete(this.name);
  }

  private count(waiting: number, running: number): void {
    this.waiting += waiting;
    this.running += running;
    if (running > 0) this.unlist();
    this.settle();
    this.parent?.count(waiting, running);
  }

  private enlist(): void {
    const { parent } = this;
    if (this.isListed || parent === null) return;
    this.isListed = true;
    this.previous = parent.last;
    if (parent.last === null) parent.first = this;
    else parent.last.next = this;
    parent.last = this;
  }

  private unlist(): void {
    const { parent, previous, next } = this;
    if (!this.isListed || parent === null) return;
    this.isListed = false;
    if (previous === null) parent.first = next;
    else previous.next = next;
    if (next === null) parent.last = previous;
    else next.previous = previous;
    this.previous = null;
    this.next = null;
  }
}
