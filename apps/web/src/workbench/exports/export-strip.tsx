import { Download } from 'lucide-react';
import { sizeText } from '../../shared/format/bytes.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useBenchStatus } from '../bench-status.ts';
import styles from '../strip.module.css';
import { cancelExport, exportWord } from './save-export.ts';

/** Strip with the progress of a long export and a button that cancels it. */
export function ExportStrip() {
  const exported = useBenchStatus((view) => view.exported);
  if (exported === null) {
    return null;
  }
  return (
    <div className={`row ${styles['strip']}`} role="status" aria-live="off">
      <Download />
      <span>
        <b>{exportWord()}</b> {sizeText(exported)} so far
      </span>
      <span className={styles['end']}>
        <Button size="sm" onClick={cancelExport}>
          Cancel
        </Button>
      </span>
    </div>
  );
}
