/**
 * Shows ports as terminals: sends the received bytes of each open Screen to the page, and its keys to the port. It is
 * loaded and runs only while a Screen is open. Reading a port never waits for it, because it reads from the port's ring.
 */
import type { Clock } from '@wirebench/clock';
import { joined } from '@wirebench/port/bytes';
import type { ByteFeed, PortNumber } from '@wirebench/serial';
import type { Channel } from '../../protocol/calls/call-protocol.ts';
import {
  type ScreenBytes,
  screenBehind,
  screenPiece,
  screenReplay,
  type ToScreenWorker,
} from '../../protocol/screen-protocol.ts';
import type { BenchWorker } from './bench-worker.ts';

/** Bytes in which the beginning of a line is looked for, so that a replay does not begin inside an escape sequence. */
const lineSearch = 1 << 12;
/**
 * Milliseconds from one turn to the next while much arrives. A Screen draws all of its rows for any bytes, and people cannot
 * read rows that change more often.
 */
const TURN = 50;
/**
 * Bytes of a turn that are sent as they come, such as echoes of keys, unless bytes of the turn before had to wait. At
 * 115,200 baud, no turn has more.
 */
const FEW_BYTES = 1_024;

interface Shown {
  readonly feed: ByteFeed;
  /** Offset of the next byte to send. */
  next: number;
  /** Bytes before this offset had arrived before the Screen was shown: their queries stay unanswered. */
  quietUntil: number;
  startsOver: boolean;
  /** True: the page has not parsed the last message yet. */
  isBusy: boolean;
  /** Offset at which the turn began, and its end in the clock's time. */
  turnFrom: number;
  turnEnds: number;
  /** Offset up to which the turn's bytes may go without a wait. */
  upTo: number;
  /** True: the first bytes of the turn are sent as they come. */
  isQuick: boolean;
  /** Ends the wait for the next turn; null without a wait. */
  endWait: (() => void) | null;
}

const CTRL_C = 0x03;

interface Typing {
  waiting: Uint8Array<ArrayBuffer> | null;
}

type Worker = Pick<BenchWorker, 'bench' | 'devices' | 'remoteKeys' | 'screen'>;

export class ScreenWorker {
  readonly #channel: Channel;
  readonly #clock: Clock;
  readonly #worker: Worker;
  readonly #shown = new Map<PortNumber, Shown>();
  readonly #typing = new Map<PortNumber, Typing>();

  constructor(channel: Channel, clock: Clock, worker: Worker) {
    this.#channel = channel;
    this.#clock = clock;
    this.#worker = worker;
    channel.addEventListener('message', ({ data }: MessageEvent<ToScreenWorker>) => this.#take(data));
  }

  #take(message: ToScreenWorker): void {
    const { port } = message;
    switch (message.kind) {
      case 'show':
        this.#show(port, message.from);
        break;
      case 'hide':
        this.#shown.get(port)?.endWait?.();
        this.#shown.delete(port);
        if (this.#shown.size === 0) {
          this.#worker.screen = null;
        }
        break;
      case 'taken': {
        const shown = this.#shown.get(port);
        if (shown !== undefined) {
          shown.isBusy = false;
          this.#send(port, shown);
        }
        break;
      }
      case 'keys':
        this.#type(port, message.bytes);
        break;
      case 'answer':
        if (this.#holds(port)) {
          this.#type(port, message.bytes);
        }
        break;
    }
  }

  #show(port: PortNumber, from: number | null): void {
    const feed = this.#worker.bench.byteFeed(port);
    this.#shown.get(port)?.endWait?.();
    const turn = { turnFrom: 0, turnEnds: Number.NEGATIVE_INFINITY, upTo: 0, isQuick: true, endWait: null };
    const shown = { feed, next: from ?? 0, quietUntil: feed.end, startsOver: false, isBusy: false, ...turn };
    if (from === null) {
      this.#startOver(shown);
    }
    this.#shown.set(port, shown);
    this.#worker.screen = () => this.#sendAll();
    this.#send(port, shown);
  }

  #sendAll(): void {
    for (const [port, shown] of this.#shown) {
      if (!shown.isBusy && shown.next !== shown.feed.end) {
        this.#send(port, shown);
      }
    }
  }

  #send(port: PortNumber, shown: Shown): void {
    const { feed } = shown;
    // The ring has less than the page has seen only if the page's offset is of another bench.
    if (shown.next < feed.start || shown.next > feed.end || feed.end - shown.next > screenBehind) {
      this.#startOver(shown);
    }
    if (shown.isBusy || (shown.next === feed.end && !shown.startsOver) || !this.#hasTurn(port, shown)) {
      return;
    }
    // No piece has quiet bytes and others.
    const most = shown.next < shown.quietUntil ? shown.quietUntil - shown.next : screenPiece;
    const bytes = feed.read(shown.next, Math.min(most, screenPiece));
    const isQuiet = shown.next < shown.quietUntil || !this.#holds(port);
    shown.next += bytes.length;
    const message: ScreenBytes = { port, bytes, end: shown.next, isQuiet, startsOver: shown.startsOver };
    shown.startsOver = false;
    shown.isBusy = true;
    this.#channel.postMessage(message, [bytes.buffer]);
  }

  /** Returns true if the next bytes may be sent now. Else they are sent with the next turn. */
  #hasTurn(port: PortNumber, shown: Shown): boolean {
    const { feed, next, endWait } = shown;
    const now = this.#clock.now();
    if (now >= shown.turnEnds) {
      shown.isQuick = endWait === null;
      endWait?.();
      shown.endWait = null;
      shown.turnFrom = next;
      shown.turnEnds = now + TURN;
      shown.upTo = feed.end;
    } else if (shown.isQuick && feed.end - shown.turnFrom <= FEW_BYTES) {
      shown.upTo = feed.end;
    }
    if (next < shown.upTo || next === feed.end) {
      return true;
    }
    shown.endWait ??= this.#clock.schedule(shown.turnEnds - now, () => {
      // Timers may be early by less than a millisecond.
      shown.turnEnds = Number.NEGATIVE_INFINITY;
      this.#send(port, shown);
    });
    return false;
  }

  #startOver(shown: Shown): void {
    const { feed } = shown;
    shown.next = feed.lastFrom(screenReplay, lineSearch);
    shown.quietUntil = feed.end;
    shown.startsOver = true;
    shown.turnEnds = Number.NEGATIVE_INFINITY;
  }

  /** True: this page has the port open itself. False: it is closed, or a port of another user's bench that is only watched. */
  #holds(port: PortNumber): boolean {
    const { bench } = this.#worker;
    return bench.status().ports[port].state === 'connected' && !this.#isWatched(port);
  }

  #isWatched(port: PortNumber): boolean {
    const { devices } = this.#worker;
    // A device is attached to a port of another bench only while this page uses it.
    return devices.facts(port)?.kind === 'remote' && devices.info(port) === null;
  }

  /**
   * Sends at once. Keys that come while others are being sent follow together, in order. Ctrl+C does not wait for a long
   * text: it drops what has not been sent.
   */
  #type(port: PortNumber, bytes: Uint8Array): void {
    const isInterrupt = bytes.length === 1 && bytes[0] === CTRL_C;
    const typing = this.#typing.get(port);
    if (typing !== undefined && isInterrupt && this.#worker.bench.sending(port) !== null) {
      typing.waiting = null;
      // A failure is said as for other keys.
      void this.#deliver(port, bytes).catch(() => undefined);
      return;
    }
    if (typing !== undefined) {
      typing.waiting = joined(typing.waiting ?? new Uint8Array(0), bytes);
      return;
    }
    if (this.#worker.bench.status().ports[port].state === 'connected') {
      void this.#sendKeys(port, bytes);
    }
  }

  async #sendKeys(port: PortNumber, first: Uint8Array): Promise<void> {
    const typing: Typing = { waiting: null };
    this.#typing.set(port, typing);
    try {
      for (let bytes: Uint8Array | null = first; bytes !== null; ) {
        await this.#deliver(port, bytes);
        bytes = typing.waiting;
        typing.waiting = null;
      }
    } catch {
      // The port has said so on the timeline, or its state on the page does. Keys behind a failed one are dropped.
    } finally {
      this.#typing.delete(port);
    }
  }

  async #deliver(port: PortNumber, bytes: Uint8Array): Promise<void> {
    const { bench, remoteKeys } = this.#worker;
    if (remoteKeys !== null && this.#isWatched(port)) {
      await remoteKeys(port, bytes);
      bench.recordKeys(port, bytes.length);
      return;
    }
    await bench.type(port, bytes);
  }
}
