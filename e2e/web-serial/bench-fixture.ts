/**
 * A test whose Chromium shows the ESP32 bench, with a simulated ESP32 on its breadboard plugged in, and optionally
 * text on its wire.
 */

import { esp32BenchPage } from '@wirebench/contract';
import { EspFlood, type LabBreadboard, labBreadboard } from '@wirebench/devices';
import { test as base, expect } from './esp-fixture.ts';

interface Fixtures {
  /** Source of endless text on the board's wire; null for none. */
  floodedBy: 'program' | 'wire' | null;
  readonly flood: EspFlood | null;
  readonly breadboard: LabBreadboard;
}

export const test = base.extend<Fixtures>({
  start: esp32BenchPage,
  floodedBy: [null, { option: true }],
  flood: ({ floodedBy }, use) => use(floodedBy === null ? null : new EspFlood(floodedBy)),
  // Playwright requires a destructured first parameter, even an empty one.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  breadboard: async ({}, use) => use(labBreadboard('esp32')),
  chip: ({ breadboard, flood }, use) => use({ chip: 'esp32', breadboard, ...(flood !== null && { flood }) }),
});

export { expect };
