/** The families of boards. The code of each is fetched when a board of it is connected. */
import type { FamilyId } from '@wirebench/boards';
import type { Family } from '../family.ts';
import type { BoardDescription } from '../family-values.ts';
import { avrBoardFacts, espBoardFacts, nrfBoardFacts, rpBoardFacts, stmBoardFacts } from '../release/board-facts.ts';
import type { ManifestVersion } from '../release/read-manifest.ts';
import type { BoardFacts } from '../release/release-build.ts';

const factories: Readonly<Record<FamilyId, () => Promise<() => Family>>> = {
  esp: async () => (await import('../esp/family.ts')).createEspFamily,
  stm: async () => (await import('../stm/family.ts')).createStmFamily,
  nrf: async () => (await import('../nrf/family.ts')).createNrfFamily,
  avr: async () => (await import('../avr/family.ts')).createAvrFamily,
  rp: async () => (await import('../rp/family.ts')).createRpFamily,
};

/** Families that were fetched. They remember what interrupted writes have left. */
const loaded = new Map<FamilyId, Family>();

export async function loadFamily(id: FamilyId): Promise<Family> {
  const create = await factories[id]();
  const family = loaded.get(id) ?? create();
  loaded.set(id, family);
  return family;
}

const familyKeys = Object.keys(factories) as FamilyId[];

/** Returns the families of a version's builds, each once, in their order. */
export function familiesOf({ builds }: ManifestVersion): FamilyId[] {
  const named = builds.map(({ deviceFamily }) => deviceFamily);
  return [...new Set(named)].flatMap((name) => familyKeys.find((family) => family === name) ?? []);
}

/** Returns the remedy for the code of a failure; empty for an unknown one. */
export const remedyOf =
  (family: Family) =>
  (code: string): string =>
    family.failures[code]?.remedy ?? '';

const buildFacts = {
  esp: espBoardFacts,
  stm: stmBoardFacts,
  nrf: nrfBoardFacts,
  avr: avrBoardFacts,
  rp: rpBoardFacts,
} as Readonly<Record<FamilyId, (info: object) => BoardFacts>>;

/** Returns the facts of a board by which a build is chosen. */
export const boardFactsOf = ({ family, info }: Pick<BoardDescription, 'family' | 'info'>): BoardFacts =>
  buildFacts[family](info);
