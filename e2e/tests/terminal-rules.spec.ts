/** Rules on the demo device: a ready-made one colours and marks, and one of a file is off until a person allows it. */
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { log, openTool, startDemo, type } from './terminal-steps.ts';

test('a ready-made rule is added with one choice, and colours and marks the errors in the log', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Rules');
  await choose(page.getByRole('button', { name: 'Add a rule' }), 'Errors red');
  await expect(page.getByRole('list', { name: 'Rules' }).getByRole('switch', { name: 'Errors red' })).toBeChecked();
  await expect(log(page).locator('[data-rule="red"][data-marked]').first()).toContainText('no card found');
});

test('an answering rule of a file is off until a person allows it', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Rules');
  await page.getByLabel('File with rules').setInputFiles({
    name: 'rules.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      JSON.stringify({ rules: [{ name: 'Greet', when: { line: 'hello' }, do: { colour: 'blue', answer: 'info' } }] }),
    ),
  });
  const allow = page.getByRole('button', { name: 'Allow' });
  await expect(allow).toBeVisible();
  await page.getByRole('button', { name: 'Close the tools' }).click();
  await page.getByRole('button', { name: 'Review' }).click();
  await type(page, 'hello');
  await expect(log(page).locator('[data-rule="blue"]').first()).toBeVisible();
  await allow.click();
  await expect(allow).toHaveCount(0);
});
