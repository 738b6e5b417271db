/**
 * Requests and answers of secure DFU over a port, one at a time. After silence a ping with a number of its own tells where the
 * answers of now begin. Knows the shape of the protocol, and not what is sent.
 */
import type { ExpectedBytes } from '@wirebench/serial/port';
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
   * Sends frames of which the last one, or all of them together, are answered.
   * @param after what the board has to send first; null: answers of before are forgotten.
   */
  write(frames: Uint8Array, after: ExpectedBytes | null = null): void {
    if (after === null) {
      this.#answers.clear();
    }
    this.port.write(frames, after);
  }

  /**
   * @param limit milliseconds, besides the time on the wire.
   * @returns null when no answer came in time. @throws PortError; the reason of the signal.
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

  /** The next answer to `opcode`; what answers another request is of one that was given up. */
  answerTo(opcode: number, limit: number, signal: AbortSignal): Promise<Answer | null> {
    return this.#answers.take((answer) => answer.op === opcode, limit, signal);
  }

  /** Asks up to `tries` times whether anybody is there; afterwards no answer of before is under way any more. */
  async ping(signal: AbortSignal, tries: number): Promise<boolean> {
    for (let attempt = 0; attempt < tries; attempt++) {
      this.#pings = (this.#pings + 1) % 256;
      const id = this.#pings;
      this.write(requestFrame(op.ping, Uint8Array.of(id)));
      // One that does not know the ping says so, and is there all the same.
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
