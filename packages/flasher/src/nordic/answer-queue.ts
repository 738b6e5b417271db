/** Answers of a board, in the order of their arrival, until somebody takes them. Knows no protocol. */
import type { NordicPort } from './connect/nordic-port.ts';

export class AnswerQueue<Answer> {
  readonly #port: NordicPort;
  readonly #decode: (bytes: Uint8Array) => void;
  readonly #answers: Answer[] = [];

  /** @param decode takes what comes from the port; calls `push` for each answer in it. */
  constructor(port: NordicPort, decode: (bytes: Uint8Array) => void) {
    this.#port = port;
    this.#decode = decode;
  }

  push(answer: Answer): void {
    this.#answers.push(answer);
  }

  /** Forgets what was not taken. */
  clear(): void {
    this.#answers.length = 0;
  }

  /**
   * The next answer that is `wanted`; those before it are of requests that were given up. Null after `limit` milliseconds.
   * @throws PortError; the reason of the signal.
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
