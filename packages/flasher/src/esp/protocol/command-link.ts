/**
 * Exchanges requests and answers over a byte port, one at a time or several in flight. It matches answers to
 * requests, skips stale ones, and keeps the board's text outside of frames. It knows the protocol's frames, but
 * neither chips nor the purpose of commands.
 */
import type { AwaitedFrame } from '@wirebench/port';
import type { BytePort } from '../../byte-port.ts';
import { FrameDecoder } from '../../slip.ts';
import { exchangeAhead } from '../../write-ahead.ts';
import { type Answer, awaitedAnswer, invalidMessage, parseAnswer, statusOf } from './answers.ts';
import type { Request } from './commands.ts';

/** Bytes of the board's text that are kept for a diagnosis. */
const TEXT_KEPT = 16_384;
/** Lowest command that is an event of a program in RAM. Neither ROMs nor stubs use commands from here on. */
const FIRST_EVENT = 0xf0;

/** Outcome of a request. `late`: no answer in time. */
export type Reply =
  | { readonly kind: 'done'; readonly answer: Answer }
  | { readonly kind: 'refused'; readonly reason: number }
  | { readonly kind: 'late' };

/** Outcome of a request among several in flight. `astray`: a wrong answer arrived, or more than the answer. */
export type PipelinedReply = Reply | { readonly kind: 'astray' };

/** Observes all frames: sent ones with their delimiters, received ones without. */
export interface FrameTap {
  readonly sent: (frame: Uint8Array) => void;
  readonly received: (frame: Uint8Array) => void;
}

/** Bytes of payload: a number, or a function of the answer's length. */
type Payload = number | ((length: number) => number);

export interface Exchange {
  /** Milliseconds to wait, in addition to the time on the wire. */
  readonly limit: number;
  /** Bytes of payload in a successful answer; default 0. */
  readonly payload?: Payload;
  readonly signal?: AbortSignal | undefined;
  /** Longest time for which the board is busy with this request after its answer, in milliseconds; default 0. */
  readonly backlog?: number;
}

/** One of several exchanges. */
export interface Step extends Exchange {
  readonly request: Request;
  /** Runs while the request is on the wire. */
  readonly meanwhile?: () => void;
  /** Receives the replies in order. An error ends the exchanges. */
  readonly answered: (reply: Reply) => void;
}

/**
 * Requests under way at a remote board, including the one that it works on. Four blocks of 16 KiB keep a wire at
 * 921,600 baud busy for 0.7 s, longer than a round trip.
 */
const AHEAD = 4;

export class CommandLink {
  readonly port: BytePort;
  readonly #onText: (bytes: Uint8Array) => void;
  readonly #tap: FrameTap | null;
  readonly #decoder: FrameDecoder;
  readonly #frames: Uint8Array[] = [];
  /** Commands of submitted requests without an answer, oldest first. */
  readonly #inFlight: number[] = [];
  /** Receives events. Null: frames of events count as answers. */
  #onEvent: ((event: Answer) => void) | null = null;
  /** True: bytes outside of frames arrived while requests were in flight. */
  #strayed = false;
  /** True: frames have no header, because the stub is sending flash contents. */
  #raw = false;
  #text = '';
  #sent = 0;
  /** Time on the port's clock at which the board has finished all requests. */
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

  /** Bytes written so far, including framing. */
  get sent(): number {
    return this.#sent;
  }

  /**
   * Longest time for which the board may still be busy with earlier requests, in milliseconds. It includes work after
   * an answer, and requests that the caller gave up. The next request waits that much longer.
   */
  get backlog(): number {
    return Math.max(0, this.#doneAt - this.port.clock.now());
  }

  /** The end of the board's text since `forgetText`, one character per byte. */
  get text(): string {
    return this.#text;
  }

  /** @param instead Text that replaces the forgotten one. */
  forgetText(instead = ''): void {
    this.#text = instead;
  }

  write(frame: Uint8Array, after: AwaitedFrame | null = null): void {
    this.#tap?.sent(frame);
    this.#sent += frame.length;
    this.port.write(frame, after);
  }

  /**
   * Sends a request and waits for its answer. The callback runs while the request is on the wire.
   *
   * @throws PortError, or the reason of the signal.
   */
  async exchange(request: Request, exchange: Exchange, meanwhile?: () => void): Promise<Reply> {
    this.#frames.length = 0;
    this.#inFlight.length = 0;
    this.write(request.frame);
    meanwhile?.();
    return this.#answerInTime(request, exchange);
  }

  /**
   * Number of requests to a stub that may be under way. Each waits beside a remote board for the answer to the
   * previous one.
   */
  get ahead(): number {
    return this.port.canWriteAhead ? AHEAD : 1;
  }

  /**
   * Exchanges in order. Each request is written after the answer to the previous one, so the board never has two. For
   * a remote board, the next requests are sent ahead and wait beside it, so that no round trip passes between them.
   *
   * @param next Returns the next exchange, null if there is no more now. Called again after each answer.
   * @param ahead 1, or for a stub the value of `ahead`.
   * @throws PortError, the reason of the signal, or an error of `answered`.
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

  /** Passes events of a program in RAM (commands from F0 on) to `take` only. Null stops that. */
  handleEvents(take: ((event: Answer) => void) | null): void {
    this.#onEvent = take;
  }

  /** Number of requests that wait for their `reply`. */
  get inFlight(): number {
    return this.#inFlight.length;
  }

  /** Sends requests in one write, after those in flight. If none is in flight, earlier frames are dropped first. */
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
   * Waits for the answer to the oldest request in flight. Answers come in order, so an answer to another command, or
   * bytes outside of frames, mean that one was lost. All requests are given up then, until `discard` or the next
   * `submit`.
   *
   * @param limit Milliseconds, including the time on the wire.
   * @throws PortError, or the reason of the signal.
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
      // The answer to an unknown command carries the previous command, and comes eight times directly after SYNC.
      if (answer.op === op || (!status.ok && status.reason === invalidMessage)) {
        await this.quiet(signal);
        return { kind: 'refused', reason: status.ok ? 0 : status.reason };
      }
    }
  }

  /** Returns the next frame of any kind; null after `limit` milliseconds. */
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

  /** Receives frames and text for `duration` milliseconds, or until `enough` returns true. */
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

  /** Waits for silence, and drops all received frames. The ROM may repeat a refusal seven times. */
  async quiet(signal?: AbortSignal): Promise<void> {
    await this.port.untilSilent((bytes) => this.#decoder.push(bytes), signal);
    this.discard();
  }

  /** Drops received frames, including an unfinished one. */
  discard(): void {
    this.#decoder.reset();
    this.#frames.length = 0;
    this.#inFlight.length = 0;
  }

  /** Passes every frame on unparsed while `work` runs. */
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
    // If the caller gives up, the board may still need all of this time.
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
    // One character per byte, so that bytes received at a wrong rate keep their values.
    let text = '';
    for (const byte of bytes) {
      text += String.fromCharCode(byte);
    }
    this.#text = (this.#text + text).slice(-TEXT_KEPT);
  }
}

/** Returns true for `OHAI`, the stub's greeting ("Serial Protocol", section "Initialization"). */
export function isGreeting(frame: Uint8Array): boolean {
  return frame.length === 4 && frame[0] === 0x4f && frame[1] === 0x48 && frame[2] === 0x41 && frame[3] === 0x49;
}
