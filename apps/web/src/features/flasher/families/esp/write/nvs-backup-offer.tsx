/** Offers a backup of the stored settings before a plan that erases or changes them. */
import { isNvs, type Partition } from '@wirebench/flasher/esp';
import { useState } from 'react';
import type { PlanFacts } from '../../../../../protocol/flash-protocol.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { Notice } from '../../../../../shared/ui/notice.tsx';
import { joined } from '../../../answer/plan-words.ts';
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
  const [saved, setSaved] = useState<Readonly<Record<number, Saved>>>({});
  if (board?.family !== 'esp' || plan === null || plan.refusals.length > 0 || board.info.security.secureDownload) {
    return null;
  }
  const stores = (board.table?.partitions ?? []).filter(isNvs);
  const touched = stores.filter((store) => isTouched(plan, store));
  if (touched.length === 0) {
    return null;
  }
  const names = touched.map(({ name }) => name);
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
        The stored settings can be put back from the file, as a whole or key by key.
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
