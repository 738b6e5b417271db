/**
 * Clients that write to a server continuously and remember the acknowledged writes. Whatever happens to the server,
 * these must exist afterwards. They use only the API.
 */
import { signIn } from './sign-in.ts';
import { feedbackWriter } from './writers/feedback-writer.ts';
import { jkitWriter } from './writers/jkit-writer.ts';
import { versionWriter } from './writers/version-writer.ts';
import type { Call, Writer } from './writers/writer.ts';

/** Milliseconds that a call may take before it counts as lost. */
const TIMEOUT = 30_000;
/** Simultaneous calls of each kind. */
const AT_ONCE = 3;

export interface WritesSummary {
  /** Successful writes of all kinds. */
  readonly acknowledged: number;
  /** Calls that were answered with 503. */
  readonly refused: number;
  /** Answers that were neither a success nor 503, as status and body. */
  readonly unexpected: readonly string[];
}

export class AcknowledgedWrites {
  readonly #writers: readonly Writer[];
  #acknowledged = 0;
  #refused = 0;
  readonly #unexpected: string[] = [];

  constructor() {
    this.#writers = [feedbackWriter(), jkitWriter(), versionWriter()];
  }

  get summary(): WritesSummary {
    return { acknowledged: this.#acknowledged, refused: this.#refused, unexpected: this.#unexpected };
  }

  /**
   * Writes to the server at `address` until `until` aborts. Calls `onAcknowledged` for every success with the count
   * so far.
   */
  async writeTo(
    address: string,
    until: AbortSignal,
    onAcknowledged: (count: number) => void = () => undefined,
  ): Promise<void> {
    const call = await this.#caller(address);
    let count = 0;
    const writeOn = async (writer: Writer) => {
      while (!until.aborted) {
        if (await writer.write(call)) {
          this.#acknowledged++;
          onAcknowledged(++count);
        }
      }
    };
    await Promise.all(this.#writers.flatMap((writer) => Array.from({ length: AT_ONCE }, () => writeOn(writer))));
  }

  /** Returns the acknowledged writes that the server at `address` has lost or keeps only partly. */
  async findMissing(address: string): Promise<readonly string[]> {
    const call = await this.#caller(address);
    return (await Promise.all(this.#writers.map((writer) => writer.findMissing(call)))).flat();
  }

  async #caller(address: string): Promise<Call> {
    const { access_token } = await signIn(address, 'admin');
    return async (path, { headers, ...options } = {}) => {
      const answer = await fetch(`${address}${path}`, {
        ...options,
        headers: { ...Object.fromEntries(new Headers(headers)), authorization: `Bearer ${access_token}` },
        signal: AbortSignal.timeout(TIMEOUT),
      }).catch(() => null);
      if (answer?.status === 503) {
        this.#refused++;
      } else if (answer !== null && !answer.ok) {
        this.#unexpected.push(`${options.method ?? 'GET'} ${path}: ${answer.status} ${await answer.clone().text()}`);
      }
      return answer;
    };
  }
}
