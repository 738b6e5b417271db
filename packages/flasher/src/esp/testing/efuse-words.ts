/** Builds words of eFuses for tests: burns fields by their names. */

import type { ChipName } from '../chips/chip-facts.ts';
import { decodeEfuses, type Efuses } from '../efuse/decode-efuses.ts';
import type { EfuseLayout } from '../efuse/efuse-layout.ts';
import { loadEfuseLayout } from '../efuse/load-layout.ts';
import type { EfuseWords } from '../efuse/read-efuses.ts';
import type { ChipRevision } from '../esp-info.ts';

/** A number, or bytes in the order in which they are stored. */
export type Burnt = number | Uint8Array;

export interface BurntOptions {
  readonly revision?: ChipRevision | null;
  /** Words of the error registers. */
  readonly errors?: readonly number[];
}

async function burntWords(
  chip: ChipName,
  burnt: Readonly<Record<string, Burnt>>,
  { revision = null, errors = [] }: BurntOptions = {},
): Promise<EfuseWords> {
  const layout = await loadEfuseLayout(chip, revision);
  const blocks = layout.blocks.map(({ words }) => new Array<number>(words).fill(0));
  for (const [name, value] of Object.entries(burnt)) {
    burn(layout, blocks, name, value);
  }
  return { chip, revision, blocks, errors };
}

export async function burntEfuses(
  chip: ChipName,
  burnt: Readonly<Record<string, Burnt>>,
  options: BurntOptions = {},
): Promise<Efuses> {
  return decodeEfuses(await loadEfuseLayout(chip, options.revision ?? null), await burntWords(chip, burnt, options));
}

function burn(layout: EfuseLayout, blocks: number[][], name: string, value: Burnt): void {
  const field = layout.fields.find((one) => one.name === name);
  if (field?.kind !== 'placed') {
    throw new Error(`There is no field ${name}.`);
  }
  const words = blocks[field.block] ?? [];
  const bitAt = (index: number) =>
    typeof value === 'number' ? Math.floor(value / 2 ** index) % 2 : ((value[index >> 3] ?? 0) >> (index & 7)) & 1;
  for (let index = 0; index < field.length; index++) {
    const at = field.bit + index;
    words[at >> 5] = ((words[at >> 5] ?? 0) | (bitAt(index) << (at & 31))) >>> 0;
  }
}
