/** Sends a file piece by piece at a pace, as fast as the port takes the pieces. */
import type { Clock } from '@wirebench/clock';
import { aborted, type PortSettings, unlessAborted } from '@wirebench/port';
import { ProgressMeter, type SendProgress } from '../progress-meter.ts';
import { Pacer, type SendPace } from './send-pace.ts';

/** A file that is read piece by piece. */
export interface FileSource {
  readonly name: string;
  /** Size in bytes. */
  readonly size: number;
  /** Reads the bytes from `from` up to `to`. May reject: a file can be changed or removed while it is read. */
  read(from: number, to: number): Promise<Uint8Array>;
}

export function fileSource(file: File): FileSource {
  return {
    name: file.name,
    size: file.size,
    read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
  };
}

/** `closed`: the port was closed or lost, or took no more. `unreadable`: the file could not be read. */
export type SendOutcome = 'complete' | 'cancelled' | 'closed' | 'unreadable';

export interface SendReport {
  readonly outcome: SendOutcome;
  /** Bytes that the port has certainly taken. */
  readonly sent: number;
  /** Bytes of the piece that was being sent at the end. Some or all of them may have been sent. */
  readonly unsure: number;
  readonly total: number;
  /** Time from start to end, in milliseconds. */
  readonly duration: number;
}

export interface SendTarget {
  readonly settings: PortSettings;
  /** Aborts when the port is closed or lost. */
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

/** Bytes that are read from the file at once. */
const BLOCK_BYTES = 1 << 16;
/** Sends the file. Never rejects. */
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

/** Reads the next block. Returns null if the file cannot be read any more, or has become shorter. */
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
