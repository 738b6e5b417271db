/** The partition table as it is in flash. */
import { type Partition, readPartitionTable, subtypeName, typeName } from '@wirebench/flasher/espressif';
import { ImageError } from '@wirebench/flasher/images';
import { useMemo } from 'react';
import { sizeText } from '../../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../../shared/format/hex.ts';
import styles from '../on-board.module.css';
import type { PartitionViewProps } from '../partition-view.ts';

export function TableView({ contents }: PartitionViewProps<never>) {
  const table = useMemo(() => partitionsIn(contents), [contents]);
  if (table === null) {
    return <p className={styles['said']}>No partition table is stored here.</p>;
  }
  return (
    <table className="table">
      <thead>
        <tr>
          <th scope="col">Partition</th>
          <th scope="col">Type</th>
          <th scope="col">Offset</th>
          <th scope="col" className="number">
            Size
          </th>
        </tr>
      </thead>
      <tbody>
        {table.map((partition) => (
          <tr key={`${partition.name} ${partition.offset}`}>
            <td className={styles['mono']}>{partition.name}</td>
            <td>
              {typeName(partition)}, {subtypeName(partition)}
              {partition.encrypted ? ', encrypted' : ''}
            </td>
            <td className={styles['mono']}>{addressText(partition.offset)}</td>
            <td className="number">{sizeText(partition.size)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function partitionsIn(contents: Uint8Array): readonly Partition[] | null {
  try {
    return readPartitionTable(contents).partitions;
  } catch (error) {
    if (error instanceof ImageError) {
      return null;
    }
    throw error;
  }
}
