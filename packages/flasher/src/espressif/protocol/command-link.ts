/**
 * Requests and answers over a byte port, one at a time or several in flight: matches an answer to its request, skips what is stale,
 * and keeps what the board prints outside of frames. Knows the protocol's shape, and neither chips nor what a command is for.
 */
import type { AwaitedFrame } from '@wirebench/serial/port';
import type { BytePort } from '../../byte-port.ts';
import { FrameDecoder } from '../../slip.ts';
import { exchangeAhead } from '../../write-ahead.ts';
import { type Answer, awaitedAnswer, invalidMessage, parseAnswer, statusOf } from './answers.ts';
import type { Request } from './commands.ts';

/** Text of the board that is kept for a diagnosis, in bytes. */
const TEXT_KEPT = 16_384;
/** After a refusal the ROM may say it seven times more; this long without a byte means that it has finished, in milliseconds. */
const QUIET = 20;
/** The lowest command that is an event of a program in RAM: neither ROMs nor stubs have one from here on. */
const FIRST_EVENT = 0xf0;
/** Longest wait for quiet, in milliseconds. */
const QUIET_LIMIT = 300;

/** How a request ended. */
export type Reply =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly reason: number }
  | { readonly kind: 'late' };

/** How a request among several in flight ended; `astray`: what came is not the answer to it, or more than that came. */
export type PipelinedReply = Reply | { readonly kind: 'astray' };

/** Sees each frame that passes: those that are sent with their delimiters, those that arrive without. */
export interface FrameTap {
  readonly sent: (frame: Uint8Array) => void;
  readonly received: (frame: Uint8Array) => void;
}

/** A number, or what an answer of this length carries. */
type Payload = number | ((length: number) => number);

export interface Exchange {
  /** Milliseconds, besides the time on the wire. */
  readonly limit: number;
  /** Bytes that the answer carries besides its status when all went well; 0 when left out. */
  readonly payload?: Payload;
  readonly signal?: AbortSignal | undefined;
  /** Longest time for which the board is busy with this request after its answer, in milliseconds; 0 when left out. */
  readonly backlog?: number;
}

/** One of several exchanges. */
export interface Step extends Exchange {
  readonly request: Request;
  /** Runs while the request is on its way. */
  readonly meanwhile?: () => void;
  /** Called in order. What it throws ends the exchanges. */
  readonly answered: (reply: Reply) => void;
}

/**
 * Requests that wait at a board that is somewhere else, and the one that it works on. Four blocks of 16 KiB keep a wire at 921,600 baud
 * busy for 0.7 s, which is longer than a round trip.
 */
const AHEAD = 4;

export class CommandLink {
  readonly port: BytePort;
  readonly #onText: (bytes: Uint8Array) => void;
  readonly #tap: FrameTap | null;
  readonly #decoder: FrameDecoder;
  readonly #frames: Uint8Array[] = [];
  /** Commands that were submitted and not answered yet, the oldest first. */
  readonly #inFlight: number[] = [];
  /** Takes what nobody asked for; null: nobody does, and such frames are answers like others. */
  #onEvent: ((event: Answer) => void) | null = null;
  /** Something else than frames came while requests were in flight. */
  #strayed = false;
  /** Frames have no header while the stub sends flash. */
  #raw = false;
  #text = '';
  #sent = 0;
  /** Time at which the board is done with everything it was asked, on the port's clock. */
  #doneAt = Number.NEGATIVE_INFINITY;

  constructor(port: BytePort, onText: (bytes: Uint8Array) => void, tap: FrameTap | null = null) {
    this.port = port;
    this.#onText = onText;
    this.#tap = tap;
    this.#decoder = new FrameDecoder({
      frame: (bytes) => this.#takeFrame(bytes),
      text: (bytes) => this.#takeText(bytes),
    });
  }

  /** Bytes written so far, framing included. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Longest time, in milliseconds, for which the board may be busy with earlier requests: with what it does after an answer, and with
   * requests that the caller gave up. The next request waits so much longer.
   */
  get backlog(): number {
    return Math.max(0, this.#doneAt - this.port.clock.now());
  }

  /** The last of what the board printed since `forgetText`, one character a byte. */
  get text(): string {
    return this.#text;
  }

  /** @param instead what shall count as printed. */
  forgetText(instead = ''): void {
    this.#text = instead;
  }

  write(frame: Uint8Array, after: AwaitedFrame | null = null): void {
    this.#tap?.sent(frame);
    this.#sent += frame.length;
    this.port.write(frame, after);
  }

  /**
   * Sends a request and waits for its answer. `meanwhile` runs between the two: the time on the wire is the client's own.
   * @throws PortError; the reason of the signal.
   */
  async exchange(request: Request, exchange: Exchange, meanwhile?: () => void): Promise<Reply> {
    this.#frames.length = 0;
    this.#inFlight.length = 0;
    this.write(request.frame);
    meanwhile?.();
    return this.#answerInTime(request, exchange);
  }

  /** How many requests may be on their way when a stub is asked: each waits at the board for the answer to the one before it. */
  get ahead(): number {
    return this.port.canWriteAhead ? AHEAD : 1;
  }

  /**
   * Exchanges in order, each request written when the one before it was done: the board never has two. Where the board is somewhere else,
   * the next requests are sent ahead and wait there, so that no round trip passes between them.
   * @param next the next one; null while there is none. It is asked again after each answer.
   * @param ahead 1, or for a stub what `ahead` says.
   * @throws PortError; the reason of the signal; what `answered` throws.
   */
  async exchanges(next: () => Step | null, ahead: number): Promise<void> {
    await exchangeAhead<Step>(this.port, {
      next,
      ahead: () => ahead,
      send: (step, before) => {
        this.#begin(step, before);
        step.meanwhile?.();
      },
      take: async (step) => {
        step.answered(await this.#answerInTime(step.request, step));
        return true;
      },
    });
  }

  /** Events of a program in RAM, commands from F0 on: from now on they go to `take` and to nobody else. Null: there are none. */
  handleEvents(take: ((event: Answer) => void) | null): void {
    this.#onEvent = take;
  }

  /** Requests that wait for their `reply`. */
  get inFlight(): number {
    return this.#inFlight.length;
  }

  /** Sends requests in one write, behind those that are in flight. What was heard before is forgotten when none is. */
  submit(requests: readonly Request[]): void {
    if (this.#inFlight.length === 0) {
      this.port.takeWaiting((bytes) => this.#decoder.push(bytes));
      this.#frames.length = 0;
      this.#strayed = false;
    }
    const length = requests.reduce((sum, { frame }) => sum + frame.length, 0);
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const { op, frame } of requests) {
      this.#tap?.sent(frame);
      bytes.set(frame, at);
      at += frame.length;
      this.#inFlight.push(op);
    }
    this.#sent += length;
    this.port.write(bytes);
  }

  /**
   * The answer to the oldest request in flight: board and client count in order, so an answer of another command, or anything beside
   * frames, means that one was lost. All of them are given up then, until `discard` or the next `submit`.
   * @param limit milliseconds, the time on the wire included.
   * @throws PortError; the reason of the signal.
   */
  async reply(limit: number, signal?: AbortSignal): Promise<PipelinedReply> {
    const [op] = this.#inFlight;
    const frame = op === undefined ? null : await this.nextFrame(limit, signal);
    const answer = frame === null ? null : parseAnswer(frame);
    const isTooMuch = this.#inFlight.length === 1 && this.#frames.length > 0;
    if (frame === null || answer === null || answer.op !== op || this.#strayed || isTooMuch) {
      this.#inFlight.length = 0;
      return { kind: frame === null && !this.#strayed ? 'late' : 'astray' };
    }
    this.#inFlight.shift();
    const status = statusOf(answer, 0);
    if (!status.ok) {
      this.#inFlight.length = 0;
      return { kind: 'refused', reason: status.reason };
    }
    return { kind: 'done', answer };
  }

  async answerTo(op: number, limit: number, payload: Payload, signal?: AbortSignal): Promise<Reply> {
    for (;;) {
      const frame = await this.nextFrame(limit, signal);
      if (frame === null) {
        return { kind: 'late' };
      }
      const answer = parseAnswer(frame);
      if (answer === null) {
        continue;
      }
      const expected = typeof payload === 'number' ? payload : payload(answer.data.length);
      const status = statusOf(answer, answer.op === op ? expected : 0);
      if (answer.op === op && status.ok) {
        return { kind: 'done', answer };
      }
      // An unknown command is answered in the name of the command before it, and eight times right after SYNC.
      if (answer.op === op || (!status.ok && status.reason === invalidMessage)) {
        await this.quiet(signal);
        return { kind: 'refused', reason: status.ok ? 0 : status.reason };
      }
    }
  }

  /** The next frame, whatever it is; null when none came within `limit` milliseconds. */
  async nextFrame(limit: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    const waiting = this.#frames.shift();
    if (waiting !== undefined) {
      return waiting;
    }
    return this.port.until(
      (bytes) => {
        this.#decoder.push(bytes);
        return this.#frames.shift();
      },
      limit,
      signal,
    );
  }

  /** Takes what arrives for `duration` milliseconds, frames and text; ends early once `enough` says so. */
  async listen(duration: number, signal?: AbortSignal, enough: () => boolean = () => false): Promise<void> {
    await this.port.until(
      (bytes) => {
        this.#decoder.push(bytes);
        return enough() || undefined;
      },
      duration,
      signal,
    );
  }

  /** Waits until nothing arrives any more, and forgets all frames that have. */
  async quiet(signal?: AbortSignal): Promise<void> {
    for (let waited = 0; waited < QUIET_LIMIT; waited += QUIET) {
      let heard = false;
      await this.listen(QUIET, signal, () => {
        heard = true;
        return false;
      });
      if (!heard) {
        break;
      }
    }
    this.discard();
  }

  /** Forgets frames that have arrived, and one that has begun. */
  discard(): void {
    this.#decoder.reset();
    this.#frames.length = 0;
    this.#inFlight.length = 0;
  }

  /** While `work` runs, every frame is handed on as it is. */
  async raw<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#raw = true;
    try {
      return await work();
    } finally {
      this.#raw = false;
    }
  }

  async #answerInTime({ op, frame }: Request, { limit, payload = 0, signal, backlog = 0 }: Exchange): Promise<Reply> {
    const { clock } = this.port;
    const whole = limit + this.backlog + this.port.wireTime(frame.length);
    // If the caller gives up, the board may still use all of this time.
    this.#doneAt = clock.now() + whole + backlog;
    const reply = await this.answerTo(op, whole, payload, signal);
    this.#doneAt = reply.kind === 'refused' ? Number.NEGATIVE_INFINITY : clock.now() + backlog;
    return reply;
  }

  #begin({ request }: Step, before: Step | null): void {
    if (before === null) {
      this.#frames.length = 0;
      this.#inFlight.length = 0;
    }
    this.write(request.frame, before === null ? null : awaitedAnswer(before.request.op));
  }

  #takeFrame(bytes: Uint8Array): boolean {
    const answer = this.#raw ? null : parseAnswer(bytes);
    if (answer !== null && answer.op >= FIRST_EVENT && this.#onEvent !== null) {
      this.#tap?.received(bytes);
      this.#onEvent(answer);
      return true;
    }
    const wanted = this.#raw || answer !== null || isGreeting(bytes);
    if (wanted) {
      this.#tap?.received(bytes);
      this.#frames.push(bytes.slice());
    }
    return wanted;
  }

  #takeText(bytes: Uint8Array): void {
    this.#strayed ||= this.#inFlight.length > 0;
    this.#onText(bytes.slice());
    // One character a byte: what a wrong rate made of a text must not become something else.
    let text = '';
    for (const byte of bytes) {
      text += String.fromCharCode(byte);
    }
    this.#text = (this.#text + text).slice(-TEXT_KEPT);
  }
}

/** `OHAI`, the stub's first word ("Serial Protocol", section "Initialization"). */
export function isGreeting(frame: Uint8Array): boolean {
  return frame.length === 4 && frame[0] === 0x4f && frame[1] === 0x48 && frame[2] === 0x41 && frame[3] === 0x49;
}
