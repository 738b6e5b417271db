/** Line of the receipt of the last write, with the number of boards that this session has written: from the second on. */
import { boardStateText } from '@wirebench/flasher/core';
import { type Receipt, receiptTitle } from '@wirebench/flasher/receipt';
import { ClipboardCopy, Download } from 'lucide-react';
import { exactText } from '../../../shared/dates/dates.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { copyReceipt, saveReceipt, useReceipts } from '../store/receipt-actions.ts';
import styles from './receipt-line.module.css';

const sharedDemoText = 'This was a simulated board of the shared bench. No hardware was written.';

/** Counts the boards that were flashed since the page was opened. A board that was flashed twice counts once. */

type Run = Pick<Receipt, 'id' | 'written'>;

/**
 * Runs that wrote nothing are not counted. Boards without an id cannot be distinguished, so writes are counted instead
 * of boards.
 */
export function sessionCount(receipts: readonly Run[]): number {
  const written = receipts.filter((receipt) => receipt.written > 0);
  return hasUnknown(written) ? written.length : new Set(written.map(({ id }) => id)).size;
}

const hasUnknown = (written: readonly Run[]) => written.some(({ id }) => id === null);

/** `Boards flashed in this session: 2` */
export function sessionText(receipts: readonly Run[]): string {
  const written = receipts.filter((receipt) => receipt.written > 0);
  return `${hasUnknown(written) ? 'Writes' : 'Boards flashed'} in this session: ${sessionCount(written)}`;
}

export function ReceiptLine() {
  const port = useFlasher(({ selected }) => selected);
  const receipt = useReceipts(({ byPort }) => byPort[port]);
  const session = useReceipts(({ all }) => (sessionCount(all) > 1 ? sessionText(all) : null));
  const batchMode = useFlasher((state) => state.batchMode);
  // The answer says it all of a single board, and the board's menu has the receipt.
  const isOneOfMany = session !== null || batchMode;
  const board = useFlash((flash) => flash.board);
  const isHere = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  if (receipt === null) {
    return null;
  }
  const { demos } = pageFamily();
  const demo = demos.length === 1 ? `the ${demos[0].label}` : 'a demo board';
  const hereText = `This was ${demo}. It is simulated, and its flash is lost when you close this page.`;
  const asides = [
    ...(board?.demo ? [isHere ? hereText : sharedDemoText] : []),
    ...(board?.afterwards ? [board.afterwards] : []),
    ...(receipt.state === 'complete' ? [] : [boardStateText.unverified]),
  ];
  if (!isOneOfMany) {
    return asides.length === 0 ? null : (
      <div className={`small ${styles['line']}`}>
        {asides.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
    );
  }
  return (
    <div className={`small ${styles['line']}`}>
      <span>
        <b>Receipt:</b> <time dateTime={receipt.at}>{exactText(receipt.at)}</time>, {receiptTitle(receipt)}.
      </span>
      <span className={styles['buttons']}>
        <Button
          size="sm"
          variant="quiet"
          icon={<ClipboardCopy />}
          aria-label="Copy receipt"
          onClick={() => void copyReceipt(receipt)}
        >
          Copy
        </Button>
        <Button
          size="sm"
          variant="quiet"
          icon={<Download />}
          aria-label="Save receipt"
          onClick={() => void saveReceipt(receipt)}
        >
          Save
        </Button>
      </span>
      {session === null ? null : <span className={styles['count']}>{session}</span>}
      {asides.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
