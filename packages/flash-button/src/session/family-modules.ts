/** The families of boards. The code of each is fetched when a board of it is connected. */
import type { ManifestVersion } from '@wirebench/flasher/release';
import type { Family, FamilyModule } from '../boards/button-board.ts';

export const familyModules: Readonly<Record<Family, () => Promise<FamilyModule>>> = {
  esp: () => import('../boards/esp.ts'),
  stm: () => import('../boards/stm.ts'),
  nrf: () => import('../boards/nordic.ts'),
  avr: () => import('../boards/avr.ts'),
};

const familyKeys = Object.keys(familyModules) as Family[];

/** Returns the families of a version's builds, each once, in their order. */
export function familiesOf({ builds }: ManifestVersion): Family[] {
  const named = builds.map(({ deviceFamily }) => deviceFamily);
  return [...new Set(named)].flatMap((name) => familyKeys.find((family) => family === name) ?? []);
}
