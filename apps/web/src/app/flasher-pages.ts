/** The flashers as pages of the app. A chunk of its own: the start of the app names one file instead of theirs. */
import type { FamilyId } from '@wirebench/boards';
import type { ComponentType } from 'react';
import { startBenchPages } from './bench-start.ts';
import { type FlasherModule, startFlasherPage } from './flasher-page.ts';

const loads = {
  esp: () => import('../pages/flasher/esp-flasher-page.tsx'),
  stm: () => import('../pages/flasher/stm-flasher-page.tsx'),
  nrf: () => import('../pages/flasher/nrf-flasher-page.tsx'),
  avr: () => import('../pages/flasher/avr-flasher-page.tsx'),
  rp: () => import('../pages/flasher/rp-flasher-page.tsx'),
} satisfies Record<FamilyId, () => Promise<FlasherModule>>;

/** Fetches the page of a family, and prepares the document for it. */
export async function loadFlasher(family: FamilyId): Promise<ComponentType<object>> {
  const module = await loads[family]();
  startBenchPages();
  return startFlasherPage(module);
}
