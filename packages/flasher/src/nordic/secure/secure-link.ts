/**
 * Exchanges requests and answers of secure DFU over a port, one at a time. After silence, a ping with its own number
 * separates new answers from old ones.
 */
import type { ExpectedBytes } from '@wirebench/port';
import { AnswerQueue } from '../answer-queue.ts';
import type { NordicPort } from '../connect/nordic-port.ts';
import { deadlines } from '../deadlines.ts';
import { AnswerFrames } from './answer-frames.ts';
import { type Answer, op, requestFrame, success } from './messages.ts';

export class SecureLink {
  readonly port: NordicPort;
  readonly #answers: AnswerQueue<Answer>;
  #pings = 0;

  constructor(port: NordicPort, onText: (bytes: Uint8Array) => void) {
    this.port = port;
    const frames = new AnswerFrames({
      answer: (answer) => this.#answers.push(answer),
      text: onText,
    });
    this.#answers = new AnswerQueue(port, (bytes) => frames.push(bytes));
  }

  /**
   * Sends frames that are answered together or by the last one.
   *
   * @param after Bytes that the board has to send first. Null: earlier answers are dropped.
   */
  write(frames: Uint8Array, after: ExpectedBytes | null = null): void {
    if (after === null) {
      this.#answers.clear();
    }
    this.port.write(frames, after);
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param limit Milliseconds, in addition to the time on the wire.
   * @returns null if no answer came in time.
   * @throws PortError, or the reason of the signal.
   */
  async request(
    opcode: number,
    parameters: readonly Uint8Array[],
    { limit, signal }: { limit: number; signal: AbortSignal },
  ): Promise<Answer | null> {
    const frame = requestFrame(opcode, ...parameters);
    this.write(frame);
    return this.answerTo(opcode, limit + this.port.bytes.wireTime(frame.length), signal);
  }

  /** Returns the next answer to `opcode`. Answers to other requests belong to abandoned ones and are dropped. */
  answerTo(opcode: number, limit: number, signal: AbortSignal): Promise<Answer | null> {
    return this.#answers.take((answer) => answer.op === opcode, limit, signal);
  }

  /** Sends up to `tries` pings, and returns true if a bootloader answers. Afterwards no earlier answer is under way. */
  async ping(signal: AbortSignal, tries: number): Promise<boolean> {
    for (let attempt = 0; attempt < tries; attempt++) {
      this.#pings = (this.#pings + 1) % 256;
      const id = this.#pings;
      this.write(requestFrame(op.ping, Uint8Array.of(id)));
      // A bootloader without the ping command answers with an error, which counts.
      const isMine = ({ op: opcode, result, data }: Answer) =>
        opcode === op.ping && (result !== success || data[0] === id);
      if ((await this.#answers.take(isMine, deadlines.probe, signal)) !== null) {
        this.#answers.clear();
        return true;
      }
    }
    return false;
  }
}
