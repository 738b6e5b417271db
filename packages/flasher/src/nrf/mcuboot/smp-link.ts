/**
 * Exchanges SMP requests and answers over a port. Answers carry the number of their request, so several may be under
 * way. After a silence, an echo is sent. If the echo is answered first, the answer before it was lost, and the rest
 * of its deadline is skipped.
 */
import type { ExpectedBytes } from '@wirebench/port';
import { joined } from '@wirebench/port/bytes';
import { AnswerQueue } from '../answer-queue.ts';
import type { NrfPort } from '../connect/nrf-port.ts';
import type { CborMap } from './cbor.ts';
import { encodeLines, LineDecoder } from './console-lines.ts';
import { decodeSmp, encodeSmp, type SmpAnswer, type SmpCommand, smpCommand } from './smp.ts';

/** Silence after which an echo is sent, in milliseconds. The time on the wire is added. */
const NUDGE = 1_000;
/** Bytes that may still be on the wire during the silence. */
const LONG_PACKET = 2_048;
const SEQUENCES = 256;
/** Bytes of an answer that are kept as received, more than any predicted answer has. */
const MAX_HEARD = 256;
/** Ends an unfinished line of other output, on the board or on the way to it. */
const LINE_FEED = Uint8Array.of(0x0a);

/** An answer as received. */
export interface HeardAnswer extends SmpAnswer {
  readonly packet: Uint8Array;
  /** First bytes of everything received since the previous answer, or since a request that waited for none. */
  readonly heard: Uint8Array;
}

export class SmpLink {
  readonly port: NrfPort;
  readonly #answers: AnswerQueue<HeardAnswer>;
  #sequence = 0;
  #heard: Uint8Array = new Uint8Array(0);

  constructor(port: NrfPort, onText: (bytes: Uint8Array) => void) {
    this.port = port;
    const decoder = new LineDecoder({
      packet: (bytes) => {
        const answer = decodeSmp(bytes);
        if (answer !== null) {
          this.#answers.push({ ...answer, packet: bytes.slice(), heard: this.#heard });
          this.#heard = new Uint8Array(0);
        }
      },
      text: onText,
    });
    this.#answers = new AnswerQueue(port, (bytes) => {
      for (let from = 0; from < bytes.length; ) {
        const feed = bytes.indexOf(LINE_FEED[0] ?? 0, from);
        const line = bytes.subarray(from, feed < 0 ? bytes.length : feed + 1);
        this.#heard = joined(this.#heard, line).subarray(0, MAX_HEARD);
        decoder.push(line);
        from += line.length;
      }
    });
  }

  /**
   * Sends a request without waiting. Returns its sequence number and its bytes on the wire.
   *
   * @param after Bytes that the board has to send first; only if the port can wait for them.
   */
  post(
    command: SmpCommand,
    data: CborMap,
    after: ExpectedBytes | null = null,
  ): { readonly sequence: number; readonly bytes: number } {
    const sequence = this.#sequence;
    this.#sequence = (sequence + 1) % SEQUENCES;
    const lines = encodeLines(encodeSmp(command, sequence, data));
    if (after === null) {
      this.#heard = new Uint8Array(0);
    }
    this.port.write(lines, after);
    return { sequence, bytes: lines.length };
  }

  /**
   * Sends a request and waits for its answer.
   *
   * @param limit Milliseconds, in addition to the time on the wire.
   * @returns null if no answer came.
   * @throws PortError, or the reason of the signal.
   */
  async request(command: SmpCommand, data: CborMap, limit: number, signal: AbortSignal): Promise<SmpAnswer | null> {
    this.#answers.clear();
    const { sequence, bytes } = this.post(command, data);
    return this.answer([sequence], limit + this.port.bytes.wireTime(bytes), signal);
  }

  /**
   * Returns the next answer to one of these requests; null if it was lost or `limit` milliseconds have passed.
   *
   * @param onSilence Called before the echo is sent.
   */
  async answer(
    sequences: readonly number[],
    limit: number,
    signal: AbortSignal,
    onSilence: () => void = () => undefined,
  ): Promise<HeardAnswer | null> {
    const { clock } = this.port;
    const end = clock.now() + limit;
    const first = await this.#take(sequences, Math.min(limit, NUDGE + this.port.bytes.wireTime(LONG_PACKET)), signal);
    if (first !== null || clock.now() >= end) {
      return first;
    }
    onSilence();
    const echo = this.#echo();
    const answer = await this.#take([...sequences, echo], end - clock.now(), signal);
    return answer?.sequence === echo ? null : answer;
  }

  /**
   * Sends up to `tries` echoes, and returns true if a server answers. A server without the echo command answers with
   * an error, which counts.
   */
  async ping(signal: AbortSignal, tries: number, limit: number): Promise<boolean> {
    for (let attempt = 0; attempt < tries; attempt++) {
      // An unfinished line on the board would spoil the first line of the packet.
      this.port.write(LINE_FEED);
      if ((await this.#take([this.#echo()], limit + this.port.bytes.wireTime(64), signal)) !== null) {
        return true;
      }
    }
    return false;
  }

  #echo(): number {
    return this.post(smpCommand.echo, new Map([['d', 'wirebench']])).sequence;
  }

  #take(sequences: readonly number[], limit: number, signal: AbortSignal): Promise<HeardAnswer | null> {
    return this.#answers.take(({ sequence }) => sequences.includes(sequence), limit, signal);
  }
}
