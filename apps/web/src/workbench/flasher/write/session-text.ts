/** How many boards were flashed since the page was opened: boards, not runs. */
import type { Receipt } from '../state/receipt.ts';

/** A run that wrote nothing is none. Boards that have no id cannot be told apart, so their writes are counted. */
export function sessionText(receipts: readonly Pick<Receipt, 'id' | 'written'>[]): string {
  const written = receipts.filter((receipt) => receipt.written > 0);
  return written.some(({ id }) => id === null)
    ? `Writes in this session: ${written.length}`
    : `Boards flashed in this session: ${new Set(written.map(({ id }) => id)).size}`;
}
