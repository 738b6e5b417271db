/** Requests and answers on a link that is held, with the events that come in between. Knows no operation. */
import { encodeRequest, isEvent, type ProbeFrame, parseFrame } from './frames.ts';
import { ProbeError } from './probe-failure.ts';

/** What is needed of a link; the flasher's `CommandLink` has it. */
export interface ProbeWire {
  /** @param frame with delimiters */
  write(frame: Uint8Array): void;
  /** Without delimiters; null when none came within `limit` milliseconds. @throws the reason of the signal. */
  nextFrame(limit: number, signal?: AbortSignal): Promise<Uint8Array | null>;
  /** Forgets frames that have arrived. */
  discard(): void;
  readonly port: {
    /** Milliseconds that so many bytes take. */
    wireTime(bytes: number): number;
  };
}

/** Events that may come before an answer; with more of them the answer was lost. */
const mostEvents = 4_096;

export class ProbeTalk {
  readonly #wire: ProbeWire;
  readonly #onEvent: (event: ProbeFrame) => void;

  constructor(wire: ProbeWire, onEvent: (event: ProbeFrame) => void) {
    this.#wire = wire;
    this.#onEvent = onEvent;
  }

  /** Milliseconds that the bytes written take on their way. */
  send(op: number, data: Uint8Array = new Uint8Array()): number {
    return this.sendFrame(encodeRequest(op, data));
  }

  sendFrame(frame: Uint8Array): number {
    this.#wire.write(frame);
    return this.#wire.port.wireTime(frame.length);
  }

  /** The next answer or event, whichever it is; null when none came within `limit` milliseconds. @throws the signal's reason. */
  async next(limit: number, signal?: AbortSignal): Promise<ProbeFrame | null> {
    for (;;) {
      const bytes = await this.#wire.nextFrame(limit, signal);
      const frame = bytes === null ? null : parseFrame(bytes);
      if (bytes === null || frame !== null) {
        return frame;
      }
    }
  }

  /**
   * The answer to `op`, whatever it says; what is left of earlier requests is skipped. Null when it did not come.
   * @param limit milliseconds for each frame that comes. @throws the signal's reason.
   */
  async answerTo(op: number, limit: number, signal?: AbortSignal): Promise<ProbeFrame | null> {
    for (let events = 0; events < mostEvents; events++) {
      const frame = await this.next(limit, signal);
      if (frame === null || frame.op === op) {
        return frame;
      }
      if (isEvent(frame)) {
        this.#onEvent(frame);
      }
    }
    return null;
  }

  /**
   * Sends a request and waits for its answer.
   * @param limit milliseconds, besides the time on the wire. @throws ProbeError; the signal's reason.
   */
  async ask(op: number, data: Uint8Array, limit: number, signal?: AbortSignal): Promise<ProbeFrame> {
    const answer = await this.answerTo(op, limit + this.send(op, data), signal);
    if (answer === null) {
      throw new ProbeError('no-answer');
    }
    if (answer.reason !== null) {
      throw new ProbeError(answer.reason);
    }
    return answer;
  }
}
