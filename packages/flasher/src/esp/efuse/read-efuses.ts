/** Reads the eFuses of a connected chip through the read registers of its controller. Nothing is written. */
import type { ReadRegister } from '../chips/chip.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import { readSurely } from '../connect/read-surely.ts';
import type { ChipRevision } from '../esp-info.ts';
import type { EfuseErrors } from './efuse-layout.ts';
import { loadEfuseLayout } from './load-layout.ts';

/** Words of the eFuses as they were read. Plain values, which can be posted to a worker. */
export interface EfuseWords {
  readonly chip: ChipName;
  readonly revision: ChipRevision | null;
  /** Unsigned words of each block, in the order of the layout. */
  readonly blocks: readonly (readonly number[])[];
  /** Words of the registers that count coding errors. */
  readonly errors: readonly number[];
}

/**
 * Reads all blocks. A block counts once two readings in a row agree, because answers have no checksum.
 *
 * @throws EspError `stopped-answering` if no two readings agree, or the board is silent.
 * @throws PortError, or the reason of the signal of `read`.
 */
export async function readEfuses(
  chip: ChipName,
  revision: ChipRevision | null,
  read: ReadRegister,
): Promise<EfuseWords> {
  const { base, blocks, errors } = await loadEfuseLayout(chip, revision);
  const wordsAt = (what: string, offset: number, count: number) =>
    readSurely(what, async () => {
      const words: number[] = [];
      for (let word = 0; word < count; word++) {
        words.push((await read(base + offset + word * 4)) >>> 0);
      }
      return words;
    });
  const contents: number[][] = [];
  for (const { name, offset, words } of blocks) {
    contents.push(await wordsAt(`eFuse block ${name}`, offset, words));
  }
  const counted: number[] = [];
  for (const [offset, count] of errorRegisters(errors)) {
    counted.push(...(await wordsAt('errors of the eFuse blocks', offset, count)));
  }
  return { chip, revision, blocks: contents, errors: counted };
}

function errorRegisters(errors: EfuseErrors): (readonly [offset: number, count: number])[] {
  switch (errors.kind) {
    case 'none':
      return [];
    case 'decoder':
      return [[errors.register, 1]];
    case 'blocks':
      return [
        [errors.repeat, errors.repeatWords],
        [errors.blocks, errors.blockWords],
      ];
  }
}
