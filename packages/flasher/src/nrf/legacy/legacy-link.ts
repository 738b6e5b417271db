/**
 * Sends packets to a legacy bootloader and waits for their acknowledgements. A packet without one is sent again with
 * the same number, because the board accepts each number once. An acknowledgement names the number that the board
 * expects next, which synchronises both sides after any fault.
 */
import type { ExpectedBytes } from '@wirebench/port';
import { FrameDecoder } from '../../slip.ts';
import { exchangeAhead } from '../../write-ahead.ts';
import { AnswerQueue } from '../answer-queue.ts';
import type { NrfPort } from '../connect/nrf-port.ts';
import { acknowledgementFrame, idlePayload, packetFrame, readAcknowledgement, sequences } from './hci.ts';

/** Silence after which a packet is sent again, in milliseconds. The bootloader's own timeout is similar. */
const RESEND = 300;

/** Packets under way to a remote board: a page of flash, which takes 0.4 s at 115,200 baud. */
const AHEAD = 8;

export interface Packet {
  readonly payload: readonly Uint8Array[];
  /** Milliseconds for all tries, in addition to the time on the wire. */
  readonly limit: number;
  /** Milliseconds after the acknowledgement in which nothing may be sent. */
  readonly pause: number;
  readonly taken?: () => void;
}

interface UnderWay<Kind extends Packet> {
  readonly packet: Kind;
  readonly frame: Uint8Array;
  /** Sequence number that its acknowledgement names. */
  readonly next: number;
  /** Milliseconds for which it waits beside the board after the acknowledgement of the previous packet. */
  before: number;
  /** Time at which it is given up; null before its turn. */
  end: number | null;
}

/** Ends an exchange after a timeout. */
class SilentBoard extends Error {}

export class LegacyLink {
  readonly port: NrfPort;
  readonly #decoder: FrameDecoder;
  /** Sequence numbers from acknowledgements. */
  readonly #wanted: AnswerQueue<number>;
  #sequence = 1;

  constructor(port: NrfPort, onText: (bytes: Uint8Array) => void) {
    this.port = port;
    this.#decoder = new FrameDecoder({
      frame: (bytes) => {
        const wanted = readAcknowledgement(bytes);
        if (wanted !== null) {
          this.#wanted.push(wanted);
        }
        return wanted !== null;
      },
      text: onText,
    });
    this.#wanted = new AnswerQueue(port, (bytes) => this.#decoder.push(bytes));
  }

  /**
   * Sends up to `tries` idle packets, and returns true if a bootloader acknowledges one. The acknowledgement gives
   * the next number, even if that of the packet was wrong.
   */
  async ask(signal: AbortSignal, tries: number, limit: number): Promise<boolean> {
    for (let attempt = 0; attempt < tries; attempt++) {
      const frame = packetFrame(this.#sequence, idlePayload);
      this.#wanted.clear();
      this.port.write(frame);
      const wanted = await this.#acknowledgement(limit + this.port.bytes.wireTime(frame.length), signal);
      if (wanted !== null) {
        this.#sequence = wanted;
        return true;
      }
    }
    return false;
  }

  /**
   * Sends one packet.
   *
   * @param limit Milliseconds for all tries, in addition to the time on the wire.
   * @returns True if the board has acknowledged it, false after silence.
   * @throws PortError, or the reason of the signal.
   */
  async send(limit: number, signal: AbortSignal, ...payload: readonly Uint8Array[]): Promise<boolean> {
    return (await this.sendAll([{ payload, limit, pause: 0 }], signal)) === null;
  }

  /**
   * Sends packets in order, each after the acknowledgement of the previous one.
   *
   * @returns the packet that was not acknowledged in time; null if all were.
   * @throws PortError, or the reason of the signal.
   */
  async sendAll<Kind extends Packet>(packets: Iterable<Kind>, signal: AbortSignal): Promise<Kind | null> {
    const { clock, bytes: port } = this.port;
    const source = packets[Symbol.iterator]();
    let sequence = this.#sequence;
    let silent: Kind | null = null;
    await exchangeAhead<UnderWay<Kind>>(port, {
      next: () => {
        const { done, value: packet } = silent === null ? source.next() : ({ done: true } as const);
        if (done === true) {
          return null;
        }
        const frame = packetFrame(sequence, ...packet.payload);
        sequence = (sequence + 1) % sequences;
        return { packet, frame, next: sequence, before: 0, end: null };
      },
      ahead: () => (port.canExpectBytes ? AHEAD : 1),
      send: (step, before) => {
        signal.throwIfAborted();
        if (before === null) {
          this.#wanted.clear();
        }
        step.before = before?.packet.pause ?? 0;
        this.port.write(step.frame, before === null ? null : expected(before));
      },
      take: async (step, isAlone) => {
        const { packet, frame, next } = step;
        const onWire = port.wireTime(frame.length);
        step.end ??= clock.now() + step.before + packet.limit + onWire;
        const until = Math.min(clock.now() + step.before + RESEND + onWire, step.end);
        for (let left = until - clock.now(); left > 0; left = until - clock.now()) {
          if ((await this.#acknowledgement(left, signal)) === next) {
            this.#sequence = next;
            packet.taken?.();
            if (isAlone && packet.pause > 0) {
              await this.rest(packet.pause, signal);
            }
            return true;
          }
        }
        if (clock.now() >= step.end) {
          silent = packet;
          throw new SilentBoard();
        }
        return false;
      },
    }).catch((error: unknown) => {
      if (!(error instanceof SilentBoard)) {
        throw error;
      }
    });
    return silent;
  }

  /**
   * Receives bytes for `duration` milliseconds and sends nothing.
   *
   * @throws PortError, or the reason of the signal.
   */
  async rest(duration: number, signal: AbortSignal): Promise<void> {
    const take = (bytes: Uint8Array) => {
      this.#decoder.push(bytes);
      return undefined;
    };
    await this.port.bytes.until(take, duration, signal);
  }

  /** Resets the sequence number after a restart of the board, which starts at 1 (`INITIAL_ACK_NUMBER_EXPECTED`). */
  reset(): void {
    this.#decoder.reset();
    this.#wanted.clear();
    this.#sequence = 1;
  }

  #acknowledgement(limit: number, signal: AbortSignal): Promise<number | null> {
    return this.#wanted.take(() => true, limit, signal);
  }
}

function expected({ packet, next }: UnderWay<Packet>): ExpectedBytes {
  const begins = acknowledgementFrame(next);
  return { begins, length: begins.length, pause: Math.ceil(packet.pause), limit: Math.ceil(packet.limit) };
}
