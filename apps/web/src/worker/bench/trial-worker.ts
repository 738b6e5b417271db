/** Tries decoders of a person's own on what ports have received and sent. Loaded with the first trial. */
import type { DecoderContent, DecoderDraft } from '@wirebench/contract/decoders';
import { DecoderError, type FrameReader, valueText } from '@wirebench/frames';
import type { TrialChunk, TrialFrame } from '@wirebench/frames/guess';
import { type Bench, byPort, type PortNumber } from '@wirebench/serial';
import type { TrialCalls, TrialDraft, TriedDecoder, TriedField, TriedFrame } from '../../protocol/bench/trial-part.ts';
import type { CallHandlers } from '../../protocol/calls/call-server.ts';

/** Bytes and lines of a port that are tried. */
const sample = { lines: 65_536, bytes: 1 << 18, without: { received: 0, sent: 0 } } as const;
/** Frames that the page shows, and fields of one of them. */
const MAX_FRAMES = 24;
const MAX_FIELDS = 256;

/** A decoder that the log shows. */
interface AppliedDecoder {
  readonly reader: FrameReader;
  readonly text: string;
  /** Entries that decide how bytes are cut and paired. */
  readonly cutting: string;
}

interface PortTrial {
  /** Decoder of the port before the trial; null: none. */
  readonly before: ReturnType<Bench['decoderOf']>;
  /** True: the log was cut in another way. */
  isCut: boolean;
  applied: AppliedDecoder;
}

const loadGuess = () => import('@wirebench/frames/guess');

export class TrialWorker {
  readonly #bench: Bench;
  readonly #trials = new Map<PortNumber, PortTrial>();
  /** Calls so far: an older one that is still loading gives way. */
  readonly #calls = byPort(() => 0) as Record<PortNumber, number>;

  /** Called after a port was given another decoder: an opened log is read again. */
  readonly #onCut: (port: PortNumber) => Promise<void>;

  constructor(bench: Bench, onCut: (port: PortNumber) => Promise<void>) {
    this.#bench = bench;
    this.#onCut = onCut;
  }

  readonly handlers: CallHandlers<TrialCalls> = {
    guessFramings: async (port) => (await loadGuess()).guessFramings(this.#sample(port)),
    countFraming: async (port, choice, framing) =>
      (await loadGuess()).countFraming(choice, framing, this.#sample(port)),
    tryDecoder: (port, draft, wanted) => this.#try(port, draft, wanted),
    applyDecoder: (port, draft, before) => this.#apply(port, draft, before),
    searchChecksums: async (port, draft, place) => {
      const { checksum: _, ...unchecked } = draft.content;
      const { content, files } = await checkedDraft({ ...draft, content: unchecked });
      const { findChecksums, tailOf, tryDecoder } = await loadGuess();
      const frames = content === null ? [] : tryDecoder(content, this.#sample(port), { files }).frames;
      const tail = tailOf(draft.content.framing);
      return findChecksums(
        frames.map((frame) => frame.content),
        place,
        tail,
      );
    },
    endTrial: (port, isKept) => this.#end(port, isKept),
  };

  #sample(port: PortNumber): TrialChunk[] {
    return this.#bench.recentLines(port, sample);
  }

  async #try(...[port, draft, wanted]: Parameters<TrialCalls['tryDecoder']>): Promise<TriedDecoder> {
    const nothing = { counts: null, frames: [], wanted: null };
    const { content, faults, files } = await checkedDraft(draft);
    if (content === null) {
      return { faults, ...nothing };
    }
    const { tryDecoder } = await loadGuess();
    try {
      const trial = tryDecoder(content, this.#sample(port), { files }, wanted);
      return {
        faults: [],
        counts: trial.counts,
        frames: trial.frames.slice(-MAX_FRAMES).map(triedFrame),
        wanted: trial.wanted === null ? null : triedFrame(trial.wanted),
      };
    } catch (error) {
      return { faults: [faultOf(error)], ...nothing };
    }
  }

  async #apply(port: PortNumber, draft: TrialDraft, before: DecoderDraft | null): Promise<readonly string[]> {
    const call = ++this.#calls[port];
    const { content, faults, files } = await checkedDraft(draft);
    if (content === null) {
      return faults;
    }
    const { readerOf } = await import('@wirebench/frames/ready-reader');
    const prepared = await readerOf([content], files).catch(faultOf);
    if (typeof prepared === 'string') {
      return [prepared];
    }
    const { reader, isText } = prepared;
    const text = JSON.stringify(content);
    const known = before === null ? null : (await checkedDraft({ content: before, files: new Map() })).content;
    const running = this.#running(port);
    if (running?.applied.text === text || call !== this.#calls[port]) {
      return [];
    }
    const cutting = running?.applied.cutting ?? (known === null ? '' : cuttingOf(known));
    const applied = { reader, text, cutting: cuttingOf(content) };
    const former = running === null ? this.#bench.decoderOf(port) : running.before;
    const isCut = this.#bench.decoderOf(port) === null || applied.cutting !== cutting;
    if (isCut) {
      this.#bench.setDecoder(port, reader, isText);
    } else {
      this.#bench.readFramesWith(port, reader);
    }
    this.#trials.set(port, { before: former, isCut: isCut || running?.isCut === true, applied });
    await (isCut ? this.#onCut(port) : undefined);
    return [];
  }

  /** Returns the trial of a port, unless another decoder was chosen for it since. */
  #running(port: PortNumber): PortTrial | null {
    const trial = this.#trials.get(port);
    return trial !== undefined && this.#bench.decoderOf(port)?.reader === trial.applied.reader ? trial : null;
  }

  async #end(port: PortNumber, isKept: boolean): Promise<void> {
    this.#calls[port]++;
    const trial = this.#running(port);
    this.#trials.delete(port);
    if (trial === null || isKept) {
      return;
    }
    const { before, isCut } = trial;
    if (before !== null && !isCut) {
      this.#bench.readFramesWith(port, before.reader);
    } else {
      this.#bench.setDecoder(port, before?.reader ?? null, before?.isText);
      await this.#onCut(port);
    }
  }
}

interface CheckedDraft {
  readonly content: DecoderContent | null;
  readonly faults: readonly string[];
  /** Files that the decoder names. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}

async function checkedDraft({ content: draft, files: given }: TrialDraft): Promise<CheckedDraft> {
  const [{ checkDecoder }, { loadBuiltInFile, missingFiles }, { bytesOfFiles }] = await Promise.all([
    import('@wirebench/contract/decoders'),
    import('@wirebench/frames/ready-reader'),
    import('./own-decoder.ts'),
  ]);
  const { content, faults } = checkDecoder(JSON.stringify(draft));
  const files = content === null ? new Map<string, Uint8Array>() : await bytesOfFiles(content, given);
  for (const { sha256 } of content?.files ?? []) {
    const bytes = files.has(sha256) ? null : await loadBuiltInFile(sha256);
    if (bytes !== null) {
      files.set(sha256, bytes);
    }
  }
  const [missing] = content === null ? [] : await missingFiles(content, files);
  if (missing !== undefined) {
    return { content: null, faults: [`The file ${missing.name} is missing. Add it under Decoders.`], files };
  }
  return { content, faults: faults.map((fault) => `${fault}.`), files };
}

/** Returns the sentence of a decoder that cannot be put to work: a file cannot be read. */
function faultOf(error: unknown): string {
  if (error instanceof DecoderError) {
    return error.message;
  }
  throw error;
}

/** Writes what decides how bytes are cut into frames and paired. */
function cuttingOf({
  framing,
  checksum,
  when,
  steps,
  files,
  pairing,
  sequence,
  messages,
  fields,
}: DecoderContent): string {
  // Fields decide about pairs and counts only where those are asked for.
  const paired = pairing !== undefined && steps.length === 0 ? [messages, fields] : [];
  return JSON.stringify([framing, checksum, when, steps, files, pairing, sequence, paired]);
}

function triedFrame({ at, direction, kind, bytes, content, offsets, decoded }: TrialFrame): TriedFrame {
  const contentAt = (wire: number) => {
    const found = offsets.findIndex((offset) => offset >= wire);
    return found === -1 ? content.length : found;
  };
  const fields = decoded.fields.slice(0, MAX_FIELDS).map((field): TriedField => {
    const from = contentAt(field.from);
    return {
      name: field.name,
      from,
      to: Math.max(from, contentAt(field.to)),
      text: valueText(field),
      place: field.place ?? '',
    };
  });
  const { message, sentence } = decoded;
  // Bytes of their own: the others are views of all that was tried.
  const own = { bytes: bytes.slice(), content: content.slice() };
  return { at, direction, isBroken: kind === 'broken', message, sentence, ...own, offsets, fields };
}
