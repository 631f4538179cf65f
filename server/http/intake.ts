import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { inTurns } from '../limits/in-turns.ts';

/** Limits on the requests of one connection: in total, and unanswered. */
interface Bounds {
  readonly maxRequestsPerConnection: number;
  readonly maxPipelinedRequests: number;
}

/** Controls what is read from a connection. */
export type Intake = ReturnType<typeof takeIn>;

/** The end of a head. */
const BLANK_LINE = '\r\n\r\n';
/** Bytes of a blank line on one side of a split, at most. */
const SPLIT_BYTES = BLANK_LINE.length - 1;
const [CARRIAGE_RETURN, LINE_FEED] = Buffer.from(BLANK_LINE);

/**
 * Pieces of chunked bodies, and requests behind another one of their connection, that one turn of the event loop parses, of
 * all connections together. Each blank line in a body starts a new piece.
 * @beyond the next turn continues with the next connections, and other requests are served in between
 * @heldBy tests/http/connections.test.ts
 */
const MOST_PIECES_IN_A_TURN = 16;
/**
 * A piece of a chunked body, in bytes: it can have a chunk for every six.
 * @beyond the rest is the next piece
 * @heldBy tests/http/connections.test.ts
 */
const MOST_PIECE_BYTES = 1024;

/** Each connection parses one piece or request, and then goes to the end. */
const parseInTurn = inTurns(MOST_PIECES_IN_A_TURN);

/**
 * Feeds Node's parser one request at a time, and stops while too many are unanswered. Pausing the socket is not enough:
 * Node parses a whole chunk, which can contain thousands of requests, and resumes the socket after each. So the bytes
 * wait here, before the next head. The client's further data waits in its kernel.
 */
export function takeIn(socket: Socket, { maxRequestsPerConnection, maxPipelinedRequests }: Bounds) {
  const push = socket.push.bind(socket);
  const read = socket._read.bind(socket);
  /** Read, but not parsed yet. */
  let rest: Buffer | null = null;
  /** Whether the parsed data ends within a head. */
  let isInHead = false;
  /** The last bytes of the parsed data: two chunks can split a blank line. */
  let tail = '';
  let requests = 0;
  const unanswered = new Set<ServerResponse>();
  /** Remaining bytes of the latest request's body. */
  let bytesLeft = 0;
  /** The latest request, while its chunked body arrives. */
  let chunked: IncomingMessage | null = null;
  /** Whether this connection may parse a piece of a chunked body, or a request behind another one, now. */
  let isInTurn = false;
  let state: 'open' | 'closed' | 'discarding' = 'open';

  const mayParse = () => {
    if (state !== 'open' || socket.readableFlowing === false) return false;
    if (chunked?.complete) chunked = null;
    // until someone begins to read, it would keep its chunks, and one of a byte takes hundreds
    if (chunked !== null && chunked.readableFlowing === null && chunked.readableLength > 0) return false;
    const isInBody = bytesLeft > 0 || chunked !== null;
    return isInBody || (requests < maxRequestsPerConnection && unanswered.size < maxPipelinedRequests);
  };
  const mayRead = () => state === 'discarding' || (rest === null && mayParse());
  const parse = () => {
    while (rest !== null && mayParse()) {
      const isAtHead = bytesLeft === 0 && chunked === null;
      if (isAtHead && !isInHead) rest = withoutLineEnds(rest);
      if (rest === null) return;
      const isPipelined = bytesLeft === 0 && unanswered.size > 0;
      if ((chunked !== null || isPipelined) && !isInTurn) return parseInTurn(parsePiece);
      isInTurn = false;
      const most = chunked === null ? bytesLeft || rest.length : MOST_PIECE_BYTES;
      const end: number = bytesLeft > 0 ? Math.min(most, rest.length) : Math.min(most, endOfHead(rest, tail));
      const piece: Buffer = end < rest.length ? rest.subarray(0, end) : rest;
      rest = end < rest.length ? rest.subarray(end) : null;
      bytesLeft = Math.max(0, bytesLeft - end);
      tail = (tail + piece.subarray(-SPLIT_BYTES).toString('latin1')).slice(-SPLIT_BYTES);
      isInHead = isAtHead;
      // this calls `count`
      push(piece);
    }
  };
  const parsePiece = () => {
    isInTurn = true;
    goOn();
    isInTurn = false;
  };
  const goOn = () => {
    parse();
    if (mayRead() && !socket.destroyed) read(socket.readableHighWaterMark);
  };

  const beginChunked = (req: IncomingMessage) => {
    chunked = req;
    const readMore = req._read;
    req._read = (size) => {
      req._read = readMore;
      req._read(size);
      parseInTurn(parsePiece);
    };
  };

  socket.push = (chunk: Buffer | null) => {
    if (chunk === null) return push(null);
    if (state === 'discarding') return true;
    rest = rest === null ? chunk : Buffer.concat([rest, chunk]);
    parse();
    // false makes Node stop reading
    return mayRead();
  };
  socket._read = (size) => {
    if (mayRead()) read(size);
  };
  socket.on('resume', goOn);
  // Node keeps a closed socket for a while
  socket.once('close', () => {
    rest = chunked = null;
    // Before Node 24, only the response that has the socket emits `close`. `destroy` marks those that wait behind it, but
    // emits nothing, and Node has no other way to tell them. By the next turn, Node has told all that it tells.
    setImmediate(() => {
      for (const res of unanswered) res.destroy().emit('close');
    });
  });
  // Node's parser bypasses `push` until the socket has had a data listener
  socket.on('data', nobody).off('data', nobody);

  return {
    /** Counts a request until its response is sent. */
    count: (req: IncomingMessage, res: ServerResponse): 'last' | 'not last' => {
      requests += 1;
      unanswered.add(res);
      isInHead = false;
      // the first piece comes with the head: if it is broken, this request is refused and not answered
      isInTurn = req.headers['transfer-encoding'] !== undefined;
      if (isInTurn) beginChunked(req);
      else bytesLeft = Number(req.headers['content-length'] ?? 0);
      res.once('close', () => {
        unanswered.delete(res);
        goOn();
      });
      return requests < maxRequestsPerConnection ? 'not last' : 'last';
    },
    /** Whether a response is still incomplete. */
    isAnswering: (): boolean => unanswered.size > 0,
    /** Stops reading. */
    close: (): void => {
      state = 'closed';
    },
    /**
     * Reads and drops further data. Otherwise, unread bytes would reset the connection on close, and the client would
     * lose the response.
     */
    discard: (): void => {
      state = 'discarding';
      rest = null;
      goOn();
    },
  };
}

function nobody(): void {}

/** Node's parser ignores line ends before a request. Here, each blank line would be a piece. */
function withoutLineEnds(bytes: Buffer): Buffer | null {
  const start = bytes.findIndex((byte) => byte !== CARRIAGE_RETURN && byte !== LINE_FEED);
  return start === -1 ? null : bytes.subarray(start);
}

/** The offset after the first blank line, which ends a head or a chunked body. Without one, the number of bytes. */
function endOfHead(bytes: Buffer, tail: string): number {
  const split = (tail + bytes.toString('latin1', 0, SPLIT_BYTES)).indexOf(BLANK_LINE);
  if (split !== -1) return split + BLANK_LINE.length - tail.length;
  const at = bytes.indexOf(BLANK_LINE);
  return at === -1 ? bytes.length : at + BLANK_LINE.length;
}
