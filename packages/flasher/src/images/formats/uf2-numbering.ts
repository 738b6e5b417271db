/**
 * The numbers of UF2 blocks (Microsoft, "USB Flashing Format", sections "File format" and "Family ID"). They count the blocks of the whole
 * file. Where files for several families were put one behind the other, each family has numbers of its own. Both are taken.
 */
import { hasBytesAt } from '../../core/bytes.ts';
import { ImageError } from '../image-error.ts';

export interface NumberedBlock {
  /** Null when the block names none. */
  readonly familyId: number | null;
  /** From 0, below `total`. */
  readonly number: number;
  readonly total: number;
  /** All 512 bytes. */
  readonly raw: Uint8Array;
}

/**
 * Each block once: systems may write one several times (section "Robustness").
 * @throws ImageError `uf2-block-twice` where two blocks of a family have one number and are not the same.
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
 * Looks for a block that is missing. Blocks that state the same total belong together: either those of each family are complete by
 * themselves, or all that are left are complete together.
 *
 * @param blocks without repeats
 * @param counts false: nobody asks for this family, nor for its missing blocks.
 * @returns the first one that is missing; null for none.
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
      // Numbers that are there for several families do not run through the file.
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
