/** Device panels in two tabs, and with the mouse. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { option, pane, panel, pin, row, send } from './panels-steps.ts';
import { openTerminal } from './terminal-steps.ts';

/**
 * Records the rows that are highlighted from now on and for how long, because a highlight may end before a test reads
 * it.
 */
async function watchMarks(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle(() => {
    const marks: string[] = [];
    const observer = new MutationObserver((records) => {
      for (const { target } of records) {
        if (target instanceof HTMLElement && target.matches('[class*="marked"]')) {
          const content = target.querySelector('button')?.textContent;
          marks.push(`${content} for ${getComputedStyle(target).animationDuration}`);
        }
      }
    });
    observer.observe(document.body, { subtree: true, attributeFilter: ['class'] });
    return marks;
  });
  return () => seen.jsonValue();
}

test('panels follow in another tab', async ({ page, context }) => {
  await openTerminal(page);
  await pin(page, 'wifi status');
  await pane(page).getByRole('button', { name: 'Add panel' }).click();
  await expect(panel(page, 'Panel 2')).toBeVisible();

  const other = await context.newPage();
  await openTerminal(other);
  await pin(other, 'heap');
  await expect(send(page, 'heap')).toBeVisible();
  await pin(page, 'restart', 'Panel 2');
  await expect(send(other, 'restart', 'Panel 2')).toBeVisible();
  await expect(send(page, 'heap')).toBeVisible();
});

test('messages are moved, copied and put in order with the mouse', async ({ page }) => {
  await openTerminal(page);
  for (const content of ['one', 'two', 'three']) {
    await pin(page, content);
  }
  const contents = (name?: string) => panel(page, name).getByRole('button', { name: /^Send / });
  await row(page, 'three').dragTo(row(page, 'one'), { targetPosition: { x: 60, y: 4 } });
  await expect(contents()).toHaveText(['three', 'one', 'two']);
  await row(page, 'three').dragTo(row(page, 'two'), { targetPosition: { x: 60, y: 24 } });
  await expect(contents()).toHaveText(['one', 'two', 'three']);
  await pane(page).getByRole('button', { name: 'Add panel' }).click();
  await row(page, 'two').dragTo(panel(page, 'Panel 2').getByText('No commands yet.'));
  await expect(contents()).toHaveText(['one', 'three']);
  await expect(contents('Panel 2')).toHaveText(['two']);
  await option(page, 'one', 'Copy to Panel 2');
  const marks = await watchMarks(page);
  await option(page, 'one', 'Move to Panel 2');
  await expect(panel(page).getByText('Message already exists in target panel')).toBeVisible();
  await expect.poll(marks).toEqual(['one for 1s']);
  await expect(row(page, 'one', 'Panel 2')).not.toHaveClass(/marked/);
  await panel(page).getByRole('heading').dragTo(panel(page, 'Panel 2').getByRole('form'));
  await expect(pane(page).getByRole('heading', { level: 3 })).toHaveText(['Panel 2', 'Panel 1']);
});
