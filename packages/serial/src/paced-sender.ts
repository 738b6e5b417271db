/**
 * Sends on one port at the pace that its board takes: texts and keys in pieces with rests, pasted lines with pauses, and
 * jobs that have the port to themselves. What is given while one of them runs follows behind it.
 */
import type { Clock } from '@wirebench/clock';
import { aborted, type PortSettings, remoteTimingOf, type SerialLink, unlessAborted, wireTime } from '@wirebench/port';
import type { SendPieces } from './send-input.ts';
import { checkPieces, type QueueProgress, SendQueue, type Turn } from './send-queue.ts';

export type SendingLink = Pick<SerialLink, 'device' | 'over' | 'send'>;

/** Resolves when the bytes are taken. */
type Write = (bytes: Uint8Array) => Promise<void>;

/** The port in the hands of one job. */
export interface SendingTurn {
  /** Aborts when the job has to end: by a person, or with the connection. */
  readonly signal: AbortSignal;
  /** Sends, and counts. Rejects as soon as `signal` aborts. */
  readonly write: Write;
  /** Sends what ends the job at the board, also after `signal` has aborted. */
  readonly finish: Write;
}

interface SenderParts {
  readonly clock: Clock;
  readonly settings: () => PortSettings | null;
  /** Receives the number of bytes that the port was given. */
  readonly onGiven: (count: number) => void;
}

export interface PacedText {
  /** True: keys as they are typed, which the log of a remote port does not show. */
  readonly isKeys: boolean;
  /** False: a piece of a file, which has a pace of its own. */
  readonly isPaced: boolean;
}

export interface PacedLines {
  readonly lines: readonly Uint8Array[];
  /** Rest on the wire after each line, in milliseconds. */
  readonly pause: number;
  /** Called when a line begins. Returns what takes the line instead of the port; undefined for the port. */
  readonly onBegin: (line: Uint8Array) => Write | undefined;
  /** Called with the number of lines that the port has taken. */
  readonly onSent: (lines: number) => void;
}

export class PacedSender {
  readonly #parts: SenderParts;
  readonly #queue: SendQueue;
  #pieces: SendPieces | null = null;

  constructor(parts: SenderParts) {
    this.#parts = parts;
    this.#queue = new SendQueue(parts.clock);
  }

  /** Pieces of texts and keys from now on. Null: they are sent at once. */
  setPieces(pieces: SendPieces | null): void {
    if (pieces !== null) {
      checkPieces(pieces);
    }
    this.#pieces = pieces;
  }

  get isBusy(): boolean {
    return this.#queue.isBusy;
  }

  get shownProgress(): QueueProgress | null {
    return this.#queue.shownProgress;
  }

  takeEnd(): QueueProgress | null {
    return this.#queue.takeEnd();
  }

  stop(): void {
    this.#queue.stop();
  }

  /** Returns true if a text has to wait for its turn or goes in pieces. Else it can be sent at once. */
  takesTurns({ isPaced }: PacedText): boolean {
    return this.#queue.isBusy || (isPaced && this.#pieces !== null);
  }

  /** Returns the time that a text of this length needs, in milliseconds. */
  timeOf(length: number): number {
    const settings = this.#parts.settings();
    const pauses = this.#pieces === null ? 0 : Math.ceil(length / this.#pieces.bytes) * this.#pieces.pause;
    return (settings === null ? 0 : wireTime(settings, length)) + pauses;
  }

  /** Sends a text in its turn. */
  text(link: SendingLink, bytes: Uint8Array, how: PacedText): Promise<void> {
    const time = how.isPaced ? this.timeOf(bytes.length) : 0;
    return this.#queue.run({ bytes: bytes.length, time, over: link.over }, (turn) =>
      this.#inPieces(link, bytes, turn, how),
    );
  }

  /** Sends lines as one job, so that nothing comes between two of them. */
  lines(link: SendingLink, { lines, pause, onBegin, onSent }: PacedLines): Promise<void> {
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    const time = lines.reduce((sum, line) => sum + this.timeOf(line.length) + pause, 0);
    return this.#queue.run({ bytes, time, over: link.over }, async (turn) => {
      for (const [index, line] of lines.entries()) {
        await this.#queue.rest(turn.signal);
        const way = onBegin(line);
        if (way === undefined) {
          await this.#inPieces(link, line, turn, { isKeys: false, isPaced: true }, pause);
        } else {
          await this.#taken(link, way(line), line.length, turn);
          this.#queue.restFor(this.timeOf(line.length) + pause);
        }
        onSent(index + 1);
      }
    });
  }

  /**
   * Runs a job that sends by itself, as keys, and has the port to itself for that.
   *
   * @param bytes Number of bytes that it will send.
   */
  job<Result>(link: SendingLink, bytes: number, work: (turn: SendingTurn) => Promise<Result>): Promise<Result> {
    // The board sets the pace.
    return this.#queue.run({ bytes, time: Number.POSITIVE_INFINITY, over: link.over }, (turn) =>
      work({
        signal: turn.signal,
        write: (piece) => this.#piece(link, piece, turn, true),
        finish: (piece) => link.send(piece),
      }),
    );
  }

  /** @param linePause Rest after the last piece, if it is longer than that of a piece. */
  async #inPieces(
    link: SendingLink,
    bytes: Uint8Array,
    turn: Turn,
    { isKeys, isPaced }: PacedText,
    linePause = 0,
  ): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      if (isPaced) {
        await this.#queue.rest(turn.signal);
      }
      const pieces = isPaced ? this.#pieces : null;
      const piece = bytes.subarray(at, at + (pieces?.bytes ?? bytes.length));
      await this.#piece(link, piece, turn, isKeys);
      at += piece.length;
      const settings = this.#parts.settings();
      const rest = Math.max(pieces?.pause ?? 0, at === bytes.length ? linePause : 0);
      if (rest > 0 && settings !== null) {
        // Ports buffer what they have taken, so a rest begins when the piece has left the wire.
        this.#queue.restFor(wireTime(settings, piece.length) + rest);
      }
    }
  }

  async #piece(link: SendingLink, piece: Uint8Array, turn: Turn, isKeys: boolean): Promise<void> {
    turn.signal.throwIfAborted();
    if (isKeys) {
      remoteTimingOf(link.device)?.writeKeys(piece);
    }
    await this.#taken(link, link.send(piece), piece.length, turn);
  }

  /** Waits for the port, at most until the job has to end: a port that is held up takes nothing. */
  async #taken({ over }: SendingLink, sending: Promise<void>, length: number, { signal, count }: Turn): Promise<void> {
    // Counted now: what a port was given goes out after a stop, too.
    count(length);
    this.#parts.onGiven(length);
    const refused = (error: unknown) => {
      count(-length);
      throw error;
    };
    if ((await unlessAborted(sending, signal).catch(refused)) === aborted) {
      if (over.aborted) {
        // The connection has ended with this piece, which may not have gone.
        count(-length);
      }
      throw signal.reason;
    }
  }
}
