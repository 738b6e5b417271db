/** Decoders of ports. Their code is loaded when the first one is chosen. */
import type { Clock } from '@wirebench/clock';
import type { PreparedReader } from '@wirebench/frames/ready-reader';
import { type Bench, byPort, type PortNumber } from '@wirebench/serial';
import type {
  DecoderAnswer,
  FrameCalls,
  FrameOverview,
  GivenDecoder,
  OwnDecoder,
} from '../../protocol/bench/frame-part.ts';
import type { CallHandlers } from '../../protocol/calls/call-server.ts';

/** Longest run of counting before the ports are read again, in milliseconds. */
const turn = 8;

type CountedFrames = NonNullable<ReturnType<Bench['frames']>>;

interface Choice {
  readonly decoder: GivenDecoder | null;
  /** Port on which its answers come; null: the same port. */
  readonly answersOn: PortNumber | null;
}

interface Chosen extends Choice {
  readonly answer: Promise<DecoderAnswer>;
  /** Aborted by the next choice. */
  readonly work: AbortController;
}

const applied = { kind: 'applied' } as const satisfies DecoderAnswer;
const none: Chosen = { decoder: null, answersOn: null, answer: Promise.resolve(applied), work: new AbortController() };

async function preparedReader(decoder: GivenDecoder | null): Promise<PreparedReader | DecoderAnswer | null> {
  if (decoder === null) {
    return null;
  }
  if (typeof decoder === 'string') {
    const { readyReader } = await import('@wirebench/frames/ready-reader');
    return readyReader(decoder);
  }
  const { ownReader } = await import('./own-decoder.ts');
  return ownReader(decoder);
}

const idOf = (decoder: GivenDecoder | null) => (typeof decoder === 'object' ? (decoder?.id ?? null) : decoder);

/** Returns true if the content is the same, and no file has come or gone. */
function isSame(one: GivenDecoder | null, other: GivenDecoder | null): boolean {
  if (one === null || other === null || typeof one === 'string' || typeof other === 'string') {
    return one === other;
  }
  const names = (decoder: OwnDecoder) => [...decoder.files.keys()].toSorted().join();
  return one.id === other.id && one.content === other.content && names(one) === names(other);
}

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
  readonly #chosen = byPort((): Chosen => none) as Record<PortNumber, Chosen>;

  /** Called after a port has got another decoder, or none. */
  onChosen: (port: PortNumber) => Promise<void> = async () => undefined;

  constructor({ bench, clock, onProgress }: FrameWorkerParts) {
    this.#bench = bench;
    this.#clock = clock;
    this.#onProgress = onProgress;
  }

  readonly handlers: CallHandlers<FrameCalls> = {
    setDecoder: (port, decoder, answersOn = null) => this.#choose(port, decoder, answersOn === port ? null : answersOn),
    readDecoderFile: async (name, file) => {
      const { largestDecoderFile, readDecoderFile } = await import('@wirebench/frames/decoder-file');
      // One byte more than the largest is refused as too large, without reading the rest.
      return readDecoderFile(name, new Uint8Array(await file.slice(0, largestDecoderFile + 1).arrayBuffer()));
    },
    frameOverview: (port) => this.#overview(port),
    seenRegisters: (port) => {
      const book = this.registers(port);
      const { registers = [], names = [], other = null, omitted = 0 } = book ?? {};
      return book === null ? null : { registers, names, other, omitted };
    },
  };

  /** The same decoder again changes nothing, so an open frame goes on. */
  #choose(port: PortNumber, decoder: GivenDecoder | null, answersOn: PortNumber | null): Promise<DecoderAnswer> {
    const before = this.#chosen[port];
    if (isSame(before.decoder, decoder) && (before.answersOn === answersOn || decoder === null)) {
      return before.answer;
    }
    before.work.abort();
    const work = new AbortController();
    const chosen = { decoder, answersOn, work, answer: this.#apply(port, { decoder, answersOn }, before, work.signal) };
    this.#chosen[port] = chosen;
    chosen.answer.catch(() => {
      // Its code could not be loaded, or the log could not be read: the same choice again is another attempt.
      if (this.#chosen[port] === chosen) {
        this.#chosen[port] = before;
      }
    });
    return chosen.answer;
  }

  async #apply(
    port: PortNumber,
    { decoder, answersOn }: Choice,
    before: Chosen,
    signal: AbortSignal,
  ): Promise<DecoderAnswer> {
    // In the order of the calls, so that the last one wins.
    await before.answer.catch(() => undefined);
    const prepared = await preparedReader(decoder);
    const newest = this.#chosen[port];
    if (newest.decoder !== decoder || newest.answersOn !== answersOn) {
      return applied;
    }
    if (prepared !== null && 'kind' in prepared) {
      if (before.decoder !== null && idOf(decoder) !== idOf(before.decoder)) {
        await this.#set(port, null, signal);
      }
      return prepared;
    }
    const from = await this.#set(port, prepared === null ? null : { ...prepared, answersOn }, signal);
    return from === null ? applied : { ...applied, from };
  }

  /** Returns the number of the first line that was cut again; null if none was, or if another choice has ended the work. */
  async #set(
    port: PortNumber,
    chosen: Parameters<Bench['changeDecoder']>[1],
    signal: AbortSignal,
  ): Promise<number | null> {
    const pause = async () => {
      await this.#clock.sleep(0);
      signal.throwIfAborted();
    };
    try {
      const from = await this.#bench.changeDecoder(port, chosen, pause);
      this.#onProgress();
      await this.onChosen(port);
      return from;
    } catch (error) {
      if (signal.aborted) {
        return null;
      }
      throw error;
    }
  }

  /** Counts the frames that came since the last call, and returns the counts. The rest is counted in turns. */
  async #overview(port: PortNumber): Promise<FrameOverview | null> {
    const { overviewFor } = await import('./frame-overview.ts');
    const frames = this.#counted(port);
    return frames === null ? null : overviewFor(frames.overview, frames.missedPieces, this.#counting.has(frames));
  }

  /** Counts the frames that came since the last call, and returns the registers seen in them; null without a decoder. */
  registers(port: PortNumber): CountedFrames['overview']['registers'] | null {
    return this.#counted(port)?.overview.registers ?? null;
  }

  /** Counts for one turn; null for a port without a decoder, or that answers another one. */
  #counted(port: PortNumber): CountedFrames | null {
    const frames = this.#bench.frames(port);
    if (frames === null || this.#bench.askingPort(port) !== null) {
      return null;
    }
    if (!this.#counting.has(frames) && this.#countTurn(frames)) {
      void this.#countRest(port, frames);
    }
    return frames;
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
