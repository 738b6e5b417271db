/** Asks which partitions go into a backup set. */
import { partitionType } from '@wirebench/flasher/esp';
import { wholeFlashPart } from '@wirebench/flasher/esp/backup';
import type { PortNumber } from '@wirebench/serial';
import { Save } from 'lucide-react';
import { useState } from 'react';
import type { EspFacts } from '../../../../../../protocol/esp-types.ts';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import { Button } from '../../../../../../shared/ui/button.tsx';
import { Dialog } from '../../../../../../shared/ui/dialog.tsx';
import { useCanRead } from '../../../../board/use-can-read.ts';
import { entriesOf } from '../entries.ts';
import styles from '../save/save-dialog.module.css';
import { saveBackupSet } from './backup-actions.ts';

export interface BackupDialogProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function BackupDialog({ port, board, open, onClose }: BackupDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Back up partitions">
      {open ? <BackupForm port={port} board={board} onClose={onClose} /> : null}
    </Dialog>
  );
}

function BackupForm({ port, board, onClose }: Omit<BackupDialogProps, 'open'>) {
  const canRead = useCanRead();
  const entries = entriesOf(board);
  const size = board.flash.size;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(entries.filter(({ head }) => head?.empty !== true).map(({ key }) => key)),
  );
  const [isWhole, setWhole] = useState(false);
  const toggle = (key: string) => {
    const next = new Set(chosen);
    if (!next.delete(key)) {
      next.add(key);
    }
    setChosen(next);
  };
  const partitions = isWhole
    ? [wholeFlashPart(size ?? 0)]
    : entries.filter(({ key }) => chosen.has(key)).map(({ partition }) => partition);
  const total = partitions.reduce((sum, partition) => sum + partition.size, 0);
  return (
    <div className={`stack apart ${styles['form']}`}>
      <p>One zip with a manifest and a SHA-256 of each partition. It holds passwords if the board does.</p>
      {size === null ? null : (
        <label className="row">
          <input type="checkbox" checked={isWhole} onChange={() => setWhole(!isWhole)} />
          The whole flash, {sizeText(size)}
        </label>
      )}
      <ul className={styles['list']}>
        {entries.map(({ key, partition, head }) => (
          <li key={key}>
            <label className="row">
              <input
                type="checkbox"
                checked={isWhole || chosen.has(key)}
                disabled={isWhole}
                onChange={() => toggle(key)}
              />
              {partition.name}
              <span className="small">
                {sizeText(partition.size)}
                {head?.empty === true && partition.type !== partitionType.partitionTable ? ', empty' : ''}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <div className="row at-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          variant="primary"
          icon={<Save />}
          disabled={!canRead || partitions.length === 0}
          onClick={() => {
            onClose();
            void saveBackupSet(port, board, partitions);
          }}
        >
          Back up {sizeText(total)}
        </Button>
      </div>
    </div>
  );
}
