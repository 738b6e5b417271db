/**
 * Interface of the views of *On the board*: one for each kind of partition. A view gets the contents once they are
 * read, and returns its edits as a planned change. It has no button that writes.
 */
import type { Partition } from '@wirebench/flasher/espressif';
import type { PortNumber } from '@wirebench/serial';
import type { ComponentType } from 'react';
import type { PlannedChange } from '../../../store/board-changes.ts';

/** @template Draft Edits of the view, kept while another view is open. */
export interface PartitionViewProps<Draft = unknown> {
  readonly port: PortNumber;
  readonly partition: Partition;
  /** All bytes of the partition as they were read, verified by hash. Not to be changed. */
  readonly contents: Uint8Array;
  /** MD5 of `contents`, as 32 lower-case hexadecimal digits: the basis of a change. */
  readonly md5: string;
  /** Edits that are planned already; null if there are none. */
  readonly draft: Draft | null;
  /** True: the board is being written or read, so that nothing can be edited. */
  readonly locked: boolean;
  /** Takes the planned change; null if nothing differs from the board any more. */
  onChange(planned: PlannedChange<Draft> | null): void;
}

/** A kind of contents, with what the list says about it and the view that opens beside it. */
export interface PartitionKind {
  /** Returns true if this kind shows the partition. `start`: its first 4,096 bytes. */
  readonly shows: (partition: Partition, start: Uint8Array) => boolean;
  /**
   * Returns one line for the list: `27 keys in 3 namespaces`. `contents` is null until the partition was read as a
   * whole; null as a result: nothing more is known than its type. `planned`: change that is not written yet. A promise:
   * the contents are read in a worker. Call it once for each contents.
   */
  readonly describe: (
    partition: Partition,
    contents: Uint8Array | null,
    planned?: PlannedChange | null,
  ) => string | null | Promise<string | null>;
  /** Fetches the code of the view. */
  readonly load: () => Promise<ComponentType<PartitionViewProps<never>>>;
}
