/** Files of a plan with their places, and names of areas that stay or go, for people. */
import { type FamilyTraits, familyTraits } from '@wirebench/boards';
import { addressText } from '../core/bytes.ts';
import type { FamilyBoard } from '../family.ts';
import type { PlanFacts } from '../family-values.ts';

/** A stretch that a write touches. */
export interface PlannedFile {
  readonly name: string;
  /** Its address in words; null for an image whose address only the bootloader knows. */
  readonly at: string | null;
  readonly length: number;
}

/** Returns the stretches of a plan. Regions of one file that follow each other are one. */
export function plannedFiles(board: FamilyBoard, { regions }: Pick<PlanFacts, 'regions'>): readonly PlannedFile[] {
  const at = (offset: number) => board.placeName?.(offset) ?? addressText(offset);
  return hasAddresses(board)
    ? joined(regions).map(({ file, offset, length }) => ({ name: file, at: at(offset), length }))
    : regions.map(({ file, length }) => ({ name: file, at: null, length }));
}

/** True: regions have addresses. False: they are images in the order of writing. */
export const hasAddresses = (board: FamilyBoard): boolean => traitsOf(board).hasPlacedFiles !== true;

const traitsOf = ({ facts }: FamilyBoard): FamilyTraits => familyTraits[facts.family];

/** Joins regions of one file that follow each other. */
function joined(regions: PlanFacts['regions']): PlanFacts['regions'] {
  const files: PlanFacts['regions'][number][] = [];
  for (const region of regions) {
    const last = files.at(-1);
    const follows = last?.file === region.file && last.offset + last.length === region.offset;
    files.splice(follows ? -1 : files.length, 1, follows ? { ...last, length: last.length + region.length } : region);
  }
  return files;
}

/**
 * Names the areas with data that stay as they are, and those that are erased and get no data. Only partitions and file
 * systems have names for people. A plan with nothing to write erases nothing.
 */
export function namedAreas(
  board: FamilyBoard,
  { map, eraseAll, toWrite, saved }: Pick<PlanFacts, 'map' | 'eraseAll' | 'toWrite' | 'saved'>,
): { readonly kept: readonly string[]; readonly erased: readonly string[] } {
  const hasNames = traitsOf(board).hasPartitions === true || saved !== undefined;
  const named = (...fates: readonly string[]) =>
    map.flatMap(({ name, fate }) => (hasNames && name !== null && fates.includes(fate) ? [name] : []));
  const written = [...named('written'), ...(saved ?? []).map(({ area }) => area)];
  // The rest of a partition behind the program that is written is of no use.
  const kept = named('kept', 'restored').filter((name) => !written.includes(name));
  const erased = eraseAll || toWrite === 0 ? [] : named('erased').filter((name) => !written.includes(name));
  return { kept: [...new Set(kept)], erased };
}
