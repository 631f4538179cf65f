import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Limits on the requests of one connection: in total, and unanswered. */
interface Bounds {
  readonly maxRequestsPerConnection: number;
  readonly maxPipelinedRequests: number;
}

/** The end of a head. */
const BLANK_LINE = Buffer.from('\r\n\r\n');
const CARRIAGE_RETURN = BLANK_LINE[0];

/**
 * Pieces of a chunked body that one turn of the event loop parses. Each blank line in the body starts a new piece.
 * @beyond the next turn continues, and other requests are served in between
 * @heldBy tests/http/connections.test.ts
 */
const MOST_PIECES_IN_A_TURN = 16;

/**
 * A client's connection as Node's parser sees it: one request at a time, and no further one while too many are
 * unanswered. Pausing the socket is not enough: Node parses a whole chunk, which can contain thousands of requests. So
 * the bytes wait here, before the next head. The client's further data waits in its kernel.
 */
export class Intake extends Duplex {
  /** How many bytes of a blank line the parsed data ends with: two chunks can split it. */
  private begun = 0;
  private requests = 0;
  private unanswered = 0;
  /** Remaining bytes of the latest request's body. */
  private bytesLeft = 0;
  /** The latest request, while its chunked body arrives. */
  private chunked: IncomingMessage | null = null;
  /** Pieces parsed in this turn of the event loop. */
  private pieces = 0;
  private state: 'open' | 'closed' | 'discarding' = 'open';

  constructor(
    private readonly socket: Socket,
    private readonly bounds: Bounds,
  ) {
    super({ decodeStrings: false });
    socket.on('data', (bytes) => this.receive(bytes)).on('end', () => this.push(null));
    socket.on('timeout', () => this.emit('timeout'));
    socket.on('error', (error) => this.destroy(error)).on('close', () => this.destroy());
    this.on('resume', () => this.goOn());
  }

  get remoteAddress(): string | undefined {
    return this.socket.remoteAddress;
  }

  get bytesRead(): number {
    return this.socket.bytesRead;
  }

  get bytesWritten(): number {
    return this.socket.bytesWritten;
  }

  setTimeout(ms: number): void {
    this.socket.setTimeout(ms);
  }

  /** Node calls this after the last response. */
  destroySoon(): void {
    this.end(() => this.destroy());
  }

  /** Whether a response is still incomplete. */
  get isAnswering(): boolean {
    return this.unanswered > 0;
  }

  /** Counts a request until its response is sent. */
  count(req: IncomingMessage, res: ServerResponse): 'last' | 'not last' {
    this.requests += 1;
    this.unanswered += 1;
    if (req.headers['transfer-encoding'] !== undefined) this.chunked = req;
    else this.bytesLeft = Number(req.headers['content-length'] ?? 0);
    res.once('close', () => {
      this.unanswered -= 1;
      this.goOn();
    });
    return this.requests < this.bounds.maxRequestsPerConnection ? 'not last' : 'last';
  }

  /** Stops reading. */
  stop(): void {
    this.state = 'closed';
  }

  /** Reads and drops further data: unread bytes would reset the connection on close, so the response would be lost. */
  discard(): void {
    this.state = 'discarding';
    this.socket.resume();
  }

  override _read(): void {
    this.goOn();
  }

  override _write(chunk: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.socket.write(chunk, encoding, done);
  }

  override _writev(chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done: () => void): void {
    const last = chunks.pop()!;
    this.socket.cork();
    for (const { chunk, encoding } of chunks) this.socket.write(chunk, encoding);
    this.socket.write(last.chunk, last.encoding, done);
    this.socket.uncork();
  }

  override _final(done: () => void): void {
    this.socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.socket.destroy();
    done(error);
  }

  private receive(bytes: Buffer): void {
    if (this.state === 'discarding') return;
    const rest = this.parse(bytes);
    if (rest.length === 0 && this.mayParse()) return;
    this.socket.pause();
    // bytes that it has given back also keep the socket from reading more
    if (rest.length > 0) this.socket.unshift(rest);
  }

  private goOn(): void {
    if (this.state === 'discarding' || this.mayParse()) this.socket.resume();
  }

  private mayParse(): boolean {
    if (this.state !== 'open' || this.readableFlowing === false) return false;
    if (this.chunked?.complete) this.chunked = null;
    if (this.bytesLeft > 0 || this.chunked !== null) return true;
    const { maxRequestsPerConnection, maxPipelinedRequests } = this.bounds;
    return this.requests < maxRequestsPerConnection && this.unanswered < maxPipelinedRequests;
  }

  /** Gives Node's parser what it may have. @returns the rest */
  private parse(bytes: Buffer): Buffer {
    let rest = bytes;
    while (rest.length > 0 && this.mayParse() && (this.chunked === null || this.takesPiece())) {
      const end = this.bytesLeft > 0 ? Math.min(this.bytesLeft, rest.length) : endOfHead(rest, this.begun);
      const piece = rest.subarray(0, end);
      rest = rest.subarray(end);
      this.bytesLeft = Math.max(0, this.bytesLeft - end);
      this.begun = begunAfter(piece, this.begun);
      // this calls `count`
      this.push(piece);
    }
    return rest;
  }

  /** Whether this turn of the event loop may parse another piece of a chunked body. If not, the next one goes on. */
  private takesPiece(): boolean {
    if (this.pieces === MOST_PIECES_IN_A_TURN) return false;
    this.pieces += 1;
    if (this.pieces === MOST_PIECES_IN_A_TURN) setImmediate(() => this.beginTurn());
    return true;
  }

  private beginTurn(): void {
    this.pieces = 0;
    this.goOn();
  }
}

/** A connection of a server that gives its parser an Intake, whose type Node does not know. */
export function intakeOf(connection: Duplex): Intake {
  return connection as unknown as Intake;
}

/** The offset after the first blank line, which ends a head or a chunked body. Without one, the number of bytes. */
function endOfHead(bytes: Buffer, begun: number): number {
  if (begun > 0 && goesOn(bytes, begun)) return BLANK_LINE.length - begun;
  const at = bytes.indexOf(BLANK_LINE);
  return at === -1 ? bytes.length : at + BLANK_LINE.length;
}

/** Whether the bytes begin with the rest of a blank line. */
function goesOn(bytes: Buffer, begun: number): boolean {
  for (let at = begun; at < BLANK_LINE.length; at++) if (bytes[at - begun] !== BLANK_LINE[at]) return false;
  return true;
}

/** How many bytes of an incomplete blank line the data ends with. @param before the same for the previous data */
function begunAfter(piece: Buffer, before: number): number {
  const last = BLANK_LINE.length - 1;
  let begun = piece.length < last ? before : 0;
  for (let at = Math.max(0, piece.length - last); at < piece.length; at++) {
    if (piece[at] === BLANK_LINE[begun]) begun += 1;
    else begun = piece[at] === CARRIAGE_RETURN ? 1 : 0;
    if (begun === BLANK_LINE.length) begun = 0;
  }
  return begun;
}
