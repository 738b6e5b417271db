/** Notices from what ports send and receive which line ending a board expects, and whether its rate is wrong. */
import type { Clock } from '@wirebench/clock';
import { isTextByte } from '@wirebench/frames/latin-text';
import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import {
  type Bench,
  byPort,
  EnterWatch,
  enterAnswerTime,
  type PortNumber,
  portNumbers,
  RateWatch,
} from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import { type DeviceFacts, noAdvice } from '../../protocol/bench/port-part.ts';

export interface PortAdvisorParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly facts: (port: PortNumber) => DeviceFacts | null;
  /** Returns true while a search has a port open with other settings: its bytes are no evidence about its own. */
  readonly usesOtherSettings: (port: PortNumber) => boolean;
  readonly onProgress: () => void;
}

/** Bytes from which a port's frames are looked for, and those after which they are given up. */
const FIRST_LOOK = 64;
const LAST_LOOK = 4_096;

/** First bytes of a connection, until their frames are known. */
class FirstBytes {
  #bytes: number[] = [];
  /** Number of bytes at the last look; infinite when there is nothing more to look for. */
  #looked = 0;

  reset(): void {
    this.#bytes = [];
    this.#looked = 0;
  }

  end(): void {
    this.#bytes = [];
    this.#looked = Number.POSITIVE_INFINITY;
  }

  /** Takes a chunk. Returns all bytes if they may be frames and twice as many as at the last look; else null. */
  add(chunk: Uint8Array): Uint8Array | null {
    const bytes = this.#bytes;
    if (this.#looked > LAST_LOOK || bytes.length > LAST_LOOK) {
      return null;
    }
    for (const byte of chunk.subarray(0, LAST_LOOK + 1 - bytes.length)) {
      bytes.push(byte);
    }
    if (bytes.length < Math.max(FIRST_LOOK, 2 * this.#looked)) {
      return null;
    }
    this.#looked = bytes.length;
    const mayBeFrames = bytes.some((byte) => !isTextByte(byte)) || /[$!][A-Z]{3}/.test(String.fromCharCode(...bytes));
    return mayBeFrames ? Uint8Array.from(bytes) : null;
  }
}

interface Watched {
  readonly enter: EnterWatch;
  readonly rate: RateWatch;
  readonly first: FirstBytes;
  /** Frames that the first bytes are; null: none, or not known yet. */
  frames: ReadyDecoder | null;
  /** False: a framing was chosen, so the bytes need not be text. */
  isText: boolean;
  cancel: () => void;
}

export class PortAdvisor {
  readonly #parts: PortAdvisorParts;
  readonly #watched = byPort(
    (): Watched => ({
      enter: new EnterWatch(),
      rate: new RateWatch(),
      first: new FirstBytes(),
      frames: null,
      isText: true,
      cancel: () => undefined,
    }),
  );
  #advice = byPort(() => noAdvice);

  constructor(parts: PortAdvisorParts) {
    this.#parts = parts;
  }

  get progress(): Pick<BenchTick, 'advice'> {
    const { ports } = this.#parts.bench.status();
    for (const port of portNumbers) {
      if (ports[port].state === 'disconnected' && this.#advice[port] !== noAdvice) {
        this.begin(port);
      }
    }
    return { advice: this.#advice };
  }

  /** Forgets what is known of the board: another connection begins. */
  begin(port: PortNumber): void {
    const watched = this.#watched[port];
    const { enter, rate, first, cancel } = watched;
    cancel();
    enter.reset();
    rate.reset();
    first.reset();
    watched.frames = null;
    this.#advice = { ...this.#advice, [port]: noAdvice };
  }

  setText(port: PortNumber, isText: boolean): void {
    this.#watched[port].isText = isText;
  }

  /** Takes a chunk as received. */
  received(port: PortNumber, bytes: Uint8Array, at: number): void {
    if (this.#parts.usesOtherSettings(port)) {
      return;
    }
    const { enter, rate, isText } = this.#watched[port];
    const before = enter.signs;
    enter.received(bytes);
    // The rate of a board elsewhere is its host's.
    const isOwn = ['serial', 'demo'].includes(this.#parts.facts(port)?.kind ?? 'serial');
    const isRateNew = isOwn && isText && rate.received(bytes, at);
    if (isRateNew || enter.signs !== before) {
      this.#update(port);
    }
    if (isText) {
      this.#lookForFrames(port, bytes);
    }
  }

  #lookForFrames(port: PortNumber, chunk: Uint8Array): void {
    const watched = this.#watched[port];
    const bytes = watched.first.add(chunk);
    if (bytes === null) {
      return;
    }
    const look = async () => {
      const { framesIn } = await import('./frame-signs.ts');
      const found = await framesIn(bytes);
      if (found !== null && watched.frames === null) {
        watched.frames = found;
        watched.first.end();
        this.#update(port);
      }
    };
    // Without the network the code may be missing: then there is no offer.
    look().catch(() => watched.first.end());
  }

  /** Takes a message that was sent. */
  sent(port: PortNumber, bytes: Uint8Array): void {
    const watched = this.#watched[port];
    watched.cancel();
    if (watched.enter.sent(bytes)) {
      const { bench, clock } = this.#parts;
      watched.cancel = clock.schedule(enterAnswerTime + bench.sendTime(port, bytes.length), () => {
        if (watched.enter.due()) {
          this.#update(port);
        }
      });
    }
  }

  #update(port: PortNumber): void {
    const { enter, rate, frames } = this.#watched[port];
    // Frames with a right checksum come at the right rate.
    const sign = frames === null ? rate.sign : null;
    this.#advice = { ...this.#advice, [port]: { ...enter.signs, rate: sign, frames } };
    this.#parts.onProgress();
  }
}
