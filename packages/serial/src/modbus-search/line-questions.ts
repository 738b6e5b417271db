/** Asks one question after the other on an open line, and says what came back: an answer, damaged bytes, or nothing. */
import type { Clock } from '@wirebench/clock';
import { exceptionOf, isAnswerFor, receivedFrames } from '@wirebench/frames/modbus';
import { type PortSettings, wireTime } from '@wirebench/port';
import { joined } from '@wirebench/port/bytes';
import { ADAPTER_TIME, frameGap } from './search-plan.ts';

/** Bytes that are held while a question waits. */
const MAX_HEARD = 4_096;

export interface OpenLine {
  /** Resolves when the port has taken the bytes. Rejects if it cannot. */
  send(bytes: Uint8Array): Promise<void>;
  /** Number of line errors so far: parity, framing, breaks. */
  readonly faults?: () => number;
}

export type Answer =
  | {
      readonly kind: 'answer';
      readonly frame: Uint8Array;
      readonly exception: number | null;
      /** Milliseconds from the end of the request on the wire to the first byte that came back. */
      readonly ms: number;
      /** True: a second right answer followed, so two devices have this unit. */
      readonly isTwice: boolean;
    }
  /** Bytes came, and they are no right frame; or the line had errors. */
  | { readonly kind: 'damaged' }
  | { readonly kind: 'silent' };

export interface Question {
  readonly request: Uint8Array;
  /** Bytes of its longest answer. */
  readonly answerBytes: number;
  /** Time from the end of the request to the start of its answer, in milliseconds. */
  readonly limit: number;
  /** True: the line is heard for the whole limit, in case a second device answers. */
  readonly lingers: boolean;
}

export interface QuestionParts {
  readonly clock: Clock;
  readonly settings: PortSettings;
  readonly signal: AbortSignal;
  /** Takes right frames that are no answer to the question that waits: late ones, and those of others. */
  readonly onStray: (frame: Uint8Array) => void;
}

export class LineQuestions {
  readonly #parts: QuestionParts;
  #line: OpenLine | null = null;
  #heard: Uint8Array = new Uint8Array();
  /** Times of the chunks heard, each with the offset after its last byte. */
  #arrivals: { readonly end: number; readonly at: number }[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;
  #wake: () => void = () => undefined;
  #requests = 0;
  #hasEcho = false;

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  /** Requests that were sent. */
  get requests(): number {
    return this.#requests;
  }

  /** True: the adapter returns what is sent, as those of two wires do. */
  get hasEcho(): boolean {
    return this.#hasEcho;
  }

  /** Line that is asked from now on. */
  use(line: OpenLine): void {
    this.#line = line;
  }

  /** Takes what the port received. */
  received(bytes: Uint8Array): void {
    const now = this.#parts.clock.now();
    this.#lastAt = now;
    // More bytes than this are no answer.
    if (this.#heard.length + bytes.length <= MAX_HEARD) {
      this.#heard = joined(this.#heard, bytes);
      this.#arrivals.push({ end: this.#heard.length, at: now });
    }
    this.#wake();
  }

  /** Waits for `time` milliseconds, and returns what came. */
  async listen(time: number): Promise<Uint8Array> {
    const { clock, signal } = this.#parts;
    await clock.sleep(time, signal);
    return this.#take();
  }

  /** Asks once. Rejects with the reason of an abort, and if the port does not take the request. */
  async ask({ request, answerBytes, limit, lingers }: Question): Promise<Answer> {
    const { clock, settings, signal } = this.#parts;
    await this.#gap();
    this.#passOn(receivedFrames(this.#take()).map(({ bytes }) => bytes));
    signal.throwIfAborted();
    const line = this.#line;
    if (line === null) {
      throw new Error('The line is not open');
    }
    const faults = line.faults?.() ?? 0;
    const sentAt = clock.now();
    this.#requests++;
    await line.send(request);
    const end = Math.max(clock.now(), sentAt + wireTime(settings, request.length));
    const deadline = end + limit + wireTime(settings, answerBytes) + ADAPTER_TIME;
    const answer = () => this.#answerTo(request, end);
    while (clock.now() < deadline && (lingers || answer() === null)) {
      await this.#arrival(deadline);
    }
    const found = answer();
    const bytes = this.#take();
    const rest = found === null ? receivedFrames(withoutEcho(bytes, request)) : found.others;
    this.#passOn(rest.map((frame) => frame.bytes));
    if (found !== null) {
      return found.answer;
    }
    const isDamaged = withoutEcho(bytes, request).length > 0 && rest.length === 0;
    return { kind: isDamaged || (line.faults?.() ?? 0) > faults ? 'damaged' : 'silent' };
  }

  #answerTo(request: Uint8Array, end: number) {
    this.#hasEcho ||= startsWith(this.#heard, request);
    const frames = receivedFrames(withoutEcho(this.#heard, request));
    const found = frames.find(({ bytes }) => isAnswerFor(bytes, request));
    if (found === undefined) {
      return null;
    }
    const at = found.from + (startsWith(this.#heard, request) ? request.length : 0);
    const came = this.#arrivals.find((arrival) => arrival.end > at)?.at ?? end;
    const others = frames.filter((frame) => frame !== found);
    const answer = {
      kind: 'answer',
      frame: found.bytes,
      exception: exceptionOf(found.bytes),
      ms: Math.max(0, came - end),
      isTwice: others.some(({ bytes }) => isAnswerFor(bytes, request)),
    } as const;
    return { answer, others: others.filter(({ bytes }) => !isAnswerFor(bytes, request)) };
  }

  #passOn(frames: readonly Uint8Array[]): void {
    for (const frame of frames) {
      this.#parts.onStray(frame);
    }
  }

  /** Lets the silence pass that ends a frame. */
  async #gap(): Promise<void> {
    const { clock, settings, signal } = this.#parts;
    const left = this.#lastAt + frameGap(settings) - clock.now();
    if (left > 0) {
      await clock.sleep(left, signal);
    }
  }

  /** Resolves when bytes come, at the deadline, or with the abort. */
  async #arrival(deadline: number): Promise<void> {
    const { clock, signal } = this.#parts;
    signal.throwIfAborted();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const cancel = clock.schedule(Math.max(0, deadline - clock.now()), resolve);
    const stop = () => resolve();
    signal.addEventListener('abort', stop, { once: true });
    await promise;
    signal.removeEventListener('abort', stop);
    cancel();
    this.#wake = () => undefined;
    signal.throwIfAborted();
  }

  #take(): Uint8Array {
    const heard = this.#heard;
    this.#heard = new Uint8Array();
    this.#arrivals = [];
    return heard;
  }
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return bytes.length >= start.length && start.every((byte, at) => bytes[at] === byte);
}

/** Returns the bytes after those of the request, if an adapter returns what it sends. */
function withoutEcho(bytes: Uint8Array, request: Uint8Array): Uint8Array {
  return startsWith(bytes, request) ? bytes.subarray(request.length) : bytes;
}
