/**
 * Interface of the views of *On the board*: one for each kind of partition. A view gets the contents once they are
 * read, and returns its edits as a planned change. It has no button that writes.
 */
import type { Partition } from '@wirebench/flasher/esp';
import type { PortNumber } from '@wirebench/serial';
import type { ComponentType, ReactNode } from 'react';
import type { EspFacts } from '../../../../../protocol/esp-types.ts';
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
  /** Returns true if this kind shows the partition. `start`: its first 4,096 bytes; empty until it was read. */
  readonly shows: (partition: Partition, start: Uint8Array) => boolean;
  /**
   * Returns one line for the list: `27 keys in 3 namespaces`. `contents` is null until the partition was read as a
   * whole; null as a result: nothing more is known than its type. A promise: the contents are read in a worker;
   * it is then called once for each contents. `planned`: change that is not written yet.
   */
  readonly describe: (
    partition: Partition,
    contents: Uint8Array | null,
    planned?: PlannedChange | null,
  ) => string | null | Promise<string | null>;
  /**
   * Returns a part of the head of *On the board*: `27 stored keys`; null for none. Missing: the line of the list, once
   * the partition was read.
   */
  readonly summary?: (partition: Partition, contents: Uint8Array) => string | null;
  /** True: the view reads what it needs by itself, so `contents` is empty. For partitions that are seldom read whole. */
  readonly readsItself?: boolean;
  /** Fetches the code of the view. */
  readonly load: () => Promise<ComponentType<PartitionViewProps<never>>>;
}

/** An entry of the list that is not a partition, such as the eFuses. */
export interface ExtraEntry {
  readonly name: string;
  readonly icon: (board: EspFacts) => ReactNode;
  /** Returns one line for the list; null for none. */
  readonly describe: (board: EspFacts) => string | null;
  /** Fetches the code of the view. */
  readonly load: () => Promise<ComponentType<ExtraViewProps>>;
}

export interface ExtraViewProps {
  readonly port: PortNumber;
  readonly board: EspFacts;
  /** True: the board is being written or read. */
  readonly locked: boolean;
}
