/** Rows of a partition table, in the words of `picotool partition info`. */
import { partitionFields } from '@wirebench/flasher/rp';
import type { RpFacts } from '../../../../../protocol/rp-types.ts';
import { Sections } from './sections.tsx';

interface PartitionRowsProps {
  readonly partitions: Exclude<RpFacts['info']['partitions'], 'none' | null>;
}

export const PartitionRows = ({ partitions }: PartitionRowsProps) => (
  <Sections sections={[{ title: 'Partition table', fields: partitionFields(partitions) }]} />
);
