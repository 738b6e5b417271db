import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { type EspChipName, espFirmwareSet } from '@wirebench/devices';
import { serveMakersPage } from '../support/makers-page.ts';
import { expect, test } from '../support/test.ts';

interface FlashEvent {
  readonly type: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    flashEvents: FlashEvent[];
  }
}

const firmware = (chip: EspChipName) =>
  espFirmwareSet({ chip, project: 'weather-node', version: '1.4.0', text: 'Weather node\r\n' }).flatMap(
    ({ name, offset, data }) => (offset === null ? [] : [{ name: `${chip}/${name}`, offset, data }]),
  );

const partsOf = (chip: EspChipName) => firmware(chip).map(({ name, offset }) => ({ path: `firmware/${name}`, offset }));

const filesOf = (...chips: EspChipName[]) =>
  Object.fromEntries(chips.flatMap(firmware).map(({ name, data }) => [`firmware/${name}`, data]));

/** Returns one image from the start of flash, as `esptool merge-bin` writes it. */
function merged(chip: EspChipName): Uint8Array {
  const parts = firmware(chip);
  const image = new Uint8Array(Math.max(...parts.map(({ offset, data }) => offset + data.length))).fill(0xff);
  for (const { offset, data } of parts) {
    image.set(data, offset);
  }
  return image;
}

const manifest = {
  name: 'Weather node',
  version: '1.4.0',
  new_install_prompt_erase: true,
  builds: [{ chipFamily: 'ESP32', parts: partsOf('esp32') }],
};

const events = (page: Page, type: string) =>
  page.evaluate((wanted) => window.flashEvents.filter((event) => event.type === wanted), `wirebench-${type}`);

async function flashDemo(page: Page): Promise<FlashEvent['detail']> {
  await page.getByRole('button', { name: 'Install' }).click();
  await page.getByRole('button', { name: 'Use a demo board' }).click();
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Written and verified' })).toBeVisible();
  const [success] = await events(page, 'success');
  return success?.detail ?? {};
}

const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');

/** Region of a success event. */
interface Region {
  readonly offset: number;
  readonly length: number;
  readonly outcome: string;
  readonly proof: { readonly kind: string; readonly value: string } | null;
}

test('a demo board is flashed from a static page below a path, with a strict content policy', async ({ page }) => {
  await using maker = await serveMakersPage('<wirebench-flash manifest="manifest.json" demo></wirebench-flash>', {
    'manifest.json': JSON.stringify(manifest),
    ...filesOf('esp32'),
  });
  await page.goto(maker.address);
  const success = await flashDemo(page);
  expect(success).toMatchObject({ name: 'Weather node', version: '1.4.0', chip: 'ESP32', demo: true, verified: true });
  const regions = success['regions'] as Region[];
  const image = merged('esp32');
  for (const { offset, length, outcome, proof } of regions) {
    expect(['same', 'verified']).toContain(outcome);
    expect(proof).toEqual({ kind: 'md5', value: md5(image.subarray(offset, offset + length)) });
  }
  const covered = regions.reduce((sum, { length }) => sum + length, 0);
  expect(covered).toBe(firmware('esp32').reduce((sum, { data }) => sum + data.length, 0));
  const states = (await events(page, 'state')).map(({ detail }) => detail['state']);
  expect([...new Set(states)]).toEqual(['loading', 'ready', 'connecting', 'planning', 'planned', 'writing', 'success']);
  expect((await events(page, 'progress')).length).toBeGreaterThan(2);
  await page.getByRole('button', { name: 'Monitor' }).click();
  await page.getByRole('button', { name: 'Reset the board' }).click();
  await expect(page.getByRole('log')).toContainText('Weather node');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.locator('wirebench-flash')).toHaveAttribute('state', 'idle');
});
