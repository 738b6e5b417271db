/** A person's actions on the Nordic flasher's page, for its tests. */
import type { Page } from '@playwright/test';
import { nrfFirmware } from '@wirebench/devices';
import { expect } from '../support/test.ts';
import { board, chooseFile, connectOther } from './flasher-steps.ts';

const demos = {
  'Demo nRF52840': 'Secure DFU (nRF5 SDK)',
  'Demo Feather nRF52840': 'Adafruit nRF52',
  'Demo nRF52840 with MCUboot': 'MCUboot (nRF Connect SDK)',
} as const;

/** Connects a simulated board, until it is in its bootloader. */
export async function connectNrfDemo(page: Page, label: keyof typeof demos): Promise<void> {
  await connectOther(page, label);
  await expect(board(page)).toContainText(demos[label]);
}

export async function addFirmware(page: Page, options: Parameters<typeof nrfFirmware>[0]): Promise<void> {
  const { name, bytes } = nrfFirmware(options);
  await chooseFile(page, name, Buffer.from(bytes));
}
