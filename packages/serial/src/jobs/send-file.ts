/** Sending a file: piece after piece at a pace, as the port takes them. Knows no states and says nothing. */
import type { Clock } from '@wirebench/clock';
import { aborted, unlessAborted } from '../port/unless-aborted.ts';
import type { PortSettings } from '../port-settings.ts';
import { Pacer, type SendPace } from './send-pace.ts';

/** A file as it is read: its bytes are asked for piece by piece. */
export interface FileSource {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** The bytes from `from` up to `to`. May reject: a file can be changed or taken away while it is read. */
  read(from: number, to: number): Promise<Uint8Array>;
}

export function fileSource(file: File): FileSource {
  return {
    name: file.name,
    size: file.size,
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  };
}

export interface SendProgress {
  /** Bytes that the port has taken. */
  readonly sent: number;
  readonly total: number;
  /** Bytes a second over the last few seconds. */
  readonly rate: number;
  /** Milliseconds that the rest takes at this rate; null while nothing was sent. */
  readonly left: number | null;
}

/** `closed`: the port was closed or lost, or took no more. `unreadable`: the file was. */
export type SendOutcome = 'complete' | 'cancelled' | 'closed' | 'unreadable';

export interface SendReport {
  readonly outcome: SendOutcome;
  /** Bytes that the port has taken for certain. */
  readonly sent: number;
  /** Bytes that were being passed on when it ended: nobody can tell how many of them went. */
  readonly unsure: number;
  readonly total: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** What the job needs of a session. */
export interface SendTarget {
  readonly settings: PortSettings;
  /** Aborts when the port is being closed, or lost. */
  readonly over: AbortSignal;
  send(bytes: Uint8Array): Promise<void>;
}

export interface SendJob {
  readonly file: FileSource;
  readonly pace: SendPace;
  readonly signal?: AbortSignal | undefined;
  /** Called after every piece that the port has taken. */
  readonly onProgress?: ((progress: SendProgress) => void) | undefined;
}

/** Bytes read from the file at once. */
const BLOCK_BYTES = 1 << 16;
/** The rate is that of this many milliseconds, and how much was sent is noted this often. */
const RATE_WINDOW = 3_000;
const NOTE_INTERVAL = 100;

/** Never rejects. */
export async function sendFile(clock: Clock, target: SendTarget, job: SendJob): Promise<SendReport> {
  const { file, signal } = job;
  const begun = clock.now();
  const stop = AbortSignal.any([target.over, ...(signal === undefined ? [] : [signal])]);
  const pacer = new Pacer(clock, job.pace, target.settings);
  const meter = new ProgressMeter(clock, file.size);
  let unsure = 0;
  const report = (outcome: SendOutcome): SendReport => ({
    outcome,
    sent: meter.sent,
    unsure,
    total: file.size,
    duration: clock.now() - begun,
  });
  const ended = () => report(signal?.aborted ? 'cancelled' : 'closed');
  while (meter.sent < file.size) {
    const from = meter.sent;
    const block = await unlessAborted(readBlock(file, from), stop);
    if (stop.aborted || block === aborted) {
      return ended();
    }
    if (block === null) {
      return report('unreadable');
    }
    for (let at = 0; at < block.length; ) {
      const piece = block.subarray(at, at + pacer.pieceOf(block.subarray(at)));
      unsure = piece.length;
      const taken = await unlessAborted(isTaken(target.send(piece)), stop);
      if (taken !== true) {
        return ended();
      }
      unsure = 0;
      at += piece.length;
      const progress = meter.add(piece.length);
      job.onProgress?.(progress);
      const rest = pacer.restAfter(piece);
      if (rest > 0) {
        await clock.sleep(rest, stop).catch(() => undefined);
      }
      if (stop.aborted) {
        return ended();
      }
    }
  }
  return report('complete');
}

/** Null when the file cannot be read any more, or has become shorter. */
async function readBlock(file: FileSource, from: number): Promise<Uint8Array | null> {
  const to = Math.min(from + BLOCK_BYTES, file.size);
  try {
    const block = await file.read(from, to);
    return block.length === to - from ? block : null;
  } catch {
    return null;
  }
}

function isTaken(sending: Promise<void>): Promise<boolean> {
  return sending.then(
    () => true,
    () => false,
  );
}

interface Note {
  readonly at: number;
  readonly sent: number;
}

class ProgressMeter {
  readonly #clock: Clock;
  readonly #total: number;
  /** When how much had been sent, over the last while; one at least. */
  readonly #notes: [Note, ...Note[]];
  #sent = 0;

  constructor(clock: Clock, total: number) {
    this.#clock = clock;
    this.#total = total;
    this.#notes = [{ at: clock.now(), sent: 0 }];
  }

  get sent(): number {
    return this.#sent;
  }

  add(bytes: number): SendProgress {
    const at = this.#clock.now();
    const notes = this.#notes;
    this.#sent += bytes;
    if (at - (notes.at(-1) ?? notes[0]).at >= NOTE_INTERVAL) {
      notes.push({ at, sent: this.#sent });
    }
    // The newest note before the window stays, so that the rate is that of the whole window.
    while ((notes[1]?.at ?? Number.POSITIVE_INFINITY) <= at - RATE_WINDOW) {
      notes.shift();
    }
    const [oldest] = notes;
    const rate = at > oldest.at ? ((this.#sent - oldest.sent) * 1_000) / (at - oldest.at) : 0;
    const left = rate > 0 ? ((this.#total - this.#sent) * 1_000) / rate : null;
    return { sent: this.#sent, total: this.#total, rate, left };
  }
}
