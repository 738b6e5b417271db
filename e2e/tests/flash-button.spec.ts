import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { releasePath } from '@wirebench/boards';
import { demoReleaseId } from '@wirebench/contract';
import { avrFirmwareHex, type EspChipName, espFirmwareSet, nrfFirmware, stmFirmware } from '@wirebench/devices';
import { findings } from '../support/accessibility.ts';
import { serveMakersPage } from '../support/makers-page.ts';
import { NetworkWatch } from '../support/network-watch.ts';
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

test('a page loads at most 60 kB before a click, and nothing but the entry', async ({ page }) => {
  await using maker = await serveMakersPage('<wirebench-flash manifest="manifest.json"></wirebench-flash>', {});
  const network = new NetworkWatch(page);
  await page.goto(maker.address);
  await expect(page.getByRole('button', { name: 'Install' })).toBeVisible();
  await network.idle();
  const scripts = network.requests
    .filter((request) => request.resourceType() === 'script' && !request.url().endsWith('/events.js'))
    .map((request) => request.url());
  expect(scripts).toEqual([`${maker.address}flash-button.js`]);
  const entry = await page.request.get(`${maker.address}flash-button.js`);
  expect(gzipSync(await entry.body()).length).toBeLessThanOrEqual(60_000);
});

/** Manifests in the shapes that public projects publish. */
const shapes = {
  'one merged image for each chip, with times for Improv': {
    files: { 'esp32.factory.bin': merged('esp32'), 'esp32s3.factory.bin': merged('esp32s3') },
    manifest: {
      name: 'Bluetooth proxy',
      version: '2026.11.0',
      home_assistant_domain: 'esphome',
      new_install_prompt_erase: false,
      new_install_improv_wait_time: 0,
      builds: [
        { chipFamily: 'ESP32', improv: true, parts: [{ path: 'esp32.factory.bin', offset: 0 }] },
        { chipFamily: 'ESP32-S3', improv: true, parts: [{ path: 'esp32s3.factory.bin', offset: 0 }] },
      ],
    },
    chip: 'ESP32',
  },
  'several parts, and one image of an ESP8266': {
    files: filesOf('esp8266', 'esp32'),
    manifest: {
      name: 'Lights',
      version: '0.15.3',
      funding_url: 'https://maker.example/donate',
      new_install_prompt_erase: true,
      builds: [
        { chipFamily: 'ESP8266', parts: partsOf('esp8266') },
        { chipFamily: 'ESP32', parts: partsOf('esp32') },
      ],
    },
    chip: 'ESP8266',
  },
  'a chip that is new here, and paths outside of the folder': {
    files: { '../releases/c3/firmware.bin': merged('esp32c3') },
    manifest: {
      name: 'Sensor',
      version: '14.2.0',
      builds: [
        { chipFamily: 'ESP32-X9', parts: [{ path: 'x9.bin', offset: 0 }] },
        { chipFamily: 'ESP32-C3', parts: [{ path: '../releases/c3/firmware.bin', offset: 0 }] },
      ],
    },
    chip: 'ESP32-C3',
  },
  'builds for kinds of connection': {
    files: { 'usb.bin': merged('esp32s3'), 'uart.bin': merged('esp32s3') },
    manifest: {
      name: 'Gateway',
      version: '1.8.1',
      new_install_skip_erase: true,
      builds: [
        { chipFamily: 'ESP32-S3', serialType: 'cdc', parts: [{ path: 'usb.bin', offset: 0 }] },
        { chipFamily: 'ESP32-S3', serialType: 'uart', parts: [{ path: 'uart.bin', offset: 0 }] },
      ],
    },
    chip: 'ESP32-S3',
  },
  'numbers as text, and a query behind the name': {
    files: filesOf('esp32c6'),
    manifest: {
      name: 'Clock',
      version: 3,
      builds: [
        {
          chipFamily: 'ESP32-C6',
          parts: partsOf('esp32c6').map(({ path, offset }) => ({ path: `${path}?v=3`, offset: String(offset) })),
        },
      ],
    },
    chip: 'ESP32-C6',
  },
  'a program for STM32': {
    files: { 'app.bin': stmFirmware({ text: 'Hello\r\n', size: 8_192 }) },
    manifest: {
      name: 'Motor',
      version: '2.0.0',
      builds: [],
      wirebench: {
        builds: [
          { deviceFamily: 'stm', deviceModel: 'stm32f', guards: {}, parts: [{ path: 'app.bin', offset: 0x800_0000 }] },
        ],
      },
    },
    chip: /^STM32F4/,
  },
  'a package for Nordic': {
    files: { 'app.zip': nrfFirmware({ board: 'nrf52840-secure', size: 20_480 }).bytes },
    manifest: {
      name: 'Tag',
      version: '1.0.0',
      builds: [],
      wirebench: {
        builds: [{ deviceFamily: 'nrf', deviceModel: 'nrf52840', guards: {}, parts: [{ path: 'app.zip', offset: 0 }] }],
      },
    },
    chip: /nRF52840/,
  },
  'a sketch for an Arduino board': {
    files: { 'Blink.ino.hex': Buffer.from(avrFirmwareHex({ size: 2_048, seed: 3 })) },
    manifest: {
      name: 'Blink',
      version: '1.0.0',
      builds: [],
      wirebench: {
        builds: [
          { deviceFamily: 'avr', deviceModel: 'uno', guards: {}, parts: [{ path: 'Blink.ino.hex', offset: 0 }] },
        ],
      },
    },
    chip: 'ATmega328P',
  },
} as const;

for (const [shape, { files, manifest: published, chip }] of Object.entries(shapes)) {
  test(`a third-party manifest is flashed: ${shape}`, async ({ page }) => {
    await using maker = await serveMakersPage(
      '<wirebench-flash manifest="site/manifest.json" demo></wirebench-flash>',
      {
        'site/manifest.json': JSON.stringify(published),
        ...Object.fromEntries(Object.entries(files).map(([path, bytes]) => [`site/${path}`, bytes])),
      },
    );
    await page.goto(maker.address);
    const success = await flashDemo(page);
    expect(success).toMatchObject({ name: published.name, version: String(published.version), verified: true });
    expect(success['chip']).toMatch(chip);
  });
}

test("a release of a server is flashed from a page of another origin, with the server's own script", async ({
  page,
  baseURL,
}) => {
  const release = `${baseURL}${releasePath('version', demoReleaseId)}`;
  await using maker = await serveMakersPage(
    `<wirebench-flash release="${release}" demo><button slot="activate">Try the demo</button></wirebench-flash>`,
    {},
    { script: `${baseURL}/flash-button.js`, policy: null },
  );
  await page.goto(maker.address);
  await page.getByRole('button', { name: 'Try the demo' }).click();
  await expect(page.getByText('This release runs on demo boards only.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Use a demo board' }).click();
  await page.getByRole('button', { name: 'Write', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Written and verified' })).toBeVisible();
});

test('each screen is accessible, and a write is stopped and continued by the keyboard alone', async ({ page }) => {
  await using maker = await serveMakersPage('<wirebench-flash manifest="manifest.json" demo></wirebench-flash>', {
    'manifest.json': JSON.stringify({
      ...manifest,
      builds: [{ chipFamily: 'ESP32', parts: [...partsOf('esp32'), { path: 'noise.bin', offset: 0x20_0000 }] }],
    }),
    ...filesOf('esp32'),
    // The write outlasts the check of the screen that asks whether to stop it.
    'noise.bin': Uint8Array.from({ length: 1_900_000 }, (_, at) => (at * at * 31 + (at >> 3)) & 0xff),
  });
  await page.goto(maker.address);
  const press = async (name: string) => {
    await page.getByRole('button', { name, exact: true }).focus();
    await page.keyboard.press('Enter');
  };
  const isClean = async () => expect(await findings(page)).toEqual([]);
  await isClean();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Use a demo board' })).toBeVisible();
  await isClean();
  await press('Use a demo board');
  await expect(page.getByRole('button', { name: 'Write', exact: true })).toBeVisible();
  await isClean();
  await page.getByRole('radio', { name: /^Keep its Wi-Fi and settings/ }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('status')).toContainText('The whole flash is erased');
  await expect(page.getByRole('radio', { name: 'Erase everything first' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('radio', { name: /^Keep its Wi-Fi and settings/ })).toBeFocused();
  await press('Write');
  await expect(page.getByRole('heading', { name: 'Writing', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('heading', { name: 'Stop writing?' })).toBeVisible();
  await isClean();
  await press('Stop writing');
  await expect(page.getByRole('heading', { name: 'Not finished' })).toBeVisible();
  await isClean();
  await press('Write the rest');
  await expect(page.getByRole('heading', { name: 'Written and verified' })).toBeVisible();
  await isClean();
  const [failure] = await events(page, 'failure');
  expect(failure?.detail).toMatchObject({ code: 'cancelled', boardState: 'incomplete' });
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a failure says what to do: a manifest that is missing, and one without a usable build', async ({ page }) => {
  await using maker = await serveMakersPage('<wirebench-flash manifest="manifest.json" demo></wirebench-flash>', {
    'other.json': JSON.stringify({ name: 'Empty', version: '1', builds: [] }),
  });
  await page.goto(maker.address);
  await page.getByRole('button', { name: 'Install' }).click();
  await expect(page.getByRole('status')).toContainText('answered 404');
  const [failure] = await events(page, 'failure');
  expect(failure?.detail).toMatchObject({ code: 'refused-by-server', boardState: 'unchanged' });
  await page.evaluate(() => document.querySelector('wirebench-flash')?.setAttribute('manifest', 'other.json'));
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('status')).toContainText('The manifest has no build that can be written.');
});

test('browsers without serial ports show the sentence of the page in its slot', async ({ page }) => {
  await using maker = await serveMakersPage(
    `<wirebench-flash manifest="manifest.json"><p slot="unsupported">Take another browser.</p></wirebench-flash>
     <wirebench-flash manifest="manifest.json" demo></wirebench-flash>`,
    {},
  );
  await page.addInitScript(() => {
    for (const name of ['serial', 'usb']) {
      delete (Navigator.prototype as unknown as Record<string, unknown>)[name];
    }
  });
  await page.goto(maker.address);
  await expect(page.getByText('Take another browser.')).toBeVisible();
  await expect(page.locator('wirebench-flash').first()).toHaveAttribute('install-unsupported');
  await expect(page.locator('wirebench-flash').last()).toHaveAttribute('install-supported');
  await expect(page.getByRole('button', { name: 'Install' })).toHaveCount(1);
});

test('a board that answers by Improv gets its Wi-Fi after the write', { tag: '@long' }, async ({ page }) => {
  await using maker = await serveMakersPage('<wirebench-flash manifest="manifest.json" demo></wirebench-flash>', {
    'manifest.json': JSON.stringify(manifest),
    ...filesOf('esp32'),
  });
  await page.goto(maker.address);
  await flashDemo(page);
  await page.getByRole('button', { name: 'Set up Wi-Fi' }).click();
  const settle = async (password: string) => {
    await page.getByRole('combobox', { name: 'Network' }).selectOption('Workbench');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Connect the board' }).click();
  };
  await expect(page.getByRole('combobox', { name: 'Network' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await settle('wrong');
  await expect(page.getByRole('status')).toContainText('could not connect to the network');
  await settle('solder-and-flux');
  await expect(page.getByRole('status')).toHaveText('The board is on Workbench.');
  await expect(page.getByRole('link', { name: 'Open the page of the board' })).toHaveAttribute(
    'href',
    'http://192.0.2.23/',
  );
});

test('a frame without permission says which attribute it needs', async ({ page }) => {
  await using inner = await serveMakersPage('<wirebench-flash manifest="manifest.json"></wirebench-flash>', {});
  await using outer = await serveMakersPage(
    `<iframe title="Shop" src="${inner.address}"></iframe>`,
    {},
    { policy: null },
  );
  await page.goto(outer.address);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByText('Its frame needs allow="serial; usb".')).toBeVisible();
  await expect(frame.getByRole('button', { name: 'Install' })).toHaveCount(0);
});
