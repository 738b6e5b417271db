/** What is on an STM32: what can be read from it or erased, its option bytes, and its read protection. */
import { LockOpen } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import styles from '../../../workbench/flasher/board/contents-card.module.css';
import { RangeForm } from '../../../workbench/flasher/board/range-form.tsx';
import { WholeFlashActions } from '../../../workbench/flasher/board/whole-flash-actions.tsx';
import { Card } from '../../../workbench/flasher/card.tsx';
import type { StmFacts } from '../../../workbench/flasher/host/stm/stm-types.ts';
import { hexAddress } from '../../../workbench/flasher/quantities.ts';
import { isReady } from '../../../workbench/flasher/state/flash-state.ts';
import { askErase, type EraseTarget } from '../../../workbench/flasher/store/erase-request.ts';
import { useFlash, useFlasher } from '../../../workbench/flasher/store/flasher-store.ts';
import { OptionBytes } from './option-bytes.tsx';
import { RemoveProtection } from './remove-protection.tsx';
import { wholeSectors } from './whole-sectors.ts';

export function StmContentsCard() {
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  if (board?.family !== 'stm') {
    return null;
  }
  if (board.info.protection === 'read-protected') {
    // A question that is asked here stays while files are compared.
    return isReady({ phase }) || phase === 'planning' ? <ProtectedCard board={board} /> : null;
  }
  return isReady({ phase }) ? <OpenCard board={board} /> : null;
}

interface StmCardProps {
  readonly board: StmFacts;
}

function OpenCard({ board }: StmCardProps) {
  const port = useFlasher(({ selected }) => selected);
  const { sectors, optionBytes } = board.info;
  const { start, size } = board.flash;
  const smallest = Math.min(...sectors.map(({ length }) => length));
  const eraseTyped = (typed: EraseTarget) => {
    const range = typed.range && wholeSectors(sectors, typed.range);
    if (range !== null) {
      askErase({ name: sectorName(range), range });
    }
  };
  return (
    <Card
      title="On the board"
      flush
      actions={
        size === null ? undefined : (
          <WholeFlashActions port={port} flash={{ offset: start, length: size }} onErase={askErase} />
        )
      }
    >
      {sectors.length === 0 ? null : (
        <RangeForm port={port} limits={{ start, size, multipleOf: smallest }} onErase={eraseTyped} />
      )}
      {optionBytes === null || optionBytes.fields.length === 0 ? null : <OptionBytes options={optionBytes} />}
    </Card>
  );
}

const sectorName = ({ offset, length }: { readonly offset: number; readonly length: number }) =>
  `${hexAddress(offset)} to ${hexAddress(offset + length - 1)}`;

function ProtectedCard({ board }: StmCardProps) {
  const port = useFlasher(({ selected }) => selected);
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Read protection">
      <p>
        Read protection level 1 is set: the flash of this part can be neither read nor written. Removing it erases the
        whole flash, program and data. Wirebench never sets level 2, which cannot be removed.
      </p>
      <p className={`buttons ${styles['buttons']}`}>
        <Button variant="danger" icon={<LockOpen />} onClick={() => setAsking(true)}>
          Remove read protection…
        </Button>
      </p>
      <RemoveProtection port={port} name={board.name} open={asking} onClose={() => setAsking(false)} />
    </Card>
  );
}
