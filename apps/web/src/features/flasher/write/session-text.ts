/** Counts the boards that were flashed since the page was opened. A board that was flashed twice counts once. */
import type { Receipt } from '@wirebench/flasher/receipt';

/**
 * Runs that wrote nothing are not counted. Boards without an id cannot be distinguished, so writes are counted
 * instead of boards.
 */
export function sessionText(receipts: readonly Pick<Receipt, 'id' | 'written'>[]): string {
  const written = receipts.filter((receipt) => receipt.written > 0);
  return written.some(({ id }) => id === null)
    ? `Writes in this session: ${written.length}`
    : `Boards flashed in this session: ${new Set(written.map(({ id }) => id)).size}`;
}
