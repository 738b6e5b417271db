/** Requests and answers on a link that the caller holds, with the events that arrive in between. */
import { encodeRequest, isEvent, type ProbeFrame, parseFrame } from './frames.ts';
import { ProbeError } from './probe-failure.ts';

/** The part of a link that the probe needs; the flasher's `CommandLink` has it. */
export interface ProbeWire {
  /**
   * Sends one frame.
   *
   * @param frame Frame with delimiters.
   */
  write(frame: Uint8Array): void;
  /**
   * Returns the next frame without delimiters; null if none came within `limit` milliseconds.
   *
   * @throws The signal's reason.
   */
  nextFrame(limit: number, signal?: AbortSignal): Promise<Uint8Array | null>;
  /** Drops frames that have arrived. */
  discard(): void;
  readonly port: {
    /** Returns the transmission time in milliseconds. */
    wireTime(bytes: number): number;
  };
}

/** Maximum events before an answer; after that the answer counts as lost. */
const maxEvents = 4_096;

export class ProbeTalk {
  readonly #wire: ProbeWire;
  readonly #onEvent: (event: ProbeFrame) => void;

  constructor(wire: ProbeWire, onEvent: (event: ProbeFrame) => void) {
    this.#wire = wire;
    this.#onEvent = onEvent;
  }

  /**
   * Sends a request.
   *
   * @returns Transmission time of the frame in milliseconds.
   */
  send(op: number, data: Uint8Array = new Uint8Array()): number {
    return this.sendFrame(encodeRequest(op, data));
  }

  sendFrame(frame: Uint8Array): number {
    this.#wire.write(frame);
    return this.#wire.port.wireTime(frame.length);
  }

  /**
   * Returns the next answer or event; null if none came within `limit` milliseconds.
   *
   * @throws The signal's reason.
   */
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
   * Returns the answer to `op`, also a refusal; null if it did not come. Skips answers to earlier requests and passes
   * events on.
   *
   * @param limit Milliseconds for each frame.
   * @throws The signal's reason.
   */
  async answerTo(op: number, limit: number, signal?: AbortSignal): Promise<ProbeFrame | null> {
    for (let events = 0; events < maxEvents; events++) {
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
   *
   * @param limit Milliseconds, besides the time on the wire.
   * @throws ProbeError; the signal's reason.
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
