/** Rules on the demo device: a ready-made one colours and marks the lines of the log. */
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { log, openTool, startDemo } from './terminal-steps.ts';

test('a ready-made rule is added with one choice, and colours and marks the errors in the log', async ({ page }) => {
  await startDemo(page);
  await openTool(page, 'Rules');
  await choose(page.getByRole('button', { name: 'Add a rule' }), 'Errors red');
  await expect(page.getByRole('list', { name: 'Rules' }).getByRole('switch', { name: 'Errors red' })).toBeChecked();
  await expect(log(page).locator('[data-rule="red"][data-marked]').first()).toContainText('no card found');
});
