/** The board's flash: its partitions, with buttons to read and erase them. */
import { sectorSize } from '@wirebench/flasher/core';
import { type Partition, subtypeName, typeName } from '@wirebench/flasher/espressif';
import type { PortNumber } from '@wirebench/serial';
import { Eraser, FileWarning, Save } from 'lucide-react';
import { sizeText } from '../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../shared/format/hex.ts';
import { Button } from '../../../../../shared/ui/button.tsx';
import { IconButton } from '../../../../../shared/ui/icon-button.tsx';
import styles from '../../../board/contents-card.module.css';
import { ContentsFold } from '../../../board/contents-fold.tsx';
import { RangeForm } from '../../../board/range-form.tsx';
import { WholeFlashActions } from '../../../board/whole-flash-actions.tsx';
import { isReady } from '../../../state/flash-state.ts';
import { backUp, readCrash } from '../../../store/contents-actions.ts';
import { askErase, type EraseTarget } from '../../../store/erase-request.ts';
import { useFlash, useFlasher } from '../../../store/flasher-store.ts';
import tableStyles from '../../../table.module.css';

export function ContentsCard() {
  const port = useFlasher(({ selected }) => selected);
  const phase = useFlash((flash) => flash.phase);
  const board = useFlash((flash) => flash.board);
  if (board?.family !== 'esp' || phase === 'none' || phase === 'connecting' || board.info.security.secureDownload) {
    return null;
  }
  const locked = !isReady({ phase });
  const size = board.info.flash?.size ?? null;
  const { canErase, table } = board;
  return (
    <ContentsFold
      summary={table === null ? 'no partition table' : partitionCount(table.partitions)}
      actions={
        size === null ? undefined : (
          <WholeFlashActions
            port={port}
            locked={locked}
            flash={{ offset: 0, length: size }}
            onErase={canErase ? askErase : null}
          />
        )
      }
    >
      {table === null ? null : (
        <Partitions port={port} locked={locked} partitions={table.partitions} onErase={canErase ? askErase : null} />
      )}
      <RangeForm
        port={port}
        locked={locked}
        limits={{ start: 0, size, multipleOf: sectorSize }}
        onErase={canErase ? askErase : null}
      />
    </ContentsFold>
  );
}

const partitionCount = ({ length }: { readonly length: number }) =>
  length === 1 ? '1 partition' : `${length} partitions`;

interface PartitionsProps {
  readonly port: PortNumber;
  /** True: the board is busy. */
  readonly locked: boolean;
  readonly partitions: readonly Partition[];
  readonly onErase: ((target: EraseTarget) => void) | null;
}

function Partitions({ port, locked, partitions, onErase }: PartitionsProps) {
  return (
    <table className={`table ${tableStyles['table']}`}>
      <thead>
        <tr>
          <th scope="col">Partition</th>
          <th scope="col" className={tableStyles['wide']}>
            Type
          </th>
          <th scope="col">Offset</th>
          <th scope="col" className="number">
            Size
          </th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {partitions.map((partition) => {
          const { name, offset, size } = partition;
          const range = { offset, length: size };
          return (
            <tr key={`${name} ${offset}`}>
              <td className={styles['mono']}>{name}</td>
              <td className={tableStyles['wide']}>
                {typeName(partition)}, {subtypeName(partition)}
                {partition.encrypted ? ', encrypted' : ''}
              </td>
              <td className={styles['mono']}>{addressText(offset)}</td>
              <td className="number">{sizeText(size)}</td>
              <td className={styles['actions']}>
                {subtypeName(partition) === 'coredump' ? (
                  <Button
                    size="sm"
                    icon={<FileWarning />}
                    disabled={locked}
                    onClick={() => void readCrash(port, name, range)}
                  >
                    Read the crash
                  </Button>
                ) : null}
                <IconButton
                  label={`Back up ${name}`}
                  size="sm"
                  variant="quiet"
                  icon={<Save />}
                  disabled={locked}
                  onClick={() => void backUp(port, name, range)}
                />
                {onErase === null ? null : (
                  <IconButton
                    label={`Erase ${name}`}
                    size="sm"
                    variant="quiet"
                    icon={<Eraser />}
                    disabled={locked}
                    onClick={() => onErase({ name, range })}
                  />
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
