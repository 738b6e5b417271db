/** Reads and erases a board's flash outside a write. */
import { backupFileName, isOneOfMany } from '@wirebench/flasher/callers';
import type { FlashRange } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import { saveFile } from '../../../shared/files/save-file.ts';
import { toast } from '../../../shared/ui/toast.ts';
import { addCoreDump } from '../../../workbench/crash/symbol-files.ts';
import type { BoardAction, ConnectedBoard } from '../../../workbench/families.ts';
import { failureFrom } from '../state/failure-from.ts';
import type { WorkProgress } from '../state/flash-state.ts';
import { dropContents } from './board-contents.ts';
import { connectAgain } from './flash-actions.ts';
import { getFlasher } from './flasher-line.ts';
import { dispatch, flashOf, say } from './flasher-store.ts';
import { planNow, untilCompared } from './plan-actions.ts';
import { tracked } from './running-work.ts';

/**
 * Reads a range, verified by hash if the family can, and saves it as a download.
 *
 * @param name Name of the contents, for the file's name.
 * @returns The file's name; null if no file was saved.
 */
export async function backUp(port: PortNumber, name: string, range: FlashRange): Promise<string | null> {
  const file = backupName(port, name, range, isOneOfMany(name) ? new Date() : null);
  let saved: string | null = null;
  await work(port, 'read', `Backing up to ${file}`, async () => {
    const content = await getFlasher().call('read', port, range);
    saveFile(content, file);
    saved = file;
    toast(`${file} was sent to your downloads`);
    return null;
  });
  await planNow(port);
  return saved;
}

/**
 * Reads a range, verified by hash if the family can. The board is ready afterwards, and its plan is made again.
 *
 * @param label Text for the work: `Reading nvs`.
 * @returns Null if the read was stopped or has failed; the state of the board then says so.
 */
export function readRange(port: PortNumber, label: string, range: FlashRange): Promise<Uint8Array | null> {
  return readParts(port, label, (read) => read(range));
}

/**
 * Works like `readRange` for several ranges, of which each may depend on those before.
 *
 * @param act Reads the ranges, and returns what they show.
 */
export async function readParts<Result>(
  port: PortNumber,
  label: string,
  act: (read: (range: FlashRange) => Promise<Uint8Array>) => Promise<Result>,
): Promise<Result | null> {
  let result: Result | null = null;
  await work(port, 'read', label, async () => {
    result = await act(async (range) => {
      const content = await getFlasher().call('read', port, range);
      return new Uint8Array(await content.arrayBuffer());
    });
    return null;
  });
  await planNow(port);
  return result;
}

/** Reads a coredump partition, and passes it to the decoder of core dumps. */
export async function readCrash(port: PortNumber, name: string, range: FlashRange): Promise<void> {
  await work(port, 'read', `Reading the crash from ${name}`, async () => {
    const content = await getFlasher().call('read', port, { offset: range.offset, length: range.length });
    void addCoreDump(new File([content], backupName(port, name, range)));
    return null;
  });
  await planNow(port);
}

/**
 * @param name What is erased, as it is named: `all 2 MB`, `range 0x8000`.
 * @param range Null for all of the flash.
 */
export async function erase(port: PortNumber, name: string, range: FlashRange | null): Promise<void> {
  await work(
    port,
    'erase',
    `Erasing ${name}`,
    async () => {
      const board = await getFlasher().call('erase', port, range);
      dropContents(port, false);
      toast(`${name.charAt(0).toUpperCase()}${name.slice(1)} erased`);
      return board;
    },
    range === null ? name : null,
  );
  await planNow(port);
}

/** Reads the eFuses of an Espressif board. Its facts hold them afterwards, and its plan is made again with them. */
export async function readEfuses(port: PortNumber): Promise<void> {
  await work(port, 'read', 'Reading the eFuses', () => getFlasher().call('perform', port, 'read-efuses'));
  await planNow(port);
}

/** Performs an action that only this family has. A board that resets for it is connected again. */
export async function perform(port: PortNumber, action: BoardAction, label: string, done: string): Promise<void> {
  let left = false;
  await work(port, 'erase', label, async () => {
    const board = await getFlasher().call('perform', port, action);
    toast(done);
    left = board === null;
    return board;
  });
  await (left ? connectAgain(port) : planNow(port));
}

/** Returns a file name with the offset in it, and with the time if one is given. */
export const backupName = (port: PortNumber, name: string, range: FlashRange, at: Date | null = null): string =>
  backupFileName(flashOf(port).board, name, range, at);

/**
 * @param act Resolves with the board's facts afterwards; null if they are unchanged.
 * @param emptied Extent of an erase of all flash; null for other work.
 */
async function work(
  port: PortNumber,
  kind: WorkProgress['kind'],
  label: string,
  act: () => Promise<ConnectedBoard | null>,
  emptied: string | null = null,
): Promise<void> {
  // The user may confirm a question that was asked before the files changed.
  await untilCompared(port);
  if (!dispatch(port, { type: 'work', kind, label })) {
    return;
  }
  try {
    dispatch(port, { type: 'worked', board: await tracked(port, act()), emptied });
  } catch (error) {
    const failure = failureFrom(error);
    say(port, failure.code === 'cancelled' ? 'warning' : 'error', `${label}: ${failure.message}`);
    if (failure.code === 'cancelled' && kind === 'read') {
      // Reading changes nothing, so the board stays ready.
      dispatch(port, { type: 'worked', board: null });
    } else {
      dispatch(port, { type: 'failed', failure });
      if (flashOf(port).failure?.state !== 'unchanged') {
        dropContents(port, true);
      }
    }
  }
}
