/** Queues the answers of a board in the order of their arrival. */
import type { NrfPort } from './connect/nrf-port.ts';

export class AnswerQueue<Answer> {
  readonly #port: NrfPort;
  readonly #decode: (bytes: Uint8Array) => void;
  readonly #answers: Answer[] = [];

  /** @param decode Receives bytes of the port and calls `push` for each answer in them. */
  constructor(port: NrfPort, decode: (bytes: Uint8Array) => void) {
    this.#port = port;
    this.#decode = decode;
  }

  push(answer: Answer): void {
    this.#answers.push(answer);
  }

  clear(): void {
    this.#answers.length = 0;
  }

  /**
   * Returns the next answer that is `wanted`, and drops those before it, which belong to abandoned requests. Returns
   * null after `limit` milliseconds.
   *
   * @throws PortError, or the reason of the signal.
   */
  async take(wanted: (answer: Answer) => boolean, limit: number, signal: AbortSignal): Promise<Answer | null> {
    const next = () => {
      for (let answer = this.#answers.shift(); answer !== undefined; answer = this.#answers.shift()) {
        if (wanted(answer)) {
          return answer;
        }
      }
      return undefined;
    };
    const look = (bytes: Uint8Array) => {
      this.#decode(bytes);
      return next();
    };
    return next() ?? this.#port.bytes.until(look, limit, signal);
  }
}
