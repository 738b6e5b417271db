/** Device panels with demo devices: pinning, sending, scripts that wait for answers, and what must survive. */
import type { Page } from '@playwright/test';
import { expect, test } from '../support/test.ts';
import { expectToast } from '../support/toasts.ts';
import { choose } from './menu-steps.ts';
import { aim, answerTimeout, edit, option, pane, panel, pin, row, send } from './panels-steps.ts';
import { connectDemo, log, message, openTerminal, prompt, startDemo } from './terminal-steps.ts';

/** Notes which rows stand out from now on and for how long, since that may be over before anybody looks. */
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

test('a pinned message is sent with one press, and the device answers', async ({ page }) => {
  await startDemo(page);
  await pin(page, 'help');
  await expect(send(page, 'help')).toHaveAttribute('aria-disabled', 'true');
  await send(page, 'help').click({ force: true });
  await expect(panel(page).getByText('Please select a connected port first')).toBeVisible();
  await aim(page, 'Port 1');
  await send(page, 'help').click();
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await expect(log(page).locator('[data-direction=sent]')).toHaveCount(1);
});

test('hex is sent as its bytes, text with the line ending of the panel', async ({ page }) => {
  await startDemo(page);
  await aim(page, 'Port 1');
  await panel(page).getByRole('radio', { name: 'HEX' }).check({ force: true });
  await pin(page, '68656c700a');
  await send(page, '68 65 6C 70 0A').click();
  await expect(log(page)).toContainText('which addresses answer on the I2C bus');
  await expect(log(page)).toContainText(prompt);
  await panel(page).getByRole('radio', { name: 'ASC' }).check({ force: true });
  await pin(page, 'utf8');
  await panel(page).getByRole('combobox', { name: 'Line ending' }).selectOption('None');
  await send(page, 'utf8').click();
  await expect(log(page)).toContainText('demo> utf8');
  await panel(page).getByRole('combobox', { name: 'Line ending' }).selectOption('CR');
  await send(page, 'utf8').click();
  await expect(log(page)).toContainText('unknown command: utf8utf8');
});

test('all messages run as a script, each after the answer to the one before', async ({ page }) => {
  await startDemo(page);
  await aim(page, 'Port 1');
  await pin(page, 'adc 0 4 100');
  await pin(page, 'info');
  await edit(page, 'adc 0 4 100', { 'Wait for': 'demo>', 'Wait at most': answerTimeout });
  const twice = { 'Times to send': '2', 'Then pause': '50' };
  await edit(page, 'info', { 'Wait for': 'free heap', 'Wait at most': answerTimeout, ...twice });
  await panel(page).getByRole('button', { name: 'Run all' }).click();
  await expect(log(page)).toContainText('Device 1: 3 messages sent, 3 answers received');
  await expect(row(page, 'info')).toContainText(/\d+ ms/);
  // Had the second not waited, its text would have been swallowed by the reading that was still going on.
  await expect(log(page).getByText('mac 02:57:42:00:00:01')).toHaveCount(2);
});

test('a run stops at the message that gets no answer, or when somebody stops it', async ({ page }) => {
  await startDemo(page);
  await aim(page, 'Port 1');
  await pin(page, 'info');
  await pin(page, 'stop');
  await pin(page, 'utf8');
  await edit(page, 'stop', { 'Wait for': 'something runs', 'Wait at most': '200' });
  await panel(page).getByRole('button', { name: 'Run all' }).click();
  await expect(log(page)).toContainText(
    'Device 1: no answer to "stop" within 200 ms. The run stopped at message 2 of 3.',
  );
  await expect(row(page, 'stop')).toContainText('No answer');
  await expect(log(page)).not.toContainText('Grüße');
  await edit(page, 'stop', { 'Wait at most': '60000' });
  await panel(page).getByRole('button', { name: 'Run all' }).click();
  await expect(panel(page).getByText('message 2 of 3')).toBeVisible();
  await panel(page).getByRole('button', { name: 'Stop the run of Device 1' }).click();
  await expect(panel(page).getByRole('button', { name: 'Run all' })).toBeEnabled();
  await expect(log(page)).not.toContainText('Grüße');
});

test('a message is repeated until it is stopped', async ({ page }) => {
  await startDemo(page);
  await aim(page, 'Port 1');
  await pin(page, 'adc 0');
  await option(page, 'adc 0', 'Repeat…');
  const form = panel(page).getByRole('form', { name: 'Repeat adc 0' });
  await expect(form.getByRole('textbox', { name: 'Every' })).toBeFocused();
  await form.getByRole('textbox', { name: 'Every' }).fill('100');
  await form.getByRole('button', { name: 'Start' }).click();
  // The count comes after the message, whose 0 is no part of it.
  await expect(row(page, 'adc 0')).toContainText(/adc 0\s*([3-9]|\d\d)×/);
  await form.getByRole('button', { name: 'Stop' }).click();
  await expect(row(page, 'adc 0')).not.toContainText('×');
  await expect(
    log(page)
      .getByText(/^adc0:\d+$/)
      .nth(2),
  ).toBeVisible();
});

test('panels survive a reload, and follow in another tab', async ({ page, context }) => {
  await openTerminal(page);
  await pin(page, 'wifi status');
  await pane(page).getByRole('button', { name: 'Add panel' }).click();
  await choose(panel(page, 'Device 2').getByRole('button', { name: 'Options of Device 2' }), 'Rename');
  await expect(page.getByRole('textbox', { name: 'Name of Device 2' })).toBeFocused();
  await page.keyboard.type('GNSS setup');
  await page.keyboard.press('Enter');
  await aim(page, /^Port 2/, 'GNSS setup');
  await panel(page, 'GNSS setup').getByRole('combobox', { name: 'Line ending' }).selectOption('CRLF');
  await pin(page, '$PUBX,00*33', 'GNSS setup');
  await option(page, 'wifi status', 'Copy to GNSS setup');
  await page.reload();
  await expect(send(page, 'wifi status')).toBeVisible();
  await expect(send(page, 'wifi status', 'GNSS setup')).toBeVisible();
  await expect(panel(page, 'GNSS setup').getByRole('button', { name: 'Target of GNSS setup: Port 2' })).toBeVisible();
  await expect(panel(page, 'GNSS setup').getByRole('combobox', { name: 'Line ending' })).toHaveValue('crlf');
  await send(page, 'wifi status', 'GNSS setup').click({ force: true });
  await expect(panel(page, 'GNSS setup').getByText('Port 2 is not connected')).toBeVisible();

  const other = await context.newPage();
  await openTerminal(other);
  await pin(other, 'heap');
  await expect(send(page, 'heap')).toBeVisible();
  await pin(page, 'restart', 'GNSS setup');
  await expect(send(other, 'restart', 'GNSS setup')).toBeVisible();
  await expect(send(page, 'heap')).toBeVisible();
});

test('the target is cleared when the device is unplugged, and the timeline says so', async ({ page }) => {
  await startDemo(page);
  await aim(page, 'Port 1');
  await pin(page, 'help');
  await page.getByRole('button', { name: 'Unplug' }).click();
  await expect(panel(page).getByRole('button', { name: 'Target of Device 1: No target' })).toBeVisible();
  await expect(log(page)).toContainText('Device 1 no longer has a target: Port 1 disconnected.');
  await expect(send(page, 'help')).toHaveAttribute('aria-disabled', 'true');
});

test('other settings for an open port do not let its panels go', async ({ page }) => {
  await startDemo(page);
  await aim(page, 'Port 1');
  await page.getByRole('combobox', { name: 'Baud' }).selectOption('921600');
  await page.getByRole('button', { name: 'Reopen' }).click();
  await expect(page.getByRole('tab', { name: /Port 1 921600/ })).toBeVisible();
  await expect(panel(page).getByRole('button', { name: 'Target of Device 1: Port 1' })).toBeVisible();
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
  await row(page, 'two').dragTo(panel(page, 'Device 2').getByText('Nothing is pinned here yet.'));
  await expect(contents()).toHaveText(['one', 'three']);
  await expect(contents('Device 2')).toHaveText(['two']);
  await option(page, 'one', 'Copy to Device 2');
  const marks = await watchMarks(page);
  await option(page, 'one', 'Move to Device 2');
  await expect(panel(page).getByText('Message already exists in target panel')).toBeVisible();
  await expect.poll(marks).toEqual(['one for 1s']);
  await expect(row(page, 'one', 'Device 2')).not.toHaveClass(/marked/);
  await panel(page).getByRole('heading').dragTo(panel(page, 'Device 2').getByRole('form'));
  await expect(pane(page).getByRole('heading', { level: 3 })).toHaveText(['Device 2', 'Device 1']);
});

test('what is in the send field is pinned from there', async ({ page }) => {
  await openTerminal(page);
  await message(page).fill('wifi status');
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await expectToast(page, /^Pinned to Device 1$/);
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await expect(
    page.getByRole('form', { name: 'Send' }).getByText('Command already exists in this panel'),
  ).toBeVisible();
  await pane(page).getByRole('button', { name: 'Add panel' }).click();
  await choose(page.getByRole('button', { name: 'Pin', exact: true }), '2: Device 2');
  await expect(send(page, 'wifi status', 'Device 2')).toBeVisible();
});

test('two panels send to two boards', async ({ page }) => {
  await openTerminal(page);
  for (const port of [1, 2]) {
    await page.getByRole('tab', { name: new RegExp(`^Port ${port} `) }).click();
    await connectDemo(page, port);
    await expect(log(page).locator(`[data-port="${port}"]`).last()).toContainText(prompt);
  }
  await pane(page).getByRole('button', { name: 'Add panel' }).click();
  await aim(page, 'Port 1', 'Device 1');
  await aim(page, 'Port 2', 'Device 2');
  await pin(page, 'info', 'Device 1');
  await pin(page, 'info', 'Device 2');
  await send(page, 'info', 'Device 2').click();
  await expect(log(page)).toContainText('02:57:42:00:00:02');
  await send(page, 'info', 'Device 1').click();
  await expect(log(page)).toContainText('02:57:42:00:00:01');
});
