/** The room that the terminal leaves to the log, and the number of controls before anything is open. */

import { fileURLToPath } from 'node:url';
import type { Locator, Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { connectDemo, log, message, openTool, prompt, showMore, showPanels, showTab } from './terminal-steps.ts';

const elf = new URL('../../packages/symbols/src/testing/fixtures/bare-xtensa.elf', import.meta.url);

/** Opens the terminal of a person who was never here. */
async function openFresh(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto('/app/uart');
  await expect(page.getByRole('heading', { name: 'No port is open' })).toBeVisible();
}

async function tryDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Try the demo board' }).click();
  await expect(log(page)).toContainText(prompt);
}

const interactive =
  'a[href], button, input:not([type="hidden"]), select, textarea, [role="tab"], [role="slider"], [tabindex="0"]';

/** Returns the controls that can be seen or reached. */
const controls = (page: Page): Promise<string[]> =>
  page.evaluate(
    (selector) =>
      [...document.querySelectorAll<HTMLElement>(selector)]
        .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !element.matches(':disabled'))
        .map((element) => element.getAttribute('aria-label') ?? element.textContent.trim()),
    interactive,
  );

/** Returns the share of the window that the log covers. */
const logShare = (page: Page): Promise<number> =>
  log(page).evaluate((element) => {
    const { width, height } = element.getBoundingClientRect();
    return (width * height) / (innerWidth * innerHeight);
  });

test('the empty terminal has at most 35 controls, four tabs and one amber button', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  const found = await controls(page);
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(35);
  await expect(page.getByRole('tab')).toHaveCount(4);
  const amber = await page.evaluate(() => {
    const accent = getComputedStyle(document.documentElement).getPropertyValue('--color-accent').trim();
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.backgroundColor = accent;
    const colour = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return [...document.querySelectorAll('button')]
      .filter((button) => getComputedStyle(button).backgroundColor === colour)
      .map((button) => button.getAttribute('aria-label') ?? button.textContent);
  });
  // The second one is the arrow of the same split button.
  expect(amber).toEqual(['Connect port 1', 'Other ways to connect port 1']);
});

test('the log has 65 % of the window with one port open, and 60 % with four', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await expect.poll(() => logShare(page)).toBeGreaterThanOrEqual(0.65);
  for (const port of [2, 3, 4]) {
    await connectDemo(page, port);
  }
  await expect.poll(() => logShare(page)).toBeGreaterThanOrEqual(0.6);
});

const widthOf = (of: Locator): Promise<number> =>
  of.evaluate((element) => Math.round(element.getBoundingClientRect().width));

const tool = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

test('the dock has one width for all tabs and keeps it, and the log keeps 80 columns', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await openTool(page, 'Rules');
  expect(await widthOf(tool(page, 'Rules'))).toBe(520);
  expect(await widthOf(log(page))).toBeGreaterThanOrEqual(900);
  await openTool(page, 'Plot');
  await expect.poll(() => widthOf(tool(page, 'Plot'))).toBe(520);

  const handle = page.getByRole('separator', { name: 'Width of the dock' });
  const box = await handle.boundingBox();
  await page.mouse.move(box?.x ?? 0, 500);
  await page.mouse.down();
  await page.mouse.move(200, 500, { steps: 4 });
  await page.mouse.up();
  const widest = await widthOf(tool(page, 'Plot'));
  expect(widest).toBeGreaterThan(648);
  expect(await widthOf(log(page))).toBeGreaterThanOrEqual(727);

  await showTab(page, /^Rules/);
  await expect.poll(() => widthOf(tool(page, 'Rules'))).toBe(widest);

  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await tryDemo(page);
  await openTool(page, 'Statistics');
  await expect.poll(() => widthOf(tool(page, 'Statistics'))).toBe(widest);
  await page.setViewportSize({ width: 1_024, height: 768 });
  await expect.poll(() => widthOf(tool(page, 'Statistics'))).toBe(400);
});

test('the dock has Panels and the three tools used last, in the order of the list', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  const tabs = page.getByRole('tablist', { name: 'Panels and tools' }).getByRole('tab');
  for (const name of ['Rules', 'Plot', 'Decoders']) {
    await openTool(page, name);
  }
  await expect(tabs).toHaveText([/^Panels/, /^Plot/, 'Frames', /^Rules/]);
  await openTool(page, 'Statistics');
  await expect(tabs).toHaveText([/^Panels/, /^Plot/, 'Statistics', 'Frames']);
  await tabs.nth(2).press('Home');
  await expect(tabs.first()).toBeFocused();
  await expect(page.getByRole('region', { name: 'Panels' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(log(page)).toBeFocused();
  await expect(page.getByRole('region', { name: 'Panels' })).toBeVisible();
});

const toolRows = [
  ['See', 'Plot', 'Statistics', 'Crashes', 'Screen'],
  ['Read', 'Frames', 'Registers and bytes', 'Decoders'],
  [
    'Do',
    'Panels',
    'Rules',
    'Look for Modbus devices',
    'Board files',
    'Set up Wi-Fi…',
    'Send a file…',
    'Receive a file…',
  ],
  ['Files', 'Open a log…', 'Open an ELF file…'],
] as const;

test('the list of tools is complete, with or without a board, and a press does the missing step', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  const tools = page.getByRole('button', { name: 'Tools', exact: true });
  const complete = async () => {
    await tools.click();
    for (const [group, ...rows] of toolRows) {
      await expect(page.getByRole('group', { name: group }).getByRole('menuitem')).toHaveText(
        rows.map((row) => new RegExp(`^${row}`)),
      );
    }
    await expect(page.getByRole('menu').locator('[aria-disabled="true"]')).toHaveCount(0);
    expect(await findings(page)).toEqual([]);
  };
  await complete();
  await expect(page.getByRole('menuitem', { name: 'Board files' })).toContainText('Connects a port first');
  await page.keyboard.press('Escape');
  await tryDemo(page);
  await complete();
  await expect(page.getByRole('menuitem', { name: 'Board files' })).toContainText('No Python prompt yet.');
  const registers = page.getByRole('menuitem', { name: /^Registers and bytes/ });
  await expect(registers).toContainText('Text has no bytes to name. Opens Hex');
  await registers.click();
  await expect(page.getByRole('radio', { name: 'Hex', exact: true })).toBeChecked();
  await expect(tool(page, 'Registers and bytes')).toBeVisible();

  await tools.click();
  await page.getByRole('menuitem', { name: /^Frames/ }).press('ArrowRight');
  await expect(page.getByRole('menuitemradio')).toHaveCount(9);
  await page.getByRole('menuitemradio', { name: 'NMEA 0183' }).click();
  await expect(page.getByRole('radio', { name: 'Frames' })).toBeChecked();
  await tools.click();
  await expect(page.getByRole('menuitem', { name: /^Frames/ })).toContainText('NMEA 0183 on Port 1');
});

test('an ELF file is opened from the Tools menu before the first crash', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await page.getByRole('button', { name: 'Tools', exact: true }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('menuitem', { name: 'Open an ELF file…' }).click();
  await (await chooser).setFiles(fileURLToPath(elf));
  await expect(tool(page, 'Crashes')).toBeVisible();
  await expect(page.getByText('bare-xtensa.elf', { exact: true })).toBeVisible();
});

test('the baud finder is in the settings of the port', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await page.getByRole('button', { name: 'Settings of port 1' }).click();
  const find = page.getByRole('button', { name: 'Find the rate…' });
  await find.click();
  await expect(page.getByRole('region', { name: 'Baud finder' })).toBeVisible();
  await page.getByRole('button', { name: 'Find the baud rate' }).click();
  await expect(page.getByRole('button', { name: 'Cancel: stop looking for the baud rate' })).toBeVisible();
  expect(await findings(page)).toEqual([]);
  await page.getByRole('button', { name: 'Cancel: stop looking for the baud rate' }).click();
  await find.click();
  await expect(page.getByRole('region', { name: 'Baud finder' })).toHaveCount(0);
});

test('panels are the last word of the toolbar while the dock is folded, and its first tab', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  const button = page.getByRole('button', { name: 'Panels', exact: true });
  await expect(button).toHaveText('Panels');
  await button.press('Enter');
  await expect(page.getByRole('button', { name: 'From the library' })).toHaveAttribute('aria-disabled', 'true');
  const field = page.getByRole('textbox', { name: 'Add a command' });
  await expect(field).toBeFocused();
  await expect(button).toHaveCount(0);
  expect(await findings(page)).toEqual([]);
  await field.fill('heap');
  await field.press('Enter');
  await expect(page.getByRole('tab', { name: 'Panels 1' })).toBeVisible();
  await expect(page.getByText('1 panel, 1 command', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Fold the dock' }).click();
  await expect(button).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await showPanels(page);
  await expect(page.getByRole('button', { name: 'Send heap' })).toBeVisible();
});

test('Help in the header has the quick guide, the video and the docs', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  const help = page.getByRole('banner').getByRole('button', { name: 'Help' });
  await help.press('Enter');
  await expect(page.getByRole('menuitem')).toHaveText(['Quick guide', 'Watch video', 'Docs']);
  await page.getByRole('menuitem', { name: 'Quick guide' }).press('Enter');
  await expect(page.getByRole('dialog', { name: 'Quick guide' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(help).toBeFocused();
  await choose(help, 'Watch video');
  await expect(page.getByRole('dialog', { name: 'Watch video' })).toBeVisible();
  await page.keyboard.press('Escape');
  const docs = page.context().waitForEvent('page');
  await choose(help, 'Docs');
  await expect(await docs).toHaveURL('/app/uart/docs');
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(help).toBeVisible();
    await expectToFit(page);
  }
});

test('a tool is a drawer over the log below 900 px, and a sheet on a phone', async ({ page }) => {
  await openFresh(page, 800, 800);
  await tryDemo(page);
  const whole = await widthOf(log(page));
  await openTool(page, 'Rules');
  await expect(page.getByRole('dialog', { name: 'Panels and tools' })).toBeVisible();
  expect(await widthOf(tool(page, 'Rules'))).toBe(400);
  expect(await widthOf(log(page))).toBe(whole);
  await expect(page.getByRole('tab', { name: 'Rules' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(tool(page, 'Rules')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Panels', exact: true })).toBeFocused();

  await page.setViewportSize({ width: 390, height: 844 });
  await openTool(page, 'Rules');
  await expect(tool(page, 'Rules')).toBeVisible();
  await expect(log(page)).toHaveCount(0);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Back to the log' }).click();
  await expect(log(page)).toBeVisible();
  await openTool(page, 'Plot');
  await expect(log(page)).toBeVisible();
  await expectToFit(page);
});

test('the log shows eight lines at 720 × 450, and a phone is never wider than its window', async ({ page }) => {
  await openFresh(page, 720, 450);
  await tryDemo(page);
  const wholeRows = () =>
    log(page).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return [...element.querySelectorAll('[data-direction]')].filter((row) => {
        const box = row.getBoundingClientRect();
        return box.top >= top - 1 && box.bottom <= bottom + 1;
      }).length;
    });
  await expect.poll(wholeRows).toBeGreaterThanOrEqual(8);
  await expectToFit(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectToFit(page);
  await showMore(page);
  await expectToFit(page);
  await page.getByRole('button', { name: 'Settings of port 1' }).click();
  await expectToFit(page);
});

test('settings open from the tab and stay open as a column when kept, also after a reload', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  const settings = page.getByRole('complementary', { name: 'Settings of port 1' });
  await expect(settings).toHaveCount(0);
  await page.getByRole('button', { name: 'Settings of port 1' }).click();
  await page.getByRole('button', { name: 'Keep open' }).click();
  await expect(settings).toBeVisible();
  await page.reload();
  await expect(settings).toBeVisible();
  await page.getByRole('button', { name: 'Collapse the settings' }).click();
  await expect(settings).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Settings of port 1' })).toBeFocused();
});

test('a message is shown in the line below the log and covers no row', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await log(page).focus();
  await page.keyboard.press('Shift+X');
  const toast = page.getByRole('status').filter({ hasText: 'Messages exported to file' });
  await expect(toast).toBeVisible();
  const end = await log(page).evaluate((element) => element.getBoundingClientRect().bottom);
  expect((await toast.boundingBox())?.y).toBeGreaterThanOrEqual(end);
});

test('a strip lies over the last rows, and neither the log nor a row that is read moves', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  const box = () => log(page).boundingBox();
  const before = await box();
  const last = log(page).locator('[data-direction]').last();
  const bottom = async (of: Locator) => {
    const { y = 0, height = 0 } = (await of.boundingBox()) ?? {};
    return y + height;
  };
  const offer = page.getByText('The board on Port 1 is gone.');

  await test.step('while it follows, the log shows its rows above the strip', async () => {
    await page.getByRole('tab', { name: /^Port 1/ }).click();
    await page.getByRole('button', { name: 'Unplug' }).click();
    await expect(offer).toBeVisible();
    expect(await box()).toEqual(before);
    const strip = (await page.getByText('It reconnects as soon as it comes back.').boundingBox())?.y ?? 0;
    await expect.poll(() => bottom(last)).toBeLessThanOrEqual(strip + 1);
    await page.getByRole('button', { name: 'Plug in again' }).first().click();
    await expect(offer).toBeHidden();
    await expect(log(page)).toContainText('ready');
  });

  await test.step('while it is paused, nothing moves', async () => {
    await message(page).fill('load 4000 2');
    await message(page).press('Enter');
    await expect(log(page)).toContainText(/load: \d+ lines/);
    await log(page).press('PageUp');
    await expect(page.getByRole('button', { name: 'Jump to newest' })).toBeVisible();
    // Rows beyond the lower edge are painted as far as they are needed.
    const shown = async () => (await log(page).locator('[data-direction]').allInnerTexts()).slice(0, 30);
    const placeOfFirst = () => log(page).locator('[data-direction]').first().boundingBox();
    // The scrolling takes some frames.
    let first: Awaited<ReturnType<typeof placeOfFirst>> = null;
    await expect(async () => {
      const before = first;
      first = await placeOfFirst();
      expect(first).toEqual(before);
    }).toPass();
    const texts = await shown();
    await page.getByRole('button', { name: 'Unplug' }).click();
    await expect(offer).toBeVisible();
    expect(await box()).toEqual(before);
    expect(await shown()).toEqual(texts);
    expect(await placeOfFirst()).toEqual(first);
  });
});

test('open ports are shown on other pages, and offered again after a reload', async ({ page }) => {
  await openFresh(page, 1_440, 900);
  await tryDemo(page);
  await connectDemo(page, 2);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Releases' }).click();
  await page.getByRole('banner').getByRole('link', { name: '2 ports open' }).click();
  await expect(log(page)).toContainText('a simulation: no hardware is connected');
  page.on('dialog', (dialog) => dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Reconnect what was open' }).click();
  await expect(page.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Disconnect port 2' })).toBeVisible();
});

const sizes = [
  { width: 1_440, height: 900 },
  { width: 1_024, height: 768 },
  { width: 390, height: 844 },
  { width: 720, height: 450 },
];

/** Replaces the browser's dialog by one that a person cancels, and counts the calls that had a person's activation. */
async function countDialogs(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let count = 0;
    Object.defineProperty(navigator.serial, 'requestPort', {
      value: async () => {
        count += navigator.userActivation.isActive ? 1 : 0;
        document.documentElement.dataset['dialogs'] = `${count}`;
        throw new DOMException('No port selected by the user.', 'NotFoundError');
      },
    });
  });
  return () => page.evaluate(() => Number(document.documentElement.dataset['dialogs'] ?? '0'));
}

/** Returns the left edges of the four tabs, in the order of their numbers. */
const leftEdges = (page: Page): Promise<number[]> =>
  page
    .getByRole('tablist', { name: 'Ports' })
    .getByRole('tab')
    .evaluateAll((tabs) =>
      tabs
        .toSorted((one, other) => one.id.localeCompare(other.id))
        .map((tab) => Math.round(tab.getBoundingClientRect().left)),
    );

test('one press on a free port opens the browser’s dialog, and the ports stay in their order', async ({ page }) => {
  const dialogs = await countDialogs(page);
  for (const { width, height } of sizes) {
    await openFresh(page, width, height);
    for (const port of [3, 2, 4]) {
      const before = await dialogs();
      const box = await page.locator(`#port-tab-${port}`).boundingBox();
      await page.mouse.move((box?.x ?? 0) + 14, (box?.y ?? 0) + (box?.height ?? 0) / 2);
      await page.mouse.down();
      const during = await leftEdges(page);
      // A person takes longer than a frame.
      await page.waitForTimeout(80);
      expect(await leftEdges(page)).toEqual(during);
      await page.mouse.up();
      await expect.poll(dialogs).toBe(before + 1);
      const edges = await leftEdges(page);
      expect(edges).toEqual(edges.toSorted((one, other) => one - other));
      await expect(page.locator(`#port-tab-${port}`)).toHaveAttribute('aria-selected', 'true');
    }
    await expectToFit(page);
  }
});

test('one touch on a free port opens the browser’s dialog', async ({ browser }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const dialogs = await countDialogs(page);
  await openFresh(page, 390, 844);
  for (const port of [2, 3]) {
    const box = await page.locator(`#port-tab-${port}`).boundingBox();
    await page.touchscreen.tap((box?.x ?? 0) + 14, (box?.y ?? 0) + (box?.height ?? 0) / 2);
    await expect.poll(dialogs).toBe(port - 1);
  }
  await context.close();
});

test('the names of all ports are drawn, and settings of a free port open with the pointer', async ({ page }) => {
  await page.addInitScript(() => {
    if (location.protocol.startsWith('http')) {
      const ports = { 2: { name: 'Sensor' }, 3: { name: 'A gateway with a name that is much too long' } };
      localStorage.setItem('wirebench.terminal', JSON.stringify({ version: 1, ports }));
    }
  });
  for (const { width, height } of sizes) {
    await openFresh(page, width, height);
    for (const [port, name] of [
      [2, 'Sensor'],
      [3, 'A gateway'],
      [4, 'Port 4'],
    ] as const) {
      const drawn = page.locator(`#port-tab-${port}`).getByText(name);
      await expect(drawn).toBeInViewport();
      expect((await drawn.boundingBox())?.width).toBeGreaterThan(20);
    }
    await expectToFit(page);
    await page.getByRole('button', { name: 'Other ways to connect port 2' }).click();
    await page.getByRole('menuitem', { name: 'Settings of Sensor…' }).click();
    await expect(page.getByRole('complementary', { name: 'Settings of port 2' })).toBeVisible();
    await page.keyboard.press('Escape');
  }
});
