/**
 * A port of the host while a guest uses it. Received bytes go to the guest as far as it has room; the guest's bytes
 * are written as fast as the port takes them. Timing stays at the host: it plays sequences of control lines, and
 * their release when the guest is gone.
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
} from '@wirebench/port';
import type { LineErrorWord, MessageOf, PortEnd, StepFields } from '../frames/messages.ts';
import type { Lane } from '../frames/tap-records.ts';
import type { Limits } from '../limits.ts';
import { GuestFeed } from './guest-feed.ts';
import { HostWriting } from './host-writing.ts';

/** Longest pause within a sequence that a guest plays with single calls, in milliseconds. */
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
  /** Receives the bytes that pass, for guests that watch. */
  readonly passed: (lane: Lane, bytes: Uint8Array) => void;
  /** Returns the bytes that are passed on in the place of hidden ones. */
  readonly hiddenLine: (count: number) => Uint8Array;
  /** Receives the number of bytes that the guest has sent as keys. They are not passed to `passed`. */
  readonly typed: (count: number) => void;
  /** The device is gone or cannot be read. Called at most once, never after `close`. */
  readonly ended: (end: PortEnd) => void;
}

/**
 * Opens the device for a guest.
 *
 * @throws OpenError.
 */
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

  /**
   * Use `openHostPort` instead.
   *
   * @param options The device is open and has no reader or writer.
   */
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
      write: (bytes, manner) => {
        if (manner === 'keys') {
          options.typed(bytes.length);
        } else {
          options.passed('sent', manner === 'hidden' ? options.hiddenLine(bytes.length) : bytes);
        }
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
        // Only hardware flow control can stop a board without loss.
        room: () => (settings.flowControl === 'hardware' ? this.#feed.below(limits.heldFlow) : null),
        lineError,
        overrun: () => lineError('overrun'),
        ended: ({ reason }) => this.#lose(reason === 'lost' ? 'unplugged' : 'failed'),
      },
    );
    this.#link.start();
  }

  /** Records that the guest has room for all bytes up to `total`. */
  credit(total: number): void {
    this.#feed.credit(total);
  }

  /** Takes bytes from the guest. Returns false if they are not the next bytes, or exceed the granted room. */
  write(at: number, bytes: Uint8Array): boolean {
    return this.#writing.add(at, bytes);
  }

  /** Writes bytes that must not be shown. Resolves with true when the port has taken them, with false if they were dropped. */
  writeHidden(bytes: Uint8Array): Promise<boolean> {
    return this.#writing.addHidden(bytes);
  }

  /** Notes that the guest's next bytes are keys. Returns false if `at` is not the next offset. */
  areKeys(at: number, length: number): boolean {
    return this.#writing.areKeys(at, length);
  }

  /**
   * Makes the guest's bytes from `at` on wait until the board has sent this frame. Returns false if `at` is not the
   * next offset.
   */
  hold(at: number, answer: AwaitedFrame): boolean {
    return this.#writing.hold(at, answer);
  }

  /**
   * Makes the guest's bytes from `at` on wait until the board has sent exactly these bytes. Returns false if `at` is
   * not the next offset.
   */
  expect(at: number, expected: ExpectedBytes): boolean {
    return this.#writing.expect(at, expected);
  }

  /** Drops the bytes that have not been handed to the port yet. */
  discard(): void {
    this.#writing.discard();
  }

  /** Resolves when the guest's bytes have left the wire, as computed from the baud rate. */
  drained(): Promise<void> {
    return this.#writing.drained();
  }

  /**
   * Returns how long the board has had since the last byte was sent to it, in milliseconds. Bytes that it has
   * answered so far are sent to the guest first.
   */
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
   * Plays a sequence at the host, where the network does not stretch its pauses.
   *
   * @param release Sequence to play if the guest is gone for good. Each call replaces it.
   * @throws The port's error, or the reason of an abort.
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

  /**
   * Handles the loss of the guest's connection. A board that is held in reset or in the middle of a sequence is
   * released soon, unless the guest comes back.
   */
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

  /**
   * Closes the port within a bounded time; never rejects.
   *
   * @param isGone True: the guest did not close the port itself, so the release is played first.
   */
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
    // Bytes that were read before the loss are sent first.
    this.#feed.end(() => {
      this.#options.send({ kind: 'lost', port: this.#options.number, end });
      this.#options.ended(end);
    });
  }
}
