/**
 * Contents that were read from the boards, kept while their views are opened and closed. They are dropped by a write,
 * an erase, and another board.
 */
import { md5 } from '@wirebench/flasher/core';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

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
const store = createStore<Contents>(() => Object.fromEntries(portNumbers.map((port) => [port, nothing])) as never);

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

export function contentsOf(port: PortNumber): OneBoard {
  return store.getState()[port];
}

export function useBoardContents(port: PortNumber): OneBoard {
  return useStore(store, (contents) => contents[port]);
}
