/**
 * The numbers of UF2 blocks (Microsoft, "USB Flashing Format", sections "File format" and "Family ID"). By the format
 * they count the blocks of the whole file. In concatenated files, each family has its own numbers. Both are accepted.
 */
import { hasBytesAt } from '../../core/bytes.ts';
import { ImageError } from '../image-error.ts';

export interface NumberedBlock {
  /** Null if the block names no family. */
  readonly familyId: number | null;
  /** From 0; below `total`. */
  readonly number: number;
  readonly total: number;
  /** The whole block, 512 bytes. */
  readonly raw: Uint8Array;
}

/**
 * Removes repeated blocks, because systems may write one several times (section "Robustness").
 *
 * @throws ImageError `uf2-block-twice` if two blocks of a family have the same number and different contents.
 */
export function withoutRepeats<Block extends NumberedBlock>(blocks: readonly Block[]): readonly Block[] {
  const known = new Map<string, Block>();
  for (const block of blocks) {
    const { familyId, number, total, raw } = block;
    const key = `${familyId}/${total}/${number}`;
    const other = known.get(key);
    if (other !== undefined && !hasBytesAt(other.raw, 0, raw)) {
      throw new ImageError('uf2-block-twice', { where: `Block ${number} of ${total}` });
    }
    known.set(key, other ?? block);
  }
  return [...known.values()];
}

/**
 * Finds a missing block. Blocks with the same total belong together. Each of their families must be complete, or all
 * incomplete families must be complete together.
 *
 * @param blocks Blocks without repeats.
 * @param counts Returns false for families whose missing blocks do not matter.
 * @returns the first missing block; null if the file is complete.
 */
export function missingBlock(
  blocks: readonly NumberedBlock[],
  counts: (familyId: number | null) => boolean,
): { readonly number: number; readonly total: number } | null {
  for (const [total, sharing] of groupedBy(blocks, (block) => block.total)) {
    const families = groupedBy(sharing, ({ familyId }) => familyId);
    const partial = [...families.values()].filter((family) => family.length < total);
    const together = new Set(partial.flat().map(({ number }) => number));
    const isWhole = together.size === total && partial.flat().length === total;
    const wanted = partial.find(([block]) => block !== undefined && counts(block.familyId));
    if (!isWhole && wanted !== undefined) {
      // Numbers that several families share do not count through the whole file.
      const runThrough = together.size === partial.flat().length;
      return { number: firstMissing(runThrough ? together : new Set(wanted.map(({ number }) => number))), total };
    }
  }
  return null;
}

function firstMissing(numbers: ReadonlySet<number>): number {
  let number = 0;
  while (numbers.has(number)) {
    number++;
  }
  return number;
}

function groupedBy<Key>(
  blocks: readonly NumberedBlock[],
  keyOf: (block: NumberedBlock) => Key,
): Map<Key, NumberedBlock[]> {
  const groups = new Map<Key, NumberedBlock[]>();
  for (const block of blocks) {
    const group = groups.get(keyOf(block));
    if (group === undefined) {
      groups.set(keyOf(block), [block]);
    } else {
      group.push(block);
    }
  }
  return groups;
}
