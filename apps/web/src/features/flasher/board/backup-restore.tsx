/** *Back up* and *Restore* side by side, with a line each: the first row of *On the board* in all families. */
import { FileUp, Save } from 'lucide-react';
import { use } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { FileMeansContext } from '../files/file-means.ts';
import { askRestore, pageFamily } from '../store/flasher-store.ts';
import styles from './backup-restore.module.css';

export interface BackupRestoreProps {
  /** Words of the button: `Back up all 4 MB`. */
  readonly label: string;
  /** Content of the file. */
  readonly what: string;
  /** True: the board is busy, or not in its bootloader. */
  readonly locked: boolean;
  readonly onBackUp: () => void;
}

export function BackupRestore({ label, what, locked, onBackUp }: BackupRestoreProps) {
  const { restore } = pageFamily();
  const { choose } = use(FileMeansContext);
  return (
    <div className={styles['pair']}>
      <div>
        <Button size="sm" icon={<Save />} disabled={locked} onClick={onBackUp}>
          {label}
        </Button>
        <p className="small">{what}</p>
      </div>
      <div>
        <Button size="sm" icon={<FileUp />} onClick={restore === 'set' ? askRestore : choose}>
          Restore a backup…
        </Button>
        <p className="small">Becomes part of the plan. Nothing is written before you say so.</p>
      </div>
    </div>
  );
}
