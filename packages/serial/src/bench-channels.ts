/** The nine channels of a bench: their creation, their sizes, and their selection by name. */
import { type ChannelName, channelNames, type SequenceCounter } from './channel-name.ts';
import { LineChannel } from './line-channel.ts';
import { noticeFlags } from './notice-flags.ts';
import { type ByPort, byPort, type PortNumber, portNumbers } from './port-number.ts';
import { Timeline } from './timeline.ts';
import type { NoticeKind, NoticeLevel } from './timeline-rows.ts';

const KIB = 1_024;
const MIB = 1_024 * KIB;
/** Bytes kept of a port's received data, unless the user chooses otherwise. */
const defaultRingBytes = 64 * MIB;
export const minimumRingBytes = 64 * KIB;
const maximumRingBytes = 1_024 * MIB;
const SENT_RING_BYTES = 4 * MIB;
const NOTICE_RING_BYTES = MIB;

const encoder = new TextEncoder();

export class BenchChannels {
  readonly #counter: SequenceCounter = { next: 0 };
  readonly #byName: ReadonlyMap<ChannelName, LineChannel>;
  readonly #received: ByPort<LineChannel>;
  readonly #sent: ByPort<LineChannel>;
  readonly #notices: LineChannel;

  /** @throws RangeError if `ringBytes` is out of range. */
  constructor(ringBytes = defaultRingBytes) {
    checkRingBytes(ringBytes);
    const received = (port: PortNumber) =>
      new LineChannel({ name: `received-${port}`, port, direction: 'received' }, this.#counter, ringBytes);
    const sent = (port: PortNumber) =>
      new LineChannel({ name: `sent-${port}`, port, direction: 'sent' }, this.#counter, SENT_RING_BYTES);
    this.#received = byPort(received);
    this.#sent = byPort(sent);
    this.#notices = new LineChannel(
      { name: 'notices', port: null, direction: 'notice' },
      this.#counter,
      NOTICE_RING_BYTES,
    );
    const all = [...Object.values(this.#received), ...Object.values(this.#sent), this.#notices];
    this.#byName = new Map(all.map((channel) => [channel.identity.name, channel]));
  }

  received(port: PortNumber): LineChannel {
    return this.#received[port];
  }

  sent(port: PortNumber): LineChannel {
    return this.#sent[port];
  }

  /** Number of lines held in all channels. */
  get lines(): number {
    return this.select().reduce((sum, channel) => sum + channel.lines, 0);
  }

  get droppedLines(): number {
    return this.select().reduce((sum, channel) => sum + channel.droppedLines, 0);
  }

  /** Arrival of the newest line, in milliseconds since the Unix epoch; null without lines. */
  get newestAt(): number | null {
    const newest = this.select()
      .filter((channel) => channel.lines > 0)
      .map((channel) => channel.timeOf(channel.endLine - 1))
      .filter((at) => !Number.isNaN(at));
    return newest.length === 0 ? null : Math.max(...newest);
  }

  /** Returns the named channels, each once; all channels if no names are given. */
  select(names: readonly ChannelName[] = channelNames): LineChannel[] {
    return [...new Set(names)].flatMap((name) => this.#byName.get(name) ?? []);
  }

  timeline(names?: readonly ChannelName[]): Timeline {
    return new Timeline(this.select(names));
  }

  notice(level: NoticeLevel, text: string, port: PortNumber | null, at: number, kind?: NoticeKind): void {
    this.#notices.appendEntry(encoder.encode(text), at, noticeFlags(level, port, kind));
  }

  clear(): void {
    for (const channel of this.select()) {
      channel.clear();
    }
  }

  restoreCleared(): void {
    for (const channel of this.select()) {
      channel.restoreCleared();
    }
  }

  forgetCleared(): void {
    for (const channel of this.select()) {
      channel.forgetCleared();
    }
  }

  /**
   * Resizes the rings of received data.
   *
   * @throws RangeError if out of range or out of memory. Rings that were already changed then keep their new size.
   */
  resize(ringBytes: number): void {
    checkRingBytes(ringBytes);
    for (const port of portNumbers) {
      this.#received[port].resize(ringBytes);
    }
  }
}

function checkRingBytes(ringBytes: number): void {
  if (!Number.isInteger(ringBytes) || ringBytes < minimumRingBytes || ringBytes > maximumRingBytes) {
    throw new RangeError(`A ring has from ${minimumRingBytes} to ${maximumRingBytes} bytes, not ${ringBytes}`);
  }
}
