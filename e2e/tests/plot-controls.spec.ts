/** Messages with a number to choose: sliders below the plot, and the question in their panel. */
import type { Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { aim, openForm, panel, pin } from './panels-steps.ts';
import { log, openTool, startDemo } from './terminal-steps.ts';

const slider = (page: Page) => page.getByRole('slider', { name: 'Fan target' });
/** Lines of the log that were sent or echoed and begin so, as texts. */
const lines = (page: Page, text: string) => log(page).locator('[data-direction]', { hasText: text });

test('a message with a number is a slider below the plot: it sends when let go, by keys, and not to a closed port', async ({
  page,
}) => {
  await startDemo(page);

  await test.step('a pinned text with a place for a number asks for it, within its range', async () => {
    await aim(page, /Port 1/);
    await pin(page, 'fan {value}');
    const form = await openForm(page, 'fan {value}');
    await form.getByRole('textbox', { name: 'Label' }).fill('Fan target');
    await form.getByRole('textbox', { name: 'Unit' }).fill('%');
    await form.getByRole('button', { name: 'Save' }).click();
    await expect(form).toHaveCount(0);
    await panel(page)
      .getByRole('button', { name: /^Send Fan target/ })
      .click();
    const number = panel(page).getByRole('textbox', { name: 'Number' });
    await expect(number).toBeFocused();
    await number.fill('120');
    await number.press('Enter');
    await expect(panel(page)).toContainText('Enter a number from 0 to 100, in steps of 1.');
    expect(await findings(page, { within: '[data-panel]' })).toEqual([]);
    await number.fill('20');
    await number.press('Enter');
    await expect(number).toHaveCount(0);
    await expect(lines(page, 'unknown command: fan')).toHaveCount(1);
    await expect(lines(page, 'fan 20').first()).toBeVisible();
  });

  await test.step('below the plot it is a slider with the number that was chosen', async () => {
    await pin(page, 'fan 100');
    const form = await openForm(page, 'fan 100');
    await form.getByRole('textbox', { name: 'Label' }).fill('Full');
    await form.getByRole('button', { name: 'Save' }).click();
    await openTool(page, 'Plot');
    await expect(slider(page)).toHaveValue('20');
    await expect(page.getByText('sends fan 20')).toBeVisible();
    await page.getByRole('button', { name: 'Full', exact: true }).click();
    await expect(lines(page, 'fan 100').first()).toBeVisible();
    await expect(slider(page)).toHaveValue('20');
  });

  await test.step('a drag sends the number once, where the slider is let go', async () => {
    const box = (await slider(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const at = (share: number) => box.x + 5 + (box.width - 10) * share;
    await page.mouse.move(at(0.2), box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(at(0.62), box.y + box.height / 2, { steps: 12 });
    await expect(slider(page)).toHaveValue(/^6[123]$/);
    await expect(lines(page, 'unknown command: fan')).toHaveCount(2);
    await page.mouse.up();
    await expect(lines(page, `fan ${await slider(page).inputValue()}`).first()).toBeVisible();
    await expect(lines(page, 'unknown command: fan')).toHaveCount(3);
  });

  await test.step('keys move it by one, by ten, and to its ends; the last number is sent', async () => {
    await slider(page).press('Home');
    await slider(page).press('ArrowRight');
    await slider(page).press('PageUp');
    await expect(slider(page)).toHaveValue('11');
    await expect(lines(page, 'fan 11').first()).toBeVisible();
    await slider(page).press('End');
    await slider(page).press('PageDown');
    await expect(slider(page)).toHaveValue('90');
    await expect(slider(page)).toHaveAttribute('aria-valuetext', '90 %');
    await expect(lines(page, 'fan 90').first()).toBeVisible();
  });

  await test.step('it has no findings of axe, and fits a phone', async () => {
    expect(await findings(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect(slider(page)).toBeVisible();
    await expectToFit(page);
    await page.setViewportSize({ width: 1_280, height: 720 });
  });

  await test.step('it is off while the port is closed, and says why', async () => {
    await page.getByRole('button', { name: 'Disconnect port 1' }).click();
    await expect(slider(page)).toBeDisabled();
    await expect(page.getByRole('list', { name: 'Sliders of the panels' })).toContainText(
      'Please select a connected port first',
    );
    await expect(page.getByRole('button', { name: 'Full', exact: true })).toBeDisabled();
  });
});
