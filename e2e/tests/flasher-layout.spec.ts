/** Figures of the flasher's layout on the built page: controls, heights, the place of the one button, amber controls. */
import type { Page } from '@playwright/test';
import { staticPages } from '@wirebench/contract';
import { firstUnlessLong } from '@wirebench/test-input';
import { noise } from '../../scripts/firmware/esp-firmware.ts';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { addFile, connectDemo, demoRelease, failure, result, writeButton } from './flasher-steps.ts';

const sizes = {
  desktop: { width: 1_440, height: 900 },
  phone: { width: 390, height: 844 },
  low: { width: 720, height: 450 },
} as const;

/**
 * Numbers of controls, Help in the header included, and heights in screens. Pages of boards whose bootloader is a USB device have one
 * more before connecting: the browser has a dialog for ports and another one for USB devices, and a new board has no port.
 */
const limits = { beforeConnecting: 20, besideUsb: 21, withPlan: 31, screensOnDesktop: 1.2, screensOnPhone: 2.5 };

/** Counts what can be operated: links, buttons and fields that are visible. The skip link is not. */
const controls = (page: Page): Promise<number> =>
  page.evaluate(() => {
    // The plug of a demo board: a real board has no such button.
    const isPlug = ({ textContent }: HTMLElement) => textContent === 'Unplug the demo';
    const all = document.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea');
    return (
      [...all].filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return element.checkVisibility({ visibilityProperty: true }) && width > 2 && height > 2 && !isPlug(element);
      }).length - document.querySelectorAll('a[href="#main"]').length
    );
  });

/** Returns the height of the page in screens. */
const screens = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollHeight / innerHeight);

/** Counts amber controls. A split button is one. */
async function amber(page: Page): Promise<number> {
  // A control under the pointer has another shade.
  await page.mouse.move(0, 0);
  return page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.background = 'var(--color-accent)';
    const accent = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll<HTMLElement>('main button, main a')].filter(
      (element) =>
        element.checkVisibility() &&
        getComputedStyle(element).backgroundColor === accent &&
        element.getAttribute('aria-haspopup') !== 'menu',
    ).length;
  });
}

/** Returns the top and the right edge of the answer's main button, in px. */
async function placeOfButton(page: Page, name: string | RegExp): Promise<readonly [top: number, right: number]> {
  const box = await page.getByRole('button', { name }).boundingBox();
  return [Math.round(box?.y ?? -1), Math.round((box?.x ?? -1) + (box?.width ?? 0))];
}

/** Connects the demo board and plans four files, one of them large enough for a write that can be watched. */
async function planFourFiles(page: Page): Promise<void> {
  await connectDemo(page);
  await page.getByRole('button', { name: 'Use demo firmware' }).click();
  await addFile(page, 'noise.bin', noise(512 * 1_024), '0x200000');
  await expect(writeButton(page)).toHaveText('Write 4 files');
  await expect(writeButton(page)).toBeEnabled();
}

test('controls, heights and amber controls stay within their limits, before connecting and with a plan of four files', async ({
  page,
}) => {
  await page.goto(staticPages.espFlasher);
  await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
  const families = page.getByRole('navigation', { name: 'Device family' });
  for (const size of Object.values(sizes)) {
    await page.setViewportSize(size);
    expect(await controls(page), `controls at ${size.width} px`).toBeLessThanOrEqual(limits.beforeConnecting);
    await expect.poll(() => amber(page), `amber at ${size.width} px`).toBe(1);
    await expectToFit(page);
    for (const name of ['Espressif', 'STM32', 'Nordic', 'Arduino', 'Raspberry Pi']) {
      await expect(families.getByText(name)).toBeInViewport({ ratio: 1 });
    }
  }
  await page.setViewportSize(sizes.desktop);
  await planFourFiles(page);
  for (const size of Object.values(sizes)) {
    await page.setViewportSize(size);
    expect(await controls(page), `controls at ${size.width} px`).toBeLessThanOrEqual(limits.withPlan);
    await expect.poll(() => amber(page), `amber at ${size.width} px`).toBe(1);
    await expectToFit(page);
    expect(await findings(page)).toEqual([]);
  }
  await page.setViewportSize(sizes.desktop);
  expect(await screens(page)).toBeLessThanOrEqual(limits.screensOnDesktop);
  await page.setViewportSize(sizes.phone);
  expect(await screens(page)).toBeLessThanOrEqual(limits.screensOnPhone);
});

test('controls before connecting stay within the limit on the pages of all families', async ({ page }) => {
  const { espFlasher, stmFlasher, nrfFlasher, avrFlasher, rpFlasher } = staticPages;
  for (const path of [espFlasher, stmFlasher, nrfFlasher, avrFlasher, rpFlasher]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Connect a board' })).toBeVisible();
    const usb = await page.getByRole('button', { name: 'Choose USB device' }).count();
    expect(usb, path).toBe(path === stmFlasher || path === rpFlasher ? 1 : 0);
    expect(await controls(page), path).toBeLessThanOrEqual(usb === 0 ? limits.beforeConnecting : limits.besideUsb);
    await page.getByRole('button', { name: 'Other ways to connect a board' }).click();
    const drive = page.getByRole('menuitem', { name: 'Choose its drive' });
    await expect(drive).toHaveCount(path === rpFlasher ? 1 : 0);
  }
});

for (const name of firstUnlessLong(['phone', 'desktop', 'low'])) {
  test(`the button keeps its place from Write to Stop to the result, and its focus, in a ${name} window`, async ({
    page,
  }) => {
    await page.goto(staticPages.espFlasher);
    await planFourFiles(page);
    await page.setViewportSize(sizes[name]);
    const place = await placeOfButton(page, /^Write 4 files$/);
    await writeButton(page).click();
    const stop = page.getByRole('button', { name: 'Stop', exact: true });
    await expect(stop).toBeFocused();
    expect(await placeOfButton(page, 'Stop')).toEqual(place);
    await expect.poll(() => amber(page)).toBe(0);
    // The guard ends when the button takes presses again. Before, a click would scroll the page in search of it.
    await expect(stop).not.toHaveCSS('pointer-events', 'none');
    await stop.click();
    await expect(failure(page)).toContainText('Stopped');
    await expect(page.getByRole('button', { name: 'Write the rest' })).toBeFocused();
    expect(await placeOfButton(page, 'Write the rest')).toEqual(place);
    const rest = page.getByRole('button', { name: 'Write the rest' });
    await expect(rest).not.toHaveCSS('pointer-events', 'none');
    await rest.click();
    await expect(result(page)).toContainText('Written and verified');
    await expect(page.getByRole('button', { name: 'Flash again' })).toBeFocused();
    expect(await placeOfButton(page, 'Flash again')).toEqual(place);
    await expect.poll(() => amber(page)).toBe(1);
  });
}

test('the page of a release keeps its button in place from Connect to Write to the result, and is without findings', async ({
  page,
}) => {
  await page.goto(demoRelease);
  await expect(page.getByRole('heading', { level: 1, name: 'Wirebench demo' })).toBeVisible();
  expect(await controls(page)).toBeLessThanOrEqual(limits.beforeConnecting);
  expect(await findings(page)).toEqual([]);
  const place = await page.getByRole('button', { name: 'Connect a board', exact: true }).boundingBox();
  await connectDemo(page);
  await expect(writeButton(page)).toBeEnabled();
  const [top, right] = await placeOfButton(page, /^Install 1\.0\.0$/);
  expect(top).toBe(Math.round(place?.y ?? -1));
  await writeButton(page).click();
  await expect(result(page)).toContainText('Written and verified');
  expect(await placeOfButton(page, 'Flash again')).toEqual([top, right]);
  expect(await findings(page)).toEqual([]);
});

test('a second press within 600 ms stops nothing', async ({ page }) => {
  await page.goto(staticPages.espFlasher);
  await planFourFiles(page);
  await writeButton(page).dblclick();
  await expect(result(page)).toContainText('Written and verified');
});
