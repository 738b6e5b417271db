/** Reads ranges of flash and EEPROM for a caller, which must be exact: without a checksum they are read twice. */
import type { WorkOptions } from '../../core/board.ts';
import { isSame } from '../../core/bytes.ts';
import { endOf } from '../../core/ranges.ts';
import type { FlashRange } from '../../core/region.ts';
import type { AvrInfo } from '../avr-board.ts';
import { AvrError } from '../avr-failure.ts';
import type { Session } from '../connect/session.ts';
import { pagesOf } from '../parts/page-cover.ts';
import { readSurely, retryOn } from './avr-retry.ts';

interface ReadOptions {
  readonly signal: AbortSignal;
  readonly onProgress: WorkOptions['onProgress'] | undefined;
}

/** Reads a page so that the bytes are certain. */
export function readPageSurely(session: Session, page: FlashRange, signal: AbortSignal): Promise<Uint8Array> {
  const read = () => retryOn(session, signal, () => session.driver.readFlash(page.offset, page.length, signal));
  return readSurely(session, read, isSame);
}

/** @throws AvrError `too-large` for a range outside of flash. */
export async function readRange(
  session: Session,
  { flashSize, pageSize }: AvrInfo,
  range: FlashRange,
  { signal, onProgress }: ReadOptions,
): Promise<Uint8Array> {
  if (range.offset < 0 || endOf(range) > flashSize) {
    throw new AvrError('too-large');
  }
  const bytes = new Uint8Array(range.length);
  let done = 0;
  for (const page of pagesOf([range], pageSize)) {
    const contents = await readPageSurely(session, page, signal);
    const start = Math.max(range.offset, page.offset);
    const end = Math.min(endOf(range), endOf(page));
    bytes.set(contents.subarray(start - page.offset, end - page.offset), start - range.offset);
    done += end - start;
    onProgress?.(done, range.length);
  }
  return bytes;
}

export async function readEeprom(
  session: Session,
  range: FlashRange,
  { signal, onProgress }: ReadOptions,
): Promise<Uint8Array> {
  const end = endOf(range);
  const progress = (done: number) => onProgress?.(Math.max(0, done - range.offset), range.length);
  return (await readEepromSurely(session, end, signal, progress)).slice(range.offset);
}

/** Reads EEPROM from 0 to `end` so that the bytes are certain. */
export function readEepromSurely(
  session: Session,
  end: number,
  signal: AbortSignal,
  progress: (done: number) => void = () => undefined,
): Promise<Uint8Array> {
  const read = () => retryOn(session, signal, () => session.driver.readEeprom(end, signal, progress));
  return readSurely(session, read, isSame);
}
