/**
 * A request to erase, until it is carried out or declined. It outlives the card that it came from, because that card
 * is not shown while a backup is read.
 */
import type { FlashRange } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import { pageStore } from '../../../shared/page-store.ts';
import { isReady } from '../state/flash-state.ts';
import { backUp, erase } from './contents-actions.ts';
import { flasherStore, flashOf } from './flasher-store.ts';

/** The range to erase, and its name on the screen. */
export interface EraseTarget {
  readonly name: string;
  /** Null for all of the flash. */
  readonly range: FlashRange | null;
}

export interface EraseRequest {
  readonly port: PortNumber;
  readonly target: EraseTarget;
  /** Name of the saved backup; null without a backup. */
  readonly backup: string | null;
}

const request = pageStore<{ readonly asked: EraseRequest | null }>({ asked: null });

/** Asks the user to confirm an erase of the selected board. */
export function askErase(target: EraseTarget): void {
  request.setState({ asked: { port: flasherStore().getState().selected, target, backup: null } });
}

export function closeErase(): void {
  request.setState({ asked: null });
}

export function eraseNow({ port, target }: EraseRequest): Promise<void> {
  closeErase();
  return erase(port, target.name, target.range);
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
