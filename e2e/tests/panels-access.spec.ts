/** Device panels by keyboard, on a phone, beside and over the console, and checked with axe. */
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { holdClock, neverAfter } from '../support/hold-clock.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { aim, answerTimeout, edit, openForm, option, pane, panel, pin, row, send } from './panels-steps.ts';
import { foldDock, log, openTerminal, showPanels, startDemo, tryDemo } from './terminal-steps.ts';

test('panels by keyboard alone', async ({ page }) => {
  await startDemo(page);
  await panel(page).getByRole('textbox', { name: 'Add a command' }).focus();
  await page.keyboard.type('help');
  await page.keyboard.press('Enter');
  await page.keyboard.type('stop');
  await page.keyboard.press('Enter');
  await panel(page).getByRole('button', { name: 'Target of Panel 1' }).focus();
  await page.keyboard.press('Enter');
  // An opening menu takes the focus; an earlier key press would go to the wrong element.
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitemcheckbox', { name: 'Port 1' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(panel(page).getByRole('button', { name: 'Target of Panel 1: Port 1' })).toBeFocused();
  for (const reached of ['Run Panel 1', 'JKit library for Panel 1', 'Options of Panel 1', 'Send help']) {
    await page.keyboard.press('Tab');
    await expect(panel(page).getByRole('button', { name: reached })).toBeFocused();
  }
  await page.keyboard.press('ArrowDown');
  await expect(send(page, 'stop')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(log(page)).toContainText('nothing is running');
  await page.keyboard.press('Alt+ArrowUp');
  await expect(send(page, 'stop')).toBeFocused();
  await expect(panel(page).getByRole('listitem').first()).toContainText('stop');
  // The second press must follow within three seconds of the page's clock.
  await holdClock(page);
  await page.keyboard.press('Delete');
  await expect(panel(page).getByText('Delete?')).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(send(page, 'help')).toBeFocused();
});

test('in small windows the panels lie over the log and Escape closes them, or are a place of their own with rows for a thumb', async ({
  page,
}) => {
  await test.step('below 900 px the panels lie over the log, and Escape closes them', async () => {
    await page.setViewportSize({ width: 860, height: 768 });
    await startDemo(page);
    const button = page.getByRole('button', { name: 'Panels', exact: true });
    await button.click();
    await pin(page, 'help');
    await aim(page, 'Port 1');
    expect(await findings(page)).toEqual([]);
    await send(page, 'help').click();
    await expect(log(page)).toContainText('which addresses answer on the I2C bus');
    await openForm(page, 'help');
    await page.keyboard.press('Escape');
    await expect(send(page, 'help')).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(pane(page)).toHaveCount(0);
    await expect(button).toBeFocused();
  });

  await test.step('on a phone the panels are a sheet, with rows for a thumb', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await showPanels(page);
    await pin(page, 'info');
    expect(await findings(page)).toEqual([]);
    await expect.poll(async () => (await row(page, 'info').boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await send(page, 'info').click();
    await foldDock(page);
    await expect(log(page)).toContainText('Wirebench demo board');
    await showPanels(page);
    await edit(page, 'info', { 'Wait for': 'mac' });
    await expectToFit(page);
  });
});

test('the panels, their forms and the quick guide are without findings: blocked, answered, refused and about to be deleted', async ({
  page,
}) => {
  await openTerminal(page);

  await test.step('the forms of a message and the quick guide are without findings', async () => {
    await pin(page, 'help');
    await option(page, 'help', 'Repeat…');
    await choose(page.getByRole('button', { name: 'Help', exact: true }), 'Quick guide');
    expect(await findings(page)).toEqual([]);
    const form = await openForm(page, 'help');
    await form.getByRole('textbox', { name: 'Then pause' }).fill('x');
    await page.keyboard.press('Enter');
    await expect(page.getByText(/Enter a whole number/)).toBeVisible();
    expect(await findings(page)).toEqual([]);
  });

  await test.step('the panels are without findings: blocked, answered, refused and about to be deleted', async () => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Close the quick guide' }).click();
    await tryDemo(page);
    await pin(page, 'adc 0');
    await expect(page.getByText('1 panel, 2 commands')).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await aim(page, 'Port 1');
    await edit(page, 'help', { 'Wait for': 'reboot', 'Wait at most': answerTimeout });
    await send(page, 'help').click();
    await expect(row(page, 'help')).toContainText('ms');
    await pin(page, 'help');
    // Keeps the confirmation open during the check.
    await page.evaluate(neverAfter, 3_000);
    await option(page, 'adc 0', 'Delete');
    await expect(panel(page).getByRole('button', { name: 'Press again to delete adc 0' })).toBeFocused();
    expect(await findings(page)).toEqual([]);
  });
});
