/** Receipts of the flasher as a table. */
import { csvRecord } from '@wirebench/contract/constants';
import { type Receipt, receiptTitle } from '@wirebench/flasher/receipt';

const columns = ['time', 'result', 'chip', 'id', 'demo', 'firmware', 'written', 'same', 'seconds', 'sha256'] as const;

/** Formats receipts as CSV (RFC 4180), one line for each receipt. */
export function receiptsCsv(receipts: readonly Receipt[]): string {
  const rows = receipts.map((receipt) => [
    receipt.at,
    receipt.state === 'complete' ? 'verified' : 'unverified',
    receipt.chip,
    receipt.id ?? '',
    receipt.demo ? 'yes' : 'no',
    receiptTitle(receipt),
    String(receipt.written),
    String(receipt.same),
    (receipt.duration / 1_000).toFixed(3),
    receipt.files
      .map(({ sha256 }) => sha256)
      .filter((sha256) => sha256 !== '')
      .join(' '),
  ]);
  return [columns, ...rows].map(csvRecord).join('');
}
