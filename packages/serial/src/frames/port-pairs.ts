/**
 * Decoders of the ports of a bench, and the frames that they cut. Two ports are a pair if the frames of one answer those
 * of the other: both are one conversation then, which the decoder of the asking port cuts.
 */
import type { Clock } from '@wirebench/clock';
import type { FrameReader } from '@wirebench/frames';
import { wireTime } from '@wirebench/port';
import type { BenchChannels } from '../bench-channels.ts';
import type { ChannelFraming } from '../framing/channel-framing.ts';
import type { LineChannel } from '../line-channel.ts';
import { type ByPort, type PortNumber, portNumbers } from '../port-number.ts';
import type { SessionStatus } from '../port-session.ts';
import { canRecut, PortRecut } from '../recut/port-recut.ts';
import { type FrameLane, PortFrames } from './port-frames.ts';

/** Decoder of a port. */
export interface ChosenDecoder {
  readonly reader: FrameReader;
  /** True: its frames are lines of text with their endings. */
  readonly isText: boolean;
  /** Port on which the answers come; null: the same port. */
  readonly answersOn: PortNumber | null;
}

/** Cutters of lines for both directions of every port. */
export type PortFramings = Readonly<Record<'received' | 'sent', ByPort<ChannelFraming>>>;

/** Kept bytes of a port that are cut again. */
export type Recut = Pick<PortRecut, 'step' | 'finish'>;

interface PortPairsParts {
  readonly channels: BenchChannels;
  readonly framings: PortFramings;
  readonly clock: Clock;
  readonly status: (port: PortNumber) => Pick<SessionStatus, 'state' | 'settings'>;
  readonly isWatched: (port: PortNumber) => boolean;
  /** Time of one byte in ms, as an opened log of the port says it; 0: unknown. */
  readonly loggedByteTime: (port: PortNumber) => number;
  /** Adds a warning about a port to the timeline. */
  readonly say: (text: string, port: PortNumber) => void;
}

export class PortPairs {
  readonly #parts: PortPairsParts;
  /** Decoders of ports. A log that is read again begins with none of their questions. */
  readonly #readers = new Map<PortNumber, ChosenDecoder>();
  readonly #frames: Record<PortNumber, PortFrames | null> = { 1: null, 2: null, 3: null, 4: null };

  constructor(parts: PortPairsParts) {
    this.#parts = parts;
  }

  /** Decoder of a port; null: its lines are cut by the framing. */
  decoderOf(port: PortNumber): ChosenDecoder | null {
    return this.#readers.get(port) ?? null;
  }

  /** Frames that the decoder of a port, or of the one that it answers, has cut; null without a decoder. */
  frames(port: PortNumber): PortFrames | null {
    return this.#frames[port];
  }

  /** Returns the port whose frames a port answers; null: it has its own decoder, or none. */
  askingPort(port: PortNumber): PortNumber | null {
    return [...this.#pairs].find(([, answering]) => answering === port)?.[0] ?? null;
  }

  /**
   * Cuts what a port receives and sends with a decoder from now on; null: by its framing again.
   *
   * @throws RangeError if the port answers itself.
   */
  setDecoder(port: PortNumber, chosen: ChosenDecoder | null): void {
    if (chosen?.answersOn === port) {
      throw new RangeError('A port answers itself without being paired');
    }
    const before = this.#pairs;
    if (chosen === null) {
      this.#readers.delete(port);
    } else {
      this.#readers.set(port, chosen);
    }
    const after = this.#pairs;
    const isAnswering = (pairs: ReadonlyMap<PortNumber, PortNumber>, one: PortNumber) =>
      [...pairs.values()].includes(one);
    for (const one of portNumbers) {
      const isChanged =
        one === port || before.get(one) !== after.get(one) || isAnswering(before, one) !== isAnswering(after, one);
      if (isChanged && !isAnswering(after, one)) {
        this.#cutIntoFrames(one, after.get(one) ?? null);
      }
    }
  }

  /**
   * Begins to cut the kept bytes of a port again, received and sent. The log stays as it is until `finish`.
   *
   * @param connectedFrom Offset of the first received byte of the port's newest connection.
   * @returns null if it cannot be done: the port is one of a pair, or the arrival of some kept bytes is not known.
   */
  recut(port: PortNumber, chosen: ChosenDecoder | null, connectedFrom: number): Recut | null {
    const { channels, framings, clock } = this.#parts;
    const own = [channels.received(port), channels.sent(port)];
    if ((chosen?.answersOn ?? null) !== null || this.#partnerOf(port) !== null || !canRecut(own)) {
      return null;
    }
    let frames: PortFrames | null = null;
    const cutting = new PortRecut({
      clock,
      lanes: [
        { channel: own[0] as LineChannel, framing: framings.received[port] },
        { channel: own[1] as LineChannel, framing: framings.sent[port] },
      ],
      decodersOf: (shadows) => {
        frames = chosen === null ? null : this.#framesOf([port], chosen, shadows);
        return shadows.map((_, index) => frames?.decoders[index] ?? null);
      },
      connectedFrom,
      onConnected: () => frames?.restartOverview(),
    });
    return {
      step: () => cutting.step(),
      finish: () => {
        cutting.finish();
        frames?.moveTo(own);
        this.#frames[port] = frames;
        if (chosen === null) {
          this.#readers.delete(port);
        } else {
          this.#readers.set(port, chosen);
        }
      },
    };
  }

  /** Begins the frames of every port again: all lines were deleted. */
  startOver(): void {
    const pairs = this.#pairs;
    const answering = [...pairs.values()];
    for (const port of this.#readers.keys()) {
      if (!answering.includes(port)) {
        this.#cutIntoFrames(port, pairs.get(port) ?? null);
      }
    }
  }

  /** Reads the frames of a port with another reader. Returns false for a port without a decoder. */
  readWith(port: PortNumber, reader: FrameReader): boolean {
    const before = this.#readers.get(port);
    if (before === undefined) {
      return false;
    }
    this.#readers.set(port, { ...before, reader });
    this.#frames[port]?.readWith(reader);
    return true;
  }

  /** Decides about waiting bytes of the other port of a pair, before bytes of `port` come at a time. */
  passBeside(port: PortNumber, at: number): void {
    const partner = this.#readers.size === 0 ? null : this.#partnerOf(port);
    if (partner === null) {
      return;
    }
    const { framings, status } = this.#parts;
    framings.received[partner].passed(at);
    framings.sent[partner].passed(at);
    const frames = this.#frames[port];
    const isOpen = (one: PortNumber) => status(one).state === 'connected';
    if (frames?.isPaired === false && isOpen(port) && isOpen(partner)) {
      frames.resumePairing();
    }
  }

  /** Ends the pairing of a port that was closed or lost. */
  endPairing(port: PortNumber): void {
    const partner = this.#partnerOf(port);
    const frames = this.#frames[port];
    if (partner !== null && frames?.isPaired === true) {
      frames.endPairing();
      this.#parts.say(
        `Port ${port} was closed: frames of Port ${partner} are not paired with it until both are open.`,
        partner,
      );
    }
  }

  /** Ports whose answers come on another one, each with that one. Of two that name each other, the first asks. */
  get #pairs(): ReadonlyMap<PortNumber, PortNumber> {
    const pairs = new Map<PortNumber, PortNumber>();
    for (const port of portNumbers) {
      const answers = this.#readers.get(port)?.answersOn ?? null;
      const taken = [...pairs].flat();
      if (answers !== null && !taken.includes(port) && !taken.includes(answers)) {
        pairs.set(port, answers);
      }
    }
    return pairs;
  }

  /** Returns the other port of a pair; null for a port without one. */
  #partnerOf(port: PortNumber): PortNumber | null {
    for (const [asking, answering] of this.#pairs) {
      if (port === asking || port === answering) {
        return port === asking ? answering : asking;
      }
    }
    return null;
  }

  /** Begins the frames of a port, and of the one that answers it. */
  #cutIntoFrames(port: PortNumber, answering: PortNumber | null): void {
    const { channels, framings } = this.#parts;
    const chosen = this.#readers.get(port) ?? null;
    const ports = answering === null ? [port] : [port, answering];
    const own = ports.flatMap((one) => [channels.received(one), channels.sent(one)]);
    const frames = chosen === null ? null : this.#framesOf(ports, chosen, own);
    for (const [index, one] of ports.entries()) {
      this.#frames[one] = frames;
      framings.received[one].decode(frames?.decoders[2 * index] ?? null);
      framings.sent[one].decode(frames?.decoders[2 * index + 1] ?? null);
    }
  }

  /** @param channels Received and sent of each port, or channels that stand for them. The second port answers the first. */
  #framesOf(ports: readonly PortNumber[], chosen: ChosenDecoder, channels: readonly LineChannel[]): PortFrames {
    const { clock, status, isWatched } = this.#parts;
    const isLive = (one: PortNumber) => status(one).state !== 'disconnected' || isWatched(one);
    const now = () => (ports.some(isLive) ? clock.wallTime() : null);
    const lanes = channels.map((channel, index): FrameLane => {
      const one = ports[index >> 1] as PortNumber;
      const own = index % 2 === 0 ? 'received' : 'sent';
      const direction = ports.length === 1 ? own : index < 2 ? 'sent' : 'received';
      return { channel, direction, byteTime: () => this.#byteTime(one) };
    });
    return new PortFrames({ reader: chosen.reader, isText: chosen.isText, lanes, now });
  }

  /** Time of one byte on the line of a port, in ms; 0 for a log that does not say its rate. */
  #byteTime(port: PortNumber): number {
    const { settings } = this.#parts.status(port);
    return settings === null ? this.#parts.loggedByteTime(port) : wireTime(settings, 1);
  }
}
