/** Decoders of ports. Their code is loaded when the first one is chosen. */
import type { Clock } from '@wirebench/clock';
import type { ReadyDecoder } from '@wirebench/frames/ready-decoders';
import { type Bench, byPort, type PortNumber } from '@wirebench/serial';
import type { FrameCalls, FrameOverview } from '../../protocol/bench/frame-part.ts';
import type { CallHandlers } from '../../protocol/calls/call-server.ts';

/** Longest run of counting before the ports are read again, in milliseconds. */
const turn = 8;

type CountedFrames = NonNullable<ReturnType<Bench['frames']>>;

export interface FrameWorkerParts {
  readonly bench: Bench;
  readonly clock: Clock;
  readonly onProgress: () => void;
}

export class FrameWorker {
  readonly #bench: Bench;
  readonly #clock: Clock;
  readonly #onProgress: () => void;
  /** Frames that are being counted. */
  readonly #counting = new Set<CountedFrames>();
  readonly #chosen = byPort((): ReadyDecoder | null => null) as Record<PortNumber, ReadyDecoder | null>;

  constructor({ bench, clock, onProgress }: FrameWorkerParts) {
    this.#bench = bench;
    this.#clock = clock;
    this.#onProgress = onProgress;
  }

  readonly handlers: CallHandlers<FrameCalls> = {
    setDecoder: (port, decoder) => this.choose(port, decoder),
    frameOverview: (port) => this.#overview(port),
  };

  /** Does the same as `FrameCalls.setDecoder`. The same decoder again changes nothing, so an open frame goes on. */
  async choose(port: PortNumber, decoder: ReadyDecoder | null): Promise<void> {
    if (this.#chosen[port] === decoder) {
      return;
    }
    this.#chosen[port] = decoder;
    if (decoder === null) {
      this.#bench.setDecoder(port, null);
    } else {
      const { readyReader } = await import('@wirebench/frames/ready-reader');
      const { reader, isText } = await readyReader(decoder);
      if (this.#chosen[port] !== decoder) {
        return;
      }
      this.#bench.setDecoder(port, reader, isText);
    }
    this.#onProgress();
  }

  /** Counts the frames that came since the last call, and returns the counts. The rest is counted in turns. */
  async #overview(port: PortNumber): Promise<FrameOverview | null> {
    const { overviewFor } = await import('./frame-overview.ts');
    const frames = this.#bench.frames(port);
    if (frames === null) {
      return null;
    }
    if (!this.#counting.has(frames) && this.#countTurn(frames)) {
      void this.#countRest(port, frames);
    }
    return overviewFor(frames.overview, frames.missedPieces, this.#counting.has(frames));
  }

  /** Counts for one turn. Returns true if more frames wait. */
  #countTurn(frames: CountedFrames): boolean {
    const ends = this.#clock.now() + turn;
    let isBehind = frames.count();
    while (isBehind && this.#clock.now() < ends) {
      isBehind = frames.count();
    }
    return isBehind;
  }

  async #countRest(port: PortNumber, frames: CountedFrames): Promise<void> {
    this.#counting.add(frames);
    try {
      do {
        await this.#clock.sleep(0);
      } while (this.#bench.frames(port) === frames && this.#countTurn(frames));
    } finally {
      this.#counting.delete(frames);
    }
  }
}
