/** An STM32's flash: reading and erasing, option bytes, and read protection. */

import { touchedSectors } from '@wirebench/flasher/core';
import type { StmOptionBytes } from '@wirebench/flasher/stm';
import type { PortNumber } from '@wirebench/serial';
import { LockOpen } from 'lucide-react';
import { useState } from 'react';
import type { StmFacts } from '../../../../../protocol/stm-types.ts';
import { memoryText } from '../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../shared/format/hex.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { ConfirmDialog } from '../../../../../shared/ui/confirm-dialog.tsx';
import { BackupRestore } from '../../../board/backup-restore.tsx';
import styles from '../../../board/contents-card.module.css';
import { ContentsFold, useBoardKey } from '../../../board/contents-fold.tsx';
import { EraseAll } from '../../../board/erase-all.tsx';
import { RangeForm } from '../../../board/range-form.tsx';

import { Card } from '../../../card.tsx';
import { holdsContents, isReady } from '../../../state/flash-state.ts';
import { backUp, perform } from '../../../store/contents-actions.ts';
import { askErase, type EraseTarget } from '../../../store/erase-request.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import tableStyles from '../../../table.module.css';

export function StmContentsCard() {
  const key = useBoardKey();
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  if (board?.family !== 'stm') {
    return null;
  }
  const locked = !isReady({ phase });
  if (board.info.protection === 'read-protected') {
    return holdsContents({ phase }) ? <ProtectedCard key={key} board={board} locked={locked} /> : null;
  }
  return phase === 'none' || phase === 'connecting' ? null : <OpenCard board={board} locked={locked} />;
}

interface StmCardProps {
  readonly board: StmFacts;
  /** True: the board is busy and accepts no requests. */
  readonly locked: boolean;
}

function OpenCard({ board, locked }: StmCardProps) {
  const port = useFlasher(({ selected }) => selected);
  const { sectors, optionBytes } = board.info;
  const { start, size } = board.flash;
  const smallest = Math.min(...sectors.map(({ length }) => length));
  const eraseTyped = (typed: EraseTarget) => {
    // Flash is erased by whole sectors.
    const range = typed.range && touchedSectors(sectors, typed.range);
    if (range !== null) {
      askErase({ name: sectorName(range), range });
    }
  };
  return (
    <ContentsFold
      summary={sectors.length === 1 ? '1 sector' : `${sectors.length} sectors`}
      actions={size === null ? undefined : <EraseAll locked={locked} size={size} onErase={askErase} />}
    >
      {size === null ? null : (
        <BackupRestore
          label={`Back up all ${memoryText(size)}`}
          what="One .bin file of its flash. Its name has the address, where it goes back."
          locked={locked}
          onBackUp={() => void backUp(port, 'flash', { offset: start, length: size })}
        />
      )}
      {sectors.length === 0 ? null : (
        <RangeForm port={port} locked={locked} limits={{ start, size, multipleOf: smallest }} onErase={eraseTyped} />
      )}
      {optionBytes === null || optionBytes.fields.length === 0 ? null : <OptionBytes options={optionBytes} />}
    </ContentsFold>
  );
}

const sectorName = ({ offset, length }: { readonly offset: number; readonly length: number }) =>
  `${addressText(offset)} to ${addressText(offset + length - 1)}`;

function ProtectedCard({ board, locked }: StmCardProps) {
  const port = useFlasher(({ selected }) => selected);
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Read protection">
      <p>
        Read protection level 1 is set: the flash of this part can be neither read nor written. Removing it erases the
        whole flash, program and data. Wirebench never sets level 2, which cannot be removed.
      </p>
      <p className={`buttons ${styles['buttons']}`}>
        <Button variant="danger" icon={<LockOpen />} disabled={locked} onClick={() => setAsking(true)}>
          Remove read protection…
        </Button>
      </p>
      <RemoveProtection port={port} name={board.name} open={asking} onClose={() => setAsking(false)} />
    </Card>
  );
}

/** Shows the option bytes read-only: a wrong value can lock the part, so a browser must not change them. */
function OptionBytes({ options: { offset, fields } }: { readonly options: StmOptionBytes }) {
  return (
    <table className={`table ${tableStyles['table']}`}>
      <caption className="visually-hidden">Option bytes at {addressText(offset)}</caption>
      <thead>
        <tr>
          <th scope="col">Option byte</th>
          <th scope="col">Value</th>
          <th scope="col">Meaning</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ name, value, meaning }) => (
          <tr key={name}>
            <td className={styles['mono']}>{name}</td>
            <td className={styles['mono']}>{value}</td>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface RemoveProtectionProps {
  readonly port: PortNumber;
  /** Name of the part, which the user has to type. */
  readonly name: string;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Asks the user to confirm before everything on the part is erased. */
function RemoveProtection({ port, name, open, onClose }: RemoveProtectionProps) {
  const confirm = () => {
    onClose();
    void perform(port, 'remove-read-protection', 'Removing read protection', 'Read protection removed');
  };
  return (
    <ConfirmDialog
      open={open}
      title="Remove read protection?"
      text="The part erases its whole flash, which cannot be undone. Then it resets, and Wirebench connects to it again."
      word={{ text: name, anyCase: true }}
      action="Erase everything"
      onClose={onClose}
      onConfirm={confirm}
    />
  );
}
