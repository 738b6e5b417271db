/**
 * Contents that were read from the boards, kept while their views are opened and closed. A verified write of a change
 * keeps them with the change. An erase, another board, and a write over them drop them.
 */
import {
  type BoardChange,
  changedRegions,
  erasedBytes,
  md5,
  overlapOf,
  type WriteReport,
} from '@wirebench/flasher/core';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import type { PlanFacts } from '../../../protocol/flash-protocol.ts';
import { pageStore } from '../../../shared/page-store.ts';

export interface BoardContents {
  readonly bytes: Uint8Array;
  /** MD5 of the bytes, as 32 lower-case hexadecimal digits. */
  readonly md5: string;
  /** Time of the read, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** Number of the connection that read them. The program has not run since, if it is the current one. */
  readonly connection: number;
}

interface OneBoard {
  /** Number of the current connection, or of the last one. */
  readonly connection: number;
  /** Time at which the board was connected, in milliseconds since the Unix epoch; null before. */
  readonly connectedAt: number | null;
  /** True: flash was written since the board was connected, so that its facts are those from before. */
  readonly written: boolean;
  /** By the flash offset of the partition or area. */
  readonly entries: ReadonlyMap<number, BoardContents>;
  /** Images at the start of partitions that were not read whole, by their flash offset. */
  readonly images: ReadonlyMap<number, BoardContents>;
}

type Contents = Readonly<Record<PortNumber, OneBoard>>;

const nothing: OneBoard = { connection: 0, connectedAt: null, written: false, entries: new Map(), images: new Map() };
const store = pageStore<Contents>(Object.fromEntries(portNumbers.map((port) => [port, nothing])) as never);

function change(port: PortNumber, changes: Partial<OneBoard>): void {
  store.setState({ [port]: { ...store.getState()[port], ...changes } });
}

/** Notes a new connection: the program may have run, and may have changed what was read before. */
export function noteConnection(port: PortNumber): void {
  const { connection } = store.getState()[port];
  change(port, { connection: connection + 1, connectedAt: Date.now(), written: false });
}

/** @param offset Flash offset of the partition or area. */
export function keepContents(
  port: PortNumber,
  offset: number,
  bytes: Uint8Array,
  what: 'entries' | 'images' = 'entries',
): void {
  const { connection, [what]: before } = store.getState()[port];
  const read = { bytes, md5: md5(bytes), at: Date.now(), connection };
  change(port, { [what]: new Map(before).set(offset, read) });
}

/** @param written True: flash was written. False: the board is another one. */
export function dropContents(port: PortNumber, written: boolean): void {
  change(port, { entries: nothing.entries, images: nothing.images, written });
}

interface EndedWrite {
  readonly report: Pick<WriteReport, 'state' | 'written'>;
  readonly plan: Pick<PlanFacts, 'map' | 'eraseAll'> | null;
  readonly changes: readonly BoardChange[];
  /** True: the board's facts were read again after the write, or are expected. */
  readonly isRead: boolean;
}

/**
 * Notes a write that has ended. What was written and verified is what is known: contents that a change was made from
 * are kept with the change applied. Other contents that the plan wrote over are dropped.
 */
export function noteWrite(port: PortNumber, { report, plan, changes, isRead }: EndedWrite): void {
  if (report.written === 0 && report.state === 'complete') {
    return;
  }
  if (report.state !== 'complete' || plan === null || plan.eraseAll) {
    dropContents(port, !isRead);
    return;
  }
  const touched = plan.map.filter(({ fate }) => fate === 'written' || fate === 'erased');
  const { entries, images, connection } = store.getState()[port];
  const after = new Map<number, BoardContents>();
  for (const [offset, contents] of entries) {
    const range = { offset, length: contents.bytes.length };
    const change = changes.find((one) => overlapOf(one.range, range) !== null);
    if (change !== undefined) {
      const bytes = applied(change, contents, offset);
      if (bytes !== null) {
        after.set(offset, { bytes, md5: md5(bytes), at: Date.now(), connection });
      }
    } else if (touched.every((area) => overlapOf(area, range) === null)) {
      after.set(offset, contents);
    }
  }
  const left = [...images].filter(([offset, { bytes }]) =>
    touched.every((area) => overlapOf(area, { offset, length: bytes.length }) === null),
  );
  change(port, { entries: after, images: new Map(left), written: !isRead });
}

/** Returns the contents with the change; null if the contents are not known to be those that it was made from. */
function applied(change: BoardChange, { bytes, md5: hash }: BoardContents, offset: number): Uint8Array | null {
  const regions = changedRegions(change);
  const covered = regions.reduce((sum, { length }) => sum + length, 0);
  const isWhole = change.range.offset === offset && covered >= bytes.length;
  if (change.range.offset !== offset || (change.basis !== hash && !isWhole)) {
    return null;
  }
  const result = Uint8Array.from(bytes);
  for (const region of regions) {
    const start = region.offset - offset;
    const room = Math.max(0, result.length - start);
    result.set((region.bytes ?? erasedBytes(region.length)).subarray(0, room), start);
  }
  return result;
}

/** Notes that the board's facts were read again after a write. */
export function noteFacts(port: PortNumber): void {
  change(port, { written: false });
}

/** Notes that the board's facts could not be read again after a write. */
export function noteUnread(port: PortNumber): void {
  change(port, { written: true });
}

export function contentsOf(port: PortNumber): OneBoard {
  return store.getState()[port];
}

export function useBoardContents(port: PortNumber): OneBoard {
  return store.use((contents) => contents[port]);
}
