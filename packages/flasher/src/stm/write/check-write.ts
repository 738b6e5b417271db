/** Refuses writes before anything on a board is erased. */
import { addressText } from '../../core/bytes.ts';
import { endOf } from '../../core/ranges.ts';
import type { FlashRegion } from '../../core/region.ts';
import type { StmInfo, StmWriteOptions } from '../stm-board.ts';
import { StmError } from '../stm-failure.ts';

/**
 * Checks the regions against the board.
 *
 * @throws StmError `wrong-chip`, `read-protected`, `unknown-part`, `too-large`.
 */
export function checkWrite(info: StmInfo, regions: readonly FlashRegion[], { model }: StmWriteOptions): void {
  if (model !== undefined && info.model !== null && model !== info.model) {
    throw new StmError('wrong-chip', { detail: `Built for ${model}; this is ${info.name}.` });
  }
  mustBeOpen(info);
  const [first] = info.sectors;
  const last = info.sectors.at(-1);
  if (first === undefined || last === undefined) {
    throw new StmError('unknown-part', { detail: info.name });
  }
  const bytes = regions.reduce((sum, region) => sum + region.bytes.length, 0);
  const room = info.sectors.reduce((sum, { length }) => sum + length, 0);
  if (bytes > room) {
    throw new StmError('too-large', { detail: `${bytes} bytes are needed; the part has ${room}.` });
  }
  const beyond = regions.find(
    (region) => region.offset >= first.offset && region.offset + region.bytes.length > endOf(last),
  );
  if (beyond !== undefined && beyond.offset < endOf(last)) {
    throw new StmError('too-large', { detail: `The flash ends at ${addressText(endOf(last))}.` });
  }
}

/** @throws StmError `read-protected`. */
export function mustBeOpen({ protection }: StmInfo): void {
  if (protection === 'read-protected') {
    throw new StmError('read-protected');
  }
}
