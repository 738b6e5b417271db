/**
 * SMP requests and answers over a port. Answers carry the number of their request, so several may be under way. After a while of
 * silence an echo is sent behind: when that is answered first, the answer before it was lost, and nobody waits for the rest of a long
 * deadline. Knows no command's meaning.
 */
import type { ExpectedBytes } from '@wirebench/serial/port';
import { joined } from '../../core/bytes.ts';
import { AnswerQueue } from '../answer-queue.ts';
import type { NordicPort } from '../connect/nordic-port.ts';
import type { CborMap } from './cbor.ts';
import { encodeLines, LineDecoder } from './console-lines.ts';
import { decodeSmp, encodeSmp, type SmpAnswer, type SmpCommand, smpCommand } from './smp.ts';

/** Silence after which an echo is sent, in milliseconds; the time on the wire comes on top. */
const NUDGE = 1_000;
/** Bytes that may still be on the wire meanwhile. */
const LONG_PACKET = 2_048;
const SEQUENCES = 256;
/** Of what is kept as it was on the wire, in bytes: more than any answer that is predicted. */
const MAX_HEARD = 256;
/** Ends a line that something else has begun, on the board and on its way there. */
const LINE_FEED = Uint8Array.of(0x0a);

/** An answer as it came. */
export interface HeardAnswer extends SmpAnswer {
  readonly packet: Uint8Array;
  /** All that came from the answer before it, or from a request that waited for none, to its end; the first bytes of it. */
  readonly heard: Uint8Array;
}

export class SmpLink {
  readonly port: NordicPort;
  readonly #answers: AnswerQueue<HeardAnswer>;
  #sequence = 0;
  #heard: Uint8Array = new Uint8Array(0);

  constructor(port: NordicPort, onText: (bytes: Uint8Array) => void) {
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
   * Sends a request without waiting; gives its number and the bytes on the wire.
   * @param after what the board has to send first; only where the port can wait for it.
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

  /** @param limit milliseconds, besides the wire. @returns null when no answer came. @throws PortError; the signal's reason. */
  async request(command: SmpCommand, data: CborMap, limit: number, signal: AbortSignal): Promise<SmpAnswer | null> {
    this.#answers.clear();
    const { sequence, bytes } = this.post(command, data);
    return this.answer([sequence], limit + this.port.bytes.wireTime(bytes), signal);
  }

  /**
   * The next answer to one of the requests of these numbers; null when it was lost, or `limit` milliseconds have passed.
   * @param onSilence called before an echo is sent behind.
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

  /** Asks up to `tries` times whether anybody is there; one that does not know the echo says so. */
  async ping(signal: AbortSignal, tries: number, limit: number): Promise<boolean> {
    for (let attempt = 0; attempt < tries; attempt++) {
      // What is on the board's line so far would spoil the first one of the packet.
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
