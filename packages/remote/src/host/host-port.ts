/**
 * A port of the host while a guest uses it: opened, read into what the guest has room for, written as fast as it takes bytes. Timing stays
 * here: sequences of control lines are played on this side, and so is their release when the guest is gone.
 * Knows no keys and no other guests.
 */
import type { Clock } from '@wirebench/clock';
import {
  type AwaitedFrame,
  type ControlLines,
  type ExpectedBytes,
  type LineStep,
  linesOff,
  linesRaised,
  openPort,
  type PortSettings,
  playSteps,
  SerialLink,
  setControlLines,
} from '@wirebench/serial/port';
import type { LineErrorWord, MessageOf, PortEnd, StepFields } from '../frames/messages.ts';
import type { Lane } from '../frames/tap-records.ts';
import type { Limits } from '../limits.ts';
import { GuestFeed } from './guest-feed.ts';
import { HostWriting } from './host-writing.ts';

/** A sequence that a guest plays step by step has no pause longer than this, in milliseconds. */
const SEQUENCE_PAUSE = 1_000;

export type ToGuest = MessageOf<'bytes'> | MessageOf<'credit'> | MessageOf<'lineError'> | MessageOf<'lost'>;

interface HostPortOptions {
  readonly clock: Clock;
  readonly limits: Limits;
  readonly number: number;
  readonly device: SerialPort;
  readonly settings: PortSettings;
  /** Bytes that the guest has room for. */
  readonly window: number;
  readonly send: (message: ToGuest) => void;
  /** What passes, for those who watch. */
  readonly passed: (lane: Lane, bytes: Uint8Array) => void;
  /** The device is gone, or cannot be read; called once at most, never after `close`. */
  readonly ended: (end: PortEnd) => void;
}

/** @throws OpenError. */
export function openHostPort(options: HostPortOptions, signal: AbortSignal): Promise<HostPort> {
  const { clock, device, settings } = options;
  return openPort(clock, { device, settings, signal, onOpen: () => new HostPort(options) });
}

export class HostPort {
  readonly #options: HostPortOptions;
  readonly #link: SerialLink;
  readonly #feed: GuestFeed;
  readonly #writing: HostWriting;
  #lines: ControlLines = linesRaised;
  #break = false;
  #linesChanged = Number.NEGATIVE_INFINITY;
  #release: readonly StepFields[] = [];
  #playing: AbortController | null = null;
  #cancelRelease: (() => void) | null = null;
  #isOver = false;

  /** @param options the device is open, and nobody reads or writes it. Use `openHostPort`. */
  constructor(options: HostPortOptions) {
    const { clock, device, settings, limits, number, send } = options;
    this.#options = options;
    this.#feed = new GuestFeed(options);
    this.#writing = new HostWriting({
      clock,
      limits,
      number,
      settings,
      credit: send,
      write: (bytes) => {
        options.passed('sent', bytes);
        return this.#link.send(bytes);
      },
    });
    const lineError = (error: LineErrorWord) => this.#feed.error(error);
    this.#link = new SerialLink(
      clock,
      { device, settings, overruns: 'read-on' },
      {
        bytes: (bytes) => {
          options.passed('received', bytes);
          this.#feed.add(bytes);
          this.#writing.heard(bytes);
        },
        // Only hardware flow control can hold a board back without loss.
        room: () => (settings.flowControl === 'hardware' ? this.#feed.below(limits.heldFlow) : null),
        lineError,
        overrun: () => lineError('overrun'),
        ended: ({ reason }) => this.#lose(reason === 'lost' ? 'unplugged' : 'failed'),
      },
    );
    this.#link.start();
  }

  /** The guest has room for all bytes up to this one. */
  credit(total: number): void {
    this.#feed.credit(total);
  }

  /** Bytes of the guest. False when they are not those that follow, or more than there was room for. */
  write(at: number, bytes: Uint8Array): boolean {
    return this.#writing.add(at, bytes);
  }

  /** What the guest writes from byte `at` on waits until the board has sent this. False when that is not what follows. */
  hold(at: number, answer: AwaitedFrame): boolean {
    return this.#writing.hold(at, answer);
  }

  /** What the guest writes from byte `at` on waits until the board has sent exactly this. False when that is not what follows. */
  expect(at: number, expected: ExpectedBytes): boolean {
    return this.#writing.expect(at, expected);
  }

  /** Throws away what has not been handed to the port yet. */
  discard(): void {
    this.#writing.discard();
  }

  /** Resolves when all that the guest wrote has left the wire, as far as its speed tells. */
  drained(): Promise<void> {
    return this.#writing.drained();
  }

  /** Milliseconds that the board has had since it was sent something; what it has answered by now is on its way to the guest. */
  answerTime(): number {
    this.#feed.flush();
    return this.#writing.quietFor;
  }

  async setLines(change: { readonly dtr?: boolean; readonly rts?: boolean; readonly break?: boolean }): Promise<void> {
    this.#cancelRelease?.();
    this.#lines = { dtr: change.dtr ?? this.#lines.dtr, rts: change.rts ?? this.#lines.rts };
    this.#break = change.break ?? this.#break;
    this.#linesChanged = this.#options.clock.now();
    await setControlLines(this.#options.device, change);
  }

  /**
   * Plays a sequence here, where the network does not stretch it.
   * @param release what is played when the guest is gone for good, until another sequence names another one.
   * @throws what the port says; the reason of an abort.
   */
  async play(steps: readonly StepFields[], release: readonly StepFields[]): Promise<void> {
    this.#release = release;
    const playing = new AbortController();
    this.#playing?.abort(new DOMException('Another sequence has begun.', 'AbortError'));
    this.#playing = playing;
    try {
      await this.#play(steps, playing.signal);
    } finally {
      if (this.#playing === playing) {
        this.#playing = null;
      }
    }
  }

  stop(): void {
    this.#playing?.abort(new DOMException('The sequence was stopped.', 'AbortError'));
  }

  inputs(): Promise<SerialInputSignals> {
    return this.#options.device.getSignals();
  }

  /** The guest's connection is lost. A board that it holds in a reset is let go soon, unless it comes back. */
  guestAway(): void {
    const { clock, limits } = this.#options;
    const isMidway = clock.now() - this.#linesChanged < SEQUENCE_PAUSE && this.#playing === null;
    const isHeld = this.#break || (this.#lines.rts && !this.#lines.dtr);
    if (isMidway || isHeld) {
      this.#cancelRelease ??= clock.schedule(limits.release, () => {
        this.#cancelRelease = null;
        void this.#playRelease().catch(() => undefined);
      });
    }
  }

  guestBack(): void {
    this.#cancelRelease?.();
    this.#cancelRelease = null;
  }

  /** Bounded in time; never rejects. @param isGone the guest did not close it: the board is put back as it should be. */
  async close(isGone: boolean): Promise<void> {
    this.guestBack();
    this.stop();
    const wasLost = this.#isOver;
    this.#isOver = true;
    this.#writing.end();
    this.#feed.close();
    if (isGone && !wasLost) {
      await this.#playRelease().catch(() => undefined);
    }
    await this.#link.close('drop');
  }

  async #playRelease(): Promise<void> {
    if (this.#break) {
      await this.setLines({ break: false });
    }
    const never = new AbortController().signal;
    const isRaised = this.#lines.dtr || this.#lines.rts;
    const release = this.#release.length > 0 ? this.#release : isRaised ? [{ ...linesOff, wait: 0 }] : [];
    await this.#play(release, never);
  }

  #play(steps: readonly StepFields[], signal: AbortSignal): Promise<void> {
    const list = steps.map(({ dtr, rts, wait }): LineStep => [dtr, rts, wait]);
    const until = AbortSignal.any([signal, this.#link.over]);
    return playSteps(this.#options.clock, list, (lines) => this.setLines(lines), until);
  }

  #lose(end: PortEnd): void {
    this.#isOver = true;
    this.#writing.end();
    // What was read before goes first.
    this.#feed.end(() => {
      this.#options.send({ kind: 'lost', port: this.#options.number, end });
      this.#options.ended(end);
    });
  }
}
