/** Rules on the demo device: coloured, counted and marked lines, an answer that loops, and rules that came with a JKit. */
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { foldDock, log, openTool, showTab, startDemo, type } from './terminal-steps.ts';

test('rules colour, count and mark lines, and an answer that triggers itself is switched off', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Rules');
  const rules = page.getByRole('list', { name: 'Rules' });
  const add = page.getByRole('button', { name: 'Add a rule' });

  await test.step('a ready-made rule is added with one choice', async () => {
    await choose(add, 'Errors red');
    await expect(rules.getByRole('switch', { name: 'Errors red' })).toBeChecked();
    await expect(rules.getByRole('listitem')).toContainText('All ports');
  });

  await test.step('an own rule colours and counts the lines of the log, and later ones', async () => {
    await choose(add, 'Own rule…');
    await page.getByRole('textbox', { name: 'A line with' }).fill('nonsense');
    // Another tool comes to the front, and the form is as it was left.
    await openTool(page, 'Statistics');
    await showTab(page, /^Rules/);
    await expect(page.getByRole('textbox', { name: 'A line with' })).toHaveValue('nonsense');
    await foldDock(page);
    await expect(page.getByRole('button', { name: 'Panels', exact: true })).toBeFocused();
    await openTool(page, 'Rules');
    await expect(page.getByRole('textbox', { name: 'A line with' })).toHaveValue('nonsense');
    await page.getByRole('form', { name: 'Rule' }).getByText('More', { exact: true }).click();
    await page.getByRole('switch', { name: 'Mark' }).check();
    await page.getByRole('form', { name: 'Rule' }).getByRole('button', { name: 'Save' }).click();
    await type(page, 'nonsense');
    await expect(
      log(page).locator('[data-rule="red"][data-marked]').filter({ hasText: 'nonsense' }).first(),
    ).toContainText('nonsense');
    await expect(rules.getByRole('listitem').filter({ hasText: 'nonsense' })).toContainText(/[1-9]/);
    expect(await findings(page)).toEqual([]);
  });

  await test.step('Shift+P goes to the newest mark, and the log is paused there', async () => {
    await log(page).focus();
    await page.keyboard.press('Shift+P');
    await page.getByRole('button', { name: 'Jump to newest' }).click();
    await expect(page.getByRole('button', { name: 'Following' })).toBeVisible();
  });

  await test.step('an answer that triggers itself is switched off with a sentence', async () => {
    await page.getByRole('button', { name: 'Edit nonsense' }).click();
    await page.getByRole('form', { name: 'Rule' }).getByText('More', { exact: true }).click();
    await page.getByRole('combobox', { name: 'Answer with' }).selectOption('text');
    await page.getByRole('textbox', { name: 'Answer' }).fill('nonsense');
    await page.getByRole('form', { name: 'Rule' }).getByRole('button', { name: 'Save' }).click();
    // A rule that answers is for the selected port.
    await expect(rules.getByRole('listitem').filter({ hasText: 'answer nonsense' }).getByLabel('Port 1')).toBeVisible();
    await type(page, 'nonsense');
    await expect(rules.getByRole('switch', { name: 'nonsense' })).not.toBeChecked();
    await expect(log(page)).toContainText('it answered more than 5 times within a second');
  });

  await test.step('rules are saved and loaded from a menu, and one is deleted in its form', async () => {
    await page.getByRole('button', { name: 'More for rules' }).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Load from a file…', 'Save to a file', 'Reset counts']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit nonsense' }).click();
    await expect(rules.getByRole('switch', { name: 'nonsense' })).toHaveCount(0);
    await page.getByRole('form', { name: 'Rule' }).getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText('nonsense deleted')).toBeVisible();
    await expect(rules.getByRole('listitem')).toHaveCount(1);
  });
});

test('an answering rule of a file in UTF-16 is off until a person allows it', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Rules');
  await page.getByLabel('File with rules').setInputFiles({
    name: 'rules.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      `\ufeff${JSON.stringify({ rules: [{ name: 'Greet', when: { line: 'hello' }, do: { colour: 'blue', answer: 'info' } }] })}`,
      'utf16le',
    ),
  });
  const allow = page.getByRole('button', { name: 'Allow' });
  await expect(allow).toBeVisible();
  await foldDock(page);
  await page.getByRole('button', { name: 'Review' }).click();
  await type(page, 'hello');
  await expect(log(page).locator('[data-rule="blue"]').first()).toBeVisible();
  await allow.click();
  await expect(allow).toHaveCount(0);
});

test('rules fit a phone, rest without a port, and say that the browser refuses notifications', async ({ page }) => {
  await page.addInitScript(() => {
    class Refused extends EventTarget {
      static permission = 'default';
      static requestPermission() {
        Refused.permission = 'denied';
        return Promise.resolve(Refused.permission);
      }
    }
    Object.defineProperty(window, 'Notification', { value: Refused });
  });
  await startDemo(page);
  await openTool(page, 'Rules');
  const add = page.getByRole('button', { name: 'Add a rule' });
  const form = page.getByRole('form', { name: 'Rule' });
  const item = page.getByRole('list', { name: 'Rules' }).getByRole('listitem').filter({ hasText: 'card' });
  await page.setViewportSize({ width: 390, height: 844 });
  await choose(add, 'Own rule…');
  await form.getByRole('textbox', { name: 'A line with' }).fill('card');
  await form.getByText('More', { exact: true }).click();
  await form.getByRole('switch', { name: 'Notify on the desktop' }).check();
  await form.getByRole('combobox', { name: 'Lines of' }).selectOption('the panel’s port');
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(item).toContainText('This browser refuses notifications from this site.');
  await expectToFit(page);
  expect(await findings(page)).toEqual([]);

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Disconnect port 1' }).click();
  await expect(item).toContainText('Rests: Panel 1 has no port.');
  await expect(log(page).locator('[data-rule="red"]')).toContainText('no card found');
  await item.getByRole('button', { name: 'All ports' }).click();
  await expect(item).not.toContainText('Rests');
});
