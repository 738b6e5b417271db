/** Bytes of a partition in rows, with buttons that read or erase a part of it. */
import { sectorSize } from '@wirebench/flasher/core';
import { useMemo } from 'react';
import { count } from '../../../../../../shared/format/numbers.ts';
import { RangeForm } from '../../../../board/range-form.tsx';
import { useFlash } from '../../../../store/flasher-store.ts';
import type { PartitionViewProps } from '../partition-view.ts';
import { planErase } from '../whole-changes.ts';
import { HexRows } from './hex-rows.tsx';
import styles from './raw-view.module.css';

export function RawView({ port, partition, contents, locked }: PartitionViewProps<never>) {
  const canErase = useFlash(({ board }) => board?.family === 'esp' && board.canErase);
  const used = useMemo(() => contents.reduce((sum, byte) => sum + (byte === 0xff ? 0 : 1), 0), [contents]);
  const { name, offset, size } = partition;
  return (
    <>
      <div className={styles['bar']}>
        <RangeForm
          port={port}
          locked={locked}
          limits={{ start: offset, size, multipleOf: sectorSize }}
          onErase={canErase ? ({ name: at, range }) => range !== null && planErase(port, `${name} ${at}`, range) : null}
        />
        <span className={styles['used']}>Bytes that are not FF: {count(used)}</span>
      </div>
      <HexRows bytes={contents} start={offset} label={`Bytes of ${name}`} />
    </>
  );
}
