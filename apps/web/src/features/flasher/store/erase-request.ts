/**
 * A request to erase, until it is carried out or declined. It outlives the card that it came from, because that card
 * is not shown while a backup is read.
 */
import { familyTraits } from '@wirebench/boards';
import { wholeFlashText } from '@wirebench/flasher/callers';
import type { FlashRange } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import { memoryText } from '../../../shared/format/bytes.ts';
import { pageStore } from '../../../shared/page-store.ts';
import { isReady } from '../state/flash-state.ts';
import { backUp, erase } from './contents-actions.ts';
import { resume, write } from './flash-actions.ts';
import { flasherStore, flashOf, pageFamily } from './flasher-store.ts';

/** The range to erase, and its name on the screen. */
export interface EraseTarget {
  readonly name: string;
  /** Null for all of the flash. */
  readonly range: FlashRange | null;
  /** Bytes that are erased, if they are not those of `range`: flash without its bootloader. */
  readonly size?: number;
}

export interface EraseRequest {
  readonly port: PortNumber;
  readonly target: EraseTarget;
  /** Name of the saved backup; null without a backup. */
  readonly backup: string | null;
  /** True: the erase is the plan of the page, which the answer carries out. */
  readonly isPlanned?: boolean;
}

const request = pageStore<{ readonly asked: EraseRequest | null }>({ asked: null });

/** Asks the user to confirm an erase of the selected board. */
export function askErase(target: EraseTarget): void {
  request.setState({ asked: { port: flasherStore().getState().selected, target, backup: null } });
}

/** Asks the user to confirm a plan that erases all of the selected board. */
export function askPlannedErase(): void {
  const target = { name: 'the whole flash', range: null };
  request.setState({ asked: { port: flasherStore().getState().selected, target, backup: null, isPlanned: true } });
}

export function closeErase(): void {
  request.setState({ asked: null });
}

export function eraseNow(asked: EraseRequest): Promise<void> {
  const { port, target, isPlanned = false } = asked;
  closeErase();
  if (isPlanned) {
    return isReady(flashOf(port)) ? write(port) : resume(port);
  }
  return erase(port, target.range === null ? extentText(asked) : target.name, target.range);
}

/** Names what is erased, with its size as far as it is known: `all 4 MB`, `31.5 KB: all flash except the bootloader`. */
export function extentText({ port, target }: EraseRequest): string {
  const { flash = null } = flashOf(port).board ?? {};
  if (target.range !== null) {
    return target.name;
  }
  const { name } = pageFamily();
  const size = target.size ?? flash?.size ?? null;
  if (size === null) {
    return wholeFlashText(name);
  }
  return familyTraits[name].keptByErase === undefined
    ? `all ${memoryText(size)}`
    : `${memoryText(size)}, ${wholeFlashText(name)}`;
}

/** Returns the range that would be erased; null if the size of the flash is unknown. */
export function rangeOf({ port, target }: EraseRequest): FlashRange | null {
  const { start = 0, size = null } = flashOf(port).board?.flash ?? {};
  return target.range ?? (size === null ? null : { offset: start, length: size });
}

/** Saves the range to a file, then asks again. A backup that failed or was stopped erases nothing. */
export async function backUpFirst(asked: EraseRequest): Promise<void> {
  const range = rangeOf(asked);
  if (range === null) {
    return;
  }
  closeErase();
  const board = flashOf(asked.port).board?.id ?? null;
  const backup = await backUp(asked.port, asked.target.range === null ? 'flash' : asked.target.name, range);
  const flash = flashOf(asked.port);
  if (backup !== null && isReady(flash) && (flash.board?.id ?? null) === board) {
    request.setState({ asked: { ...asked, backup } });
  }
}

export function useEraseRequest(): EraseRequest | null {
  return request.use(({ asked }) => asked);
}
