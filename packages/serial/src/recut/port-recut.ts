/**
 * Cuts the kept bytes of a port again, with another decoder or with none, as if it had been chosen before the first of
 * them came. It works in slices on channels of its own, which share the memory of the port's; the log changes once, when
 * all bytes are cut. Bytes that arrive during the work come after, in order.
 */
import type { Clock } from '@wirebench/clock';
import type { Arrival } from '../arrival-marks.ts';
import type { ChannelDecoder } from '../framing/channel-decoder.ts';
import { ChannelFraming } from '../framing/channel-framing.ts';
import { LineChannel } from '../line-channel.ts';

/** Bytes of one slice: about a millisecond of work. */
const SLICE_BYTES = 1 << 14;

interface RecutLane {
  readonly live: LineChannel;
  readonly framing: ChannelFraming;
  readonly shadow: LineChannel;
  readonly cutting: ChannelFraming;
  /** Sequence number and offset up to which arrivals were cut. */
  sequence: number;
  offset: number;
}

export interface PortRecutParts {
  readonly clock: Clock;
  /** Channels of the port with their framings: received and sent. */
  readonly lanes: readonly { readonly channel: LineChannel; readonly framing: ChannelFraming }[];
  /** Returns the decoders of channels that stand for those of the lanes; null: they are cut by the framing. */
  readonly decodersOf: (channels: readonly LineChannel[]) => readonly (ChannelDecoder | null)[];
  /** Called before the first byte of the port's newest connection is cut. */
  readonly onConnected: () => void;
  /** Offset of that byte in the first lane. */
  readonly connectedFrom: number;
}

/** True: the arrivals of all bytes that the channels keep are known. */
export function canRecut(channels: readonly LineChannel[]): boolean {
  return channels.every((channel) => channel.arrivals.covers(channel.keptFrom, channel.ring.end));
}

export class PortRecut {
  readonly #parts: PortRecutParts;
  readonly #lanes: readonly RecutLane[];
  #isConnected = false;

  constructor(parts: PortRecutParts) {
    this.#parts = parts;
    const { clock, lanes } = parts;
    const shadows = lanes.map(({ channel }) => LineChannel.shadowOf(channel));
    this.#lanes = lanes.map(({ channel: live, framing }, index): RecutLane => {
      const shadow = shadows[index] as LineChannel;
      const cutting = new ChannelFraming(clock, shadow, () => undefined);
      cutting.copy(framing);
      const first = live.arrivals.at(live.arrivals.firstAt(live.keptFrom));
      return { live, framing, shadow, cutting, sequence: first?.sequence ?? 0, offset: live.keptFrom };
    });
    for (const [index, decoder] of parts.decodersOf(shadows).entries()) {
      this.#lanes[index]?.cutting.decode(decoder);
    }
  }

  /** Cuts a slice. Returns false once all bytes are cut. */
  step(): boolean {
    for (let bytes = 0; bytes < SLICE_BYTES; ) {
      const next = this.#next();
      if (next === null) {
        return false;
      }
      bytes += 1 + this.#cut(next.lane, next.arrival);
    }
    return true;
  }

  /** Shows what was cut instead of the lines so far. `step` must have returned false just before. */
  finish(): void {
    const now = this.#parts.clock.wallTime();
    for (const { cutting } of this.#lanes) {
      cutting.passed(now);
    }
    this.#connect();
    for (const { live, framing, shadow, cutting } of this.#lanes) {
      live.takeLines(shadow);
      framing.takeOver(cutting);
    }
  }

  /** Returns the next arrival of all lanes; null if none is left. */
  #next(): { readonly lane: RecutLane; readonly arrival: Arrival } | null {
    let next: { lane: RecutLane; arrival: Arrival } | null = null;
    for (const lane of this.#lanes) {
      const { arrivals } = lane.live;
      const arrival = arrivals.at(arrivals.indexOfSequence(lane.sequence));
      if (arrival !== null && (next === null || arrival.sequence < next.arrival.sequence)) {
        next = { lane, arrival };
      }
    }
    return next;
  }

  /** Cuts the bytes of an arrival that are still kept. Returns their number. */
  #cut(lane: RecutLane, { kind, from, to, at, sequence }: Arrival): number {
    const { live, shadow, cutting } = lane;
    if (lane === this.#lanes[0] && to > this.#parts.connectedFrom) {
      this.#connect();
    }
    for (const other of this.#lanes) {
      if (other !== lane) {
        other.cutting.passed(at);
      }
    }
    const kept = Math.max(from, lane.offset, live.ring.start);
    shadow.skipTo(Math.min(kept, to), live.ring);
    lane.sequence = sequence + Math.max(1, to - from);
    lane.offset = to;
    if (kind === 'end') {
      cutting.ended();
    } else if (kept < to) {
      const bytes = live.ring.view(kept, to).slice();
      if (kind === 'entry' || (live.identity.direction === 'sent' && !shadow.isCut)) {
        shadow.appendEntry(bytes, at);
      } else {
        cutting.loaded(bytes, at, 0, bytes.length);
      }
    }
    return to - from;
  }

  #connect(): void {
    if (!this.#isConnected) {
      this.#isConnected = true;
      this.#parts.onConnected();
    }
  }
}
