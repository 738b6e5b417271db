/** Line of the receipt of the last write, with the number of boards that this session has written. */
import { boardStateText } from '@wirebench/flasher/core';
import { receiptText, receiptTitle } from '@wirebench/flasher/receipt';
import { ClipboardCopy, Download } from 'lucide-react';
import { exactText } from '../../../shared/dates/dates.ts';
import { copyText } from '../../../shared/files/copy-text.ts';
import { saveFile } from '../../../shared/files/save-file.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { pageFamily, useFlash, useFlasher } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import styles from './receipt-line.module.css';
import { sessionText } from './session-text.ts';

const sharedDemoText = 'This was a simulated board of the shared bench. No hardware was written.';

export function ReceiptLine() {
  const port = useFlasher(({ selected }) => selected);
  const receipt = useReceipts(({ byPort }) => byPort[port]);
  const session = useReceipts(({ all }) => sessionText(all));
  const board = useFlash((flash) => flash.board);
  const isHere = useBenchStatus(({ devices }) => devices[port]?.kind === 'demo');
  if (receipt === null) {
    return null;
  }
  const { demos } = pageFamily();
  const demo = demos.length === 1 ? `the ${demos[0].label}` : 'a demo board';
  const hereText = `This was ${demo}. It is simulated, and its flash is lost when you close this page.`;
  const copy = () => copyText(receiptText(receipt), 'Receipt copied');
  const save = () => saveFile(new Blob([receiptText(receipt)], { type: 'text/plain' }), `receipt-${receipt.at}.txt`);
  const asides = [
    ...(board?.demo ? [isHere ? hereText : sharedDemoText] : []),
    ...(board?.afterwards ? [board.afterwards] : []),
    ...(receipt.state === 'complete' ? [] : [boardStateText.unverified]),
  ];
  return (
    <div className={styles['line']}>
      <span>
        <b>Receipt:</b> <time dateTime={receipt.at}>{exactText(receipt.at)}</time>, {receiptTitle(receipt)}.
      </span>
      <span className={styles['buttons']}>
        <Button
          size="sm"
          variant="quiet"
          icon={<ClipboardCopy />}
          aria-label="Copy receipt"
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <Button size="sm" variant="quiet" icon={<Download />} aria-label="Save receipt" onClick={save}>
          Save
        </Button>
      </span>
      <span className={styles['count']}>{session}</span>
      {asides.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}
