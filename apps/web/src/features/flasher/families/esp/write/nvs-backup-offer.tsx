/** Offers a backup of the stored settings before a plan that erases or changes them. */
import { isNvs, type Partition } from '@wirebench/flasher/esp';
import { wholeFlashPart } from '@wirebench/flasher/esp/backup';
import { useState } from 'react';
import type { PlanFacts } from '../../../../../protocol/flash-protocol.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { Notice } from '../../../../../shared/ui/notice.tsx';
import { joined } from '../../../answer/plan-words.ts';
import { useChanges } from '../../../store/board-changes.ts';
import { useBoardContents } from '../../../store/board-contents.ts';
import { backUp } from '../../../store/contents-actions.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import styles from '../../../write/finding-list.module.css';

interface Saved {
  /** Number of the connection in which the backup was made. */
  readonly connection: number;
  /** Names of the partitions. */
  readonly names: readonly string[];
  readonly files: readonly string[];
}

interface NvsBackupOfferProps {
  /** True: in a narrow column beside the editor, which leaves the sentences out. */
  readonly narrow?: boolean;
}

export function NvsBackupOffer({ narrow = false }: NvsBackupOfferProps) {
  const port = useFlasher(({ selected }) => selected);
  const board = useFlash((flash) => flash.board);
  const plan = useFlash((flash) => flash.plan);
  const { connection } = useBoardContents(port);
  const isWholeErase = useChanges(port).some((change) => change.isWholeErase);
  const [saved, setSaved] = useState<Readonly<Record<number, Saved>>>({});
  if (board?.family !== 'esp' || plan === null || plan.refusals.length > 0 || board.info.security.secureDownload) {
    return null;
  }
  const { size } = board.flash;
  const isAll = isWholeErase && size !== null;
  const stores = isAll ? [wholeFlashPart(size)] : (board.table?.partitions ?? []).filter(isNvs);
  const touched = isAll ? stores : stores.filter((store) => isTouched(plan, store));
  if (touched.length === 0) {
    return null;
  }
  const names = isAll ? [`all ${memoryText(size)}`] : touched.map(({ name }) => name);
  const before = saved[port];
  if (before?.connection === connection && names.every((name) => before.names.includes(name))) {
    return narrow ? (
      <p role="status">
        {joined(names)} {names.length === 1 ? 'is' : 'are'} backed up.
      </p>
    ) : (
      <div className={`stack ${styles['list']}`} role="status">
        <Notice level="success" title={`${joined(names)} ${names.length === 1 ? 'is' : 'are'} backed up.`}>
          {joined(before.files)} {before.files.length === 1 ? 'was' : 'were'} sent to your downloads.
        </Notice>
      </div>
    );
  }
  const save = async () => {
    const files: string[] = [];
    if (isAll) {
      const { saveBackupSet } = await import('../on-board/backup/backup-actions.ts');
      const file = await saveBackupSet(port, board, touched);
      if (file !== null) {
        setSaved({ ...saved, [port]: { connection, names, files: [file] } });
      }
      return;
    }
    for (const { name, offset, size } of touched) {
      const file = await backUp(port, name, { offset, length: size });
      if (file === null) {
        return;
      }
      files.push(file);
    }
    setSaved({ ...saved, [port]: { connection, names, files } });
  };
  const offer = (
    <Button size="sm" onClick={() => void save()}>
      Back up {joined(names)} first
    </Button>
  );
  return narrow ? (
    <p>{offer}</p>
  ) : (
    <div className={`stack ${styles['list']}`}>
      <Notice
        level="info"
        title={`This plan ${touched.some((store) => isErased(plan, store)) ? 'erases' : 'changes'} ${joined(names)}.`}
        action={offer}
      >
        {isAll
          ? 'Restore a backup puts all of it back, or single partitions.'
          : 'The stored settings can be put back from the file, as a whole or key by key.'}
      </Notice>
    </div>
  );
}

function areasIn({ map }: PlanFacts, { offset, size }: Partition): PlanFacts['map'] {
  return map.filter((area) => area.offset < offset + size && offset < area.offset + area.length);
}

function isTouched(plan: PlanFacts, store: Partition): boolean {
  return areasIn(plan, store).some(({ fate }) => fate === 'written' || fate === 'erased');
}

/** Returns true if nothing of the partition stays as it is. */
function isErased(plan: PlanFacts, store: Partition): boolean {
  return areasIn(plan, store).every(({ fate }) => fate === 'erased');
}
