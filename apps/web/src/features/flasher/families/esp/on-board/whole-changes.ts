/** Plans that a partition, a range or the whole flash is erased, or replaced by the bytes of a file. */
import { erasedAllText } from '@wirebench/flasher/callers';
import { eraseChange, type FlashRange, wholeChange } from '@wirebench/flasher/core';
import type { PortNumber } from '@wirebench/serial';
import { memoryText, sizeText } from '../../../../../shared/format/bytes.ts';
import { addressText } from '../../../../../shared/format/hex.ts';
import { toast } from '../../../../../shared/ui/toast.ts';
import { changesOf, setChange } from '../../../store/board-changes.ts';
import type { WholeDraft } from './whole-draft.ts';

/** Name of the change that erases all of the flash. */
export const WHOLE_FLASH = 'whole flash';

/** @param name Name of the partition, or the address of the range. */
export function planErase(port: PortNumber, name: string, range: FlashRange): void {
  const change = eraseChange(name, range);
  setChange(port, name, {
    change,
    what: `the erase of ${name}`,
    title: `Erase ${name}`,
    erased: name,
    count: 1,
    entries: [
      `${addressText(change.range.offset)} to ${addressText(change.range.offset + change.range.length - 1)} erased`,
    ],
    note: sizeText(change.range.length),
    draft: { whole: 'erase' } satisfies WholeDraft,
  });
}

/** @param size Size of the flash in bytes. */
export function planEraseAll(port: PortNumber, size: number): void {
  for (const { change } of changesOf(port)) {
    setChange(port, change.name, null);
  }
  const change = eraseChange(WHOLE_FLASH, { offset: 0, length: size });
  setChange(port, WHOLE_FLASH, {
    change,
    what: `the erase of all ${memoryText(size)}`,
    title: `Erase all ${memoryText(size)}`,
    erased: `all ${memoryText(size)}`,
    isWholeErase: true,
    count: 1,
    entries: ['program, settings and all data erased'],
    note: erasedAllText,
    draft: { whole: 'erase' } satisfies WholeDraft,
  });
}

/**
 * Plans that a range holds the bytes of a file, and nothing behind them.
 *
 * @param canErase True: empty sectors are erased. False: they are written with 0xFF.
 */
export async function planRestore(
  port: PortNumber,
  name: string,
  range: FlashRange,
  file: File,
  canErase: boolean,
): Promise<void> {
  if (file.size === 0 || file.size > range.length) {
    const what =
      file.size === 0 ? 'is empty' : `has ${sizeText(file.size)}, but ${name} holds ${sizeText(range.length)}`;
    toast(`“${file.name}” ${what}. Choose a backup of ${name}.`, { level: 'error' });
    return;
  }
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    toast(`“${file.name}” could not be read. Choose it again.`, { level: 'error' });
    return;
  }
  setChange(port, name, {
    change: wholeChange(name, range, bytes, canErase),
    what: `a backup of ${name}`,
    title: `Restore ${name}`,
    count: 1,
    entries: [`from ${file.name}`],
    note:
      bytes.length < range.length
        ? `${sizeText(range.length - bytes.length)} behind it are erased`
        : sizeText(bytes.length),
    madeFrom: [{ name: file.name, content: file }],
    draft: { whole: 'restore' } satisfies WholeDraft,
  });
}
