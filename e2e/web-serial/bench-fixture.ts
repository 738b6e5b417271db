/** A test whose Chromium has the ESP32 bench open, with a simulated ESP32 on its breadboard plugged in, and perhaps text on its wire. */

import { esp32BenchPage } from '@wirebench/contract';
import { EspFlood, type LabBreadboard, labBreadboard } from '@wirebench/devices';
import { test as base, expect } from './esp-fixture.ts';

interface Fixtures {
  /** Who prints without an end on the board's wire; null for nobody. */
  floodedBy: 'program' | 'wire' | null;
  readonly flood: EspFlood | null;
  readonly breadboard: LabBreadboard;
}

export const test = base.extend<Fixtures>({
  start: esp32BenchPage,
  floodedBy: [null, { option: true }],
  flood: ({ floodedBy }, use) => use(floodedBy === null ? null : new EspFlood(floodedBy)),
  // Playwright demands the destructuring, also of nothing.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  breadboard: async ({}, use) => use(labBreadboard('esp32')),
  chip: ({ breadboard, flood }, use) => use({ chip: 'esp32', breadboard, ...(flood !== null && { flood }) }),
});

export { expect };
