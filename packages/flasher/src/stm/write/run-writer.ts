/**
 * Writes one run of sectors: erases, sends, verifies, and resumes after a fault if possible. It knows neither regions
 * nor a protocol.
 */
import type { WritePhase } from '../../core/board.ts';
import { addressText, isFilledWith, isSame } from '../../core/bytes.ts';
import { overlapOf, rangeOf } from '../../core/ranges.ts';
import type { FlashRegion } from '../../core/region.ts';
import { maximumTries } from '../../core/retry.ts';
import type { KnownBoard } from '../connect/identify.ts';
import type { Loader } from '../loader.ts';
import type { StmTouchedSector } from '../parts/flash-layout.ts';
import { asStmError, StmError } from '../stm-failure.ts';
import { findDifference, hasChecksumOf, readSurely } from './flash-memory.ts';
import type { SectorRun, Stretch } from './sector-run.ts';
import { isTransient, recoverLoader } from './stm-retry.ts';

/** Blocks without a fault after which earlier faults no longer count. */
const CALM_BLOCKS = 4;

export interface RunHost {
  readonly loader: Loader;
  readonly board: KnownBoard;
  readonly signal: AbortSignal;
  /** Sector that differed → its first differing block before the write. */
  readonly before: ReadonlyMap<StmTouchedSector, FlashRegion>;
  /** True: a checksum is sufficient proof. False: every byte is read back. */
  readonly checks: boolean;
  enter(phase: WritePhase): void;
  /** Reports that `sent` of `total` bytes are acknowledged, `more` of them since the last call. */
  moved(sent: number, total: number, more: number): void;
  /** Reports that `read` of `total` bytes were read back correctly, `more` of them since the last call. */
  proven(read: number, total: number, more: number): void;
  /** Called when work has to be repeated. */
  repeated(): void;
}

/** Returns the largest block size that is a multiple of the granularity, in bytes. */
export function blockSizeOf({ granularity }: KnownBoard, { blockSize }: Loader): number {
  return Math.max(granularity, blockSize - (blockSize % granularity));
}

/**
 * Writes the run and verifies it.
 *
 * @throws StmError, or the reason of the signal.
 */
export async function writeRun(host: RunHost, run: SectorRun): Promise<void> {
  const { loader, signal } = host;
  let left: readonly Stretch[] | null = null;
  let faults = 0;
  for (let erases = 0; ; ) {
    const done: Stretch[] = [];
    let failure: StmError | null = null;
    try {
      if (left === null) {
        erases++;
        await eraseRun(host, run);
        left = run.stretches;
      }
      await send(host, run, left, done);
      left = [];
    } catch (error) {
      failure = asStmError(error, signal);
    }
    const calm = done.length >= CALM_BLOCKS;
    failure ??= await findFault(host, run);
    if (failure === null) {
      return;
    }
    faults = failure.code !== 'verify-mismatch' && calm ? 1 : faults + 1;
    if (!isTransient(failure) || faults >= maximumTries || erases > maximumTries) {
      throw failure;
    }
    host.repeated();
    await recoverLoader(loader, failure, faults, signal);
    left = left === null || failure.code === 'verify-mismatch' ? null : await restOf(host, run, takeAway(left, done));
  }
}

async function eraseRun({ loader, signal, enter }: RunHost, { touched }: SectorRun): Promise<void> {
  enter('writing');
  const sectors = touched.map(({ sector }) => sector);
  await loader.erase(sectors, signal, () => undefined);
}

/** @param done Collects each acknowledged block. */
async function send(host: RunHost, run: SectorRun, stretches: readonly Stretch[], done: Stretch[]): Promise<void> {
  host.enter('writing');
  const total = run.toSend;
  let sent = total - lengthOf(stretches);
  for (const { start, end } of stretches) {
    let last = 0;
    await host.loader.write(run.offset + start, run.image.subarray(start, end), host.signal, (at) => {
      done.push({ start: start + last, end: start + at });
      sent += at - last;
      host.moved(sent, total, at - last);
      last = at;
    });
  }
}

/**
 * Returns the stretches that remain to be sent after a fault; null if they have to be erased first. The first block
 * of `rest` may be written, unwritten, or partly written.
 *
 * @param rest Stretches that were not acknowledged.
 */
async function restOf(
  { loader, board, signal }: RunHost,
  run: SectorRun,
  rest: readonly Stretch[],
): Promise<readonly Stretch[] | null> {
  const [first] = rest;
  if (first === undefined) {
    return [];
  }
  const block = { start: first.start, end: Math.min(first.end, first.start + blockSizeOf(board, loader)) };
  const range = { offset: run.offset + block.start, length: block.end - block.start };
  const { erasedValue } = board.info;
  const found = await readSurely(loader, range, erasedValue, signal);
  if (isFilledWith(found, erasedValue)) {
    return rest;
  }
  return isSame(found, run.at(range)) ? takeAway(rest, [block]) : null;
}

/**
 * Verifies the run. Returns `verify-mismatch`, or `write-protected` if the contents have not changed at all; null if
 * everything is correct.
 */
async function findFault(host: RunHost, run: SectorRun): Promise<StmError | null> {
  const { loader, signal } = host;
  host.enter('verifying');
  const whole = { offset: run.offset, bytes: run.image };
  if (host.checks && (await hasChecksumOf(loader, whole, signal))) {
    return null;
  }
  const total = run.proven.reduce((sum, { length }) => sum + length, 0);
  let read = 0;
  const onBlock = (length: number) => {
    read += length;
    host.proven(read, total, length);
  };
  for (const range of run.proven) {
    const found = await firstWrong(loader, { offset: range.offset, bytes: run.at(range) }, signal, onBlock);
    if (found !== null) {
      return faultAt(host, run, found);
    }
  }
  return null;
}

/**
 * Finds the first wrong block. A block that differs is read again, because the byte may have been damaged on the
 * wire.
 */
async function firstWrong(
  loader: Loader,
  wanted: FlashRegion,
  signal: AbortSignal,
  onBlock: (length: number) => void,
): Promise<FlashRegion | null> {
  for (let from = 0; from < wanted.bytes.length; ) {
    const rest = { offset: wanted.offset + from, bytes: wanted.bytes.subarray(from) };
    const found = await findDifference(loader, [rest], signal, ({ length }) => onBlock(length));
    if (found === null) {
      return null;
    }
    const start = found.offset - wanted.offset;
    const block = { offset: found.offset, bytes: wanted.bytes.subarray(start, start + found.bytes.length) };
    const again = await findDifference(loader, [block], signal, ({ length }) => onBlock(length));
    if (again !== null) {
      return again;
    }
    from = start + block.bytes.length;
  }
  return null;
}

function faultAt({ board, before: known }: RunHost, { touched }: SectorRun, found: FlashRegion): StmError {
  const place = addressText(found.offset);
  const sector = touched.find((one) => overlapOf(one.sector, rangeOf(found)) !== null);
  const before = sector === undefined ? undefined : known.get(sector);
  const isAsBefore =
    before?.offset === found.offset && isSame(before.bytes, found.bytes.subarray(0, before.bytes.length));
  if (isAsBefore && !isFilledWith(found.bytes, board.info.erasedValue)) {
    return new StmError('write-protected', { detail: `${place} still holds its old contents.` });
  }
  return new StmError('verify-mismatch', { detail: `${place} and what follows.` });
}

function lengthOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** Removes the blocks of `done` from `stretches`. Both are in the same order. */
function takeAway(stretches: readonly Stretch[], done: readonly Stretch[]): Stretch[] {
  return stretches.flatMap(({ start, end }) => {
    const within = done.filter((one) => one.start >= start && one.end <= end);
    const from = within.reduce((furthest, one) => Math.max(furthest, one.end), start);
    return from < end ? [{ start: from, end }] : [];
  });
}
