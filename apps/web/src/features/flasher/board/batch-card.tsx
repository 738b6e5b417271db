/** Card of batch mode: its switch, and the results of this session. */
import { FileSpreadsheet } from 'lucide-react';
import { saveFile } from '../../../shared/files/save-file.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Switch } from '../../../shared/ui/switch.tsx';
import { Card } from '../card.tsx';
import { receiptsCsv } from '../state/receipt.ts';
import { setBatchMode } from '../store/batch-mode.ts';
import { type BatchResult, useBatchResults } from '../store/batch-results.ts';
import { useFlasher } from '../store/flasher-store.ts';
import { useReceipts } from '../store/receipt-actions.ts';
import styles from './batch-card.module.css';

export function BatchCard() {
  const on = useFlasher((state) => state.batchMode);
  const files = useFlasher(({ chosen }) => chosen.files.length);
  const receipts = useReceipts(({ all }) => all);
  if (files === 0 && receipts.length === 0) {
    return null;
  }
  const save = () =>
    saveFile(
      new Blob([receiptsCsv(receipts)], { type: 'text/csv' }),
      `wirebench-flashes-${new Date().toISOString().slice(0, 10)}.csv`,
    );
  return (
    <Card title="Batch mode">
      <div className={styles['bench']}>
        <Switch label="Flash each board that is plugged in" checked={on} onChange={setBatchMode} />
        <p>
          {on
            ? 'Plug in one board after another. Each board that you have allowed before is written automatically, up to four at a time. The monitor stays closed.'
            : 'For writing one image to many boards. Allow each board once with Choose port.'}
        </p>
        <BatchResults />
        {receipts.length === 0 ? null : (
          <Button size="sm" icon={<FileSpreadsheet />} onClick={save}>
            {receipts.length === 1 ? 'Save 1 receipt as CSV' : `Save ${receipts.length} receipts as CSV`}
          </Button>
        )}
      </div>
    </Card>
  );
}

/** Counts the boards by outcome, and lists the reasons of unfinished ones. */
function BatchResults() {
  const results = useBatchResults();
  const number = (of: BatchResult['outcome']) => results.filter(({ outcome }) => outcome === of).length;
  const open = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'waiting');
  const counts = [
    `${number('done')} done`,
    `${number('unverified')} written, not verified`,
    `${number('failed')} failed`,
    `${number('waiting')} waiting for you`,
  ];
  return (
    <>
      <p role="status" className={styles['counts']}>
        {results.length === 0 ? '' : `Boards: ${counts.filter((text) => !text.startsWith('0 ')).join(', ')}`}
      </p>
      {open.length === 0 ? null : (
        <ul className={styles['open']} aria-label="Unfinished boards">
          {open.map(({ board, why }) => (
            <li key={board}>
              <b>{board}</b> {why}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
