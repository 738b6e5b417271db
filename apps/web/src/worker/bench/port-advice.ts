/**
 * Notices from what ports send and receive what a person should know: which line ending a board expects, whether its rate is
 * wrong, whether it sends frames, draws a full-screen program, or is silent.
 */
import type { Clock } from '@wirebench/clock';
import { isTextByte } from '@wirebench/frames/latin-text';
import {
  type Bench,
  byPort,
  EnterWatch,
  enterAnswerTime,
  type PortNumber,
  ProgramWatch,
  portNumbers,
  RateWatch,
} from '@wirebench/serial';
import type { BenchTick } from '../../protocol/bench/bench-tick.ts';
import {
  type DeviceFacts,
  noAdvice,
  type PortAdvice,
  type ReceivedFrames,
  silentAfter,
} from '../../protocol/bench/port-part.ts';
import type { FrameCount } from './frame-signs.ts';

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
  readonly program: ProgramWatch;
  readonly first: FirstBytes;
  /** Frames that the received bytes are; null: none, or not known yet. */
  frames: FrameCount | null;
  /** Chunks that came since frames are looked for in those before; null: no search runs. */
  unread: Uint8Array[] | null;
  /** Arrivals of the first byte and the newest since `begin`; null without any. */
  firstAt: number | null;
  newestAt: number | null;
  /** Time of the connection whose silence is waited for; null without one. */
  connectedAt: number | null;
  isSilent: boolean;
  cancelSilence: () => void;
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
      program: new ProgramWatch(),
      first: new FirstBytes(),
      frames: null,
      unread: null,
      firstAt: null,
      newestAt: null,
      connectedAt: null,
      isSilent: false,
      cancelSilence: () => undefined,
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
      const { state, connectedAt } = ports[port];
      if (state === 'disconnected' && this.#advice[port] !== noAdvice) {
        this.begin(port);
      }
      this.#waitForFirstByte(port, state === 'connected' ? connectedAt : null);
      const { frames } = this.#advice[port];
      const count = this.#watched[port].frames;
      if (frames !== null && count !== null && frames.right + frames.broken !== count.right + count.broken) {
        this.#advice = { ...this.#advice, [port]: this.#adviceOf(port) };
      }
    }
    return { advice: this.#advice };
  }

  /** @param connectedAt Null: the port is not connected. */
  #waitForFirstByte(port: PortNumber, connectedAt: number | null): void {
    const watched = this.#watched[port];
    if (connectedAt === watched.connectedAt) {
      return;
    }
    watched.cancelSilence();
    watched.connectedAt = connectedAt;
    watched.isSilent = false;
    if (connectedAt !== null) {
      const { clock } = this.#parts;
      const left = Math.max(0, connectedAt + silentAfter - clock.wallTime());
      watched.cancelSilence = clock.schedule(left, () => {
        watched.isSilent = this.#isOwn(port) && (watched.newestAt ?? Number.NEGATIVE_INFINITY) < connectedAt;
        if (watched.isSilent) {
          this.#update(port);
        }
      });
    }
  }

  /** Forgets what is known of the board: another connection begins. */
  begin(port: PortNumber): void {
    const watched = this.#watched[port];
    const { enter, rate, program, first, cancel } = watched;
    cancel();
    enter.reset();
    rate.reset();
    program.reset();
    first.reset();
    watched.frames = null;
    watched.unread = null;
    watched.firstAt = null;
    watched.newestAt = null;
    watched.isSilent = false;
    this.#advice = { ...this.#advice, [port]: noAdvice };
  }

  setText(port: PortNumber, isText: boolean): void {
    this.#watched[port].isText = isText;
  }

  /** Takes a chunk as received. */
  received(port: PortNumber, bytes: Uint8Array, at: number): void {
    const watched = this.#watched[port];
    watched.newestAt = at;
    if (this.#parts.usesOtherSettings(port)) {
      return;
    }
    watched.firstAt ??= at;
    const { enter, rate, program, isText, isSilent } = watched;
    watched.isSilent = false;
    const before = enter.signs;
    enter.received(bytes);
    const isRateNew = this.#isOwn(port) && isText && rate.received(bytes, at);
    const isProgramNew = isText && program.received(bytes, at);
    if (isSilent || isRateNew || isProgramNew || enter.signs !== before) {
      this.#update(port);
    }
    if (isText) {
      this.#lookForFrames(port, bytes);
    }
  }

  /** The rate and the cable of a board elsewhere are its host's. */
  #isOwn(port: PortNumber): boolean {
    return ['serial', 'demo'].includes(this.#parts.facts(port)?.kind ?? 'serial');
  }

  #lookForFrames(port: PortNumber, chunk: Uint8Array): void {
    const watched = this.#watched[port];
    if (watched.frames !== null) {
      watched.frames.add(chunk);
      return;
    }
    watched.unread?.push(chunk);
    const bytes = watched.first.add(chunk);
    if (bytes === null || watched.unread !== null) {
      return;
    }
    const unread: Uint8Array[] = [];
    watched.unread = unread;
    const look = async () => {
      const { framesIn } = await import('./frame-signs.ts');
      const found = await framesIn(bytes);
      if (watched.unread !== unread) {
        // Another connection has begun.
        return;
      }
      watched.unread = null;
      if (found !== null) {
        for (const next of unread) {
          found.add(next);
        }
        watched.frames = found;
        watched.first.end();
        this.#update(port);
      }
    };
    // Without the network the code may be missing: then there is no offer.
    look().catch(() => {
      watched.unread = null;
      watched.first.end();
    });
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
    this.#advice = { ...this.#advice, [port]: this.#adviceOf(port) };
    this.#parts.onProgress();
  }

  #adviceOf(port: PortNumber): PortAdvice {
    const { enter, rate, program, frames: count, firstAt, isSilent } = this.#watched[port];
    const frames: ReceivedFrames | null =
      count === null ? null : { decoder: count.decoder, right: count.right, broken: count.broken, since: firstAt ?? 0 };
    return {
      ...enter.signs,
      // Frames with a right checksum come at the right rate.
      rate: frames === null ? rate.sign : null,
      frames,
      isProgram: program.isRunning,
      isSilent,
    };
  }
}
