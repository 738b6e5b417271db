/** A run with answers, captured text and branches: built by keyboard, sent to the demo device, saved as a transcript. */
import type { Locator, Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose } from './menu-steps.ts';
import { aim, answerTimeout, openForm, panel, pin, send } from './panels-steps.ts';
import { log, openTool, saved, showPanels, showTab, startDemo } from './terminal-steps.ts';

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await control.evaluate((element) => element === document.activeElement)) {
      return;
    }
    await page.keyboard.press('Tab');
  }
  await expect(control).toBeFocused();
}

async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
}

/** Moves the choice of a select downwards by arrow keys until it shows the option. */
async function chooseByArrow(page: Page, field: Locator, option: string): Promise<void> {
  await tabTo(page, field);
  const shown = () => field.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text);
  for (let presses = 0; presses < 10 && (await shown()) !== option; presses++) {
    await page.keyboard.press('ArrowDown');
  }
  expect(await shown()).toBe(option);
}

/** Opens the form of a message by keyboard. */
async function editByKey(page: Page, content: string): Promise<Locator> {
  await panel(page)
    .getByRole('button', { name: `Options of ${content}`, exact: true })
    .focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menu')).toBeFocused();
  await page.keyboard.press('Home');
  await page.keyboard.press('Enter');
  const form = page.getByRole('form', { name: 'Edit the message' });
  await expect(form.getByRole('textbox', { name: 'Command' })).toBeFocused();
  return form;
}

async function saveByKey(page: Page, form: Locator): Promise<void> {
  await form.getByRole('textbox', { name: 'Command' }).focus();
  await page.keyboard.press('Enter');
  await expect(form).toHaveCount(0);
}

test('a run with answers, captured text and an else branch is built by keyboard and leaves a transcript', async ({
  page,
}) => {
  await startDemo(page);
  await aim(page, 'Port 1');
  await panel(page).getByRole('textbox', { name: 'Add a command' }).focus();
  for (const content of ['info', 'adc {cores}', 'reboot', 'stop']) {
    await page.keyboard.type(content);
    await page.keyboard.press('Enter');
    await expect(send(page, content)).toBeVisible();
  }
  const stop = panel(page).getByRole('button', { name: 'Stop the run of Panel 1' });
  const transcript = panel(page).getByRole('button', { name: 'Save the run of Panel 1' });

  await test.step('the last message gets a label, so that others can go to it', async () => {
    const form = await editByKey(page, 'stop');
    await typeInto(page, form.getByRole('textbox', { name: 'Label' }), 'Bye');
    await typeInto(page, form.getByRole('textbox', { name: 'Wait for' }), 'nothing is running');
    await typeInto(page, form.getByRole('textbox', { name: 'Wait at most' }), answerTimeout);
    await saveByKey(page, form);
  });

  await test.step('the first message gets two answers, one of which captures', async () => {
    const form = await editByKey(page, 'info');
    await typeInto(page, form.getByRole('textbox', { name: 'Wait at most' }), answerTimeout);
    await tabTo(page, form.getByRole('button', { name: 'Answers and branches' }));
    await page.keyboard.press('Enter');
    const add = form.getByRole('button', { name: 'Add an answer' });
    await tabTo(page, add);
    await page.keyboard.press('Enter');
    await expect(form.getByRole('textbox', { name: 'Answer 1', exact: true })).toBeFocused();
    await page.keyboard.type('/(?<cores>\\d) cores/');
    await page.keyboard.press('Shift+Tab');
    await chooseByArrow(page, form.getByRole('combobox', { name: 'Answer 1: form' }), '/…/');
    await tabTo(page, add);
    await page.keyboard.press('Enter');
    await expect(form.getByRole('textbox', { name: 'Answer 2', exact: true })).toBeFocused();
    await page.keyboard.type('unknown command');
    await chooseByArrow(page, form.getByRole('combobox', { name: 'After answer 2', exact: true }), 'stop: failed');
    await typeInto(page, form.getByRole('textbox', { name: 'After answer 2: sentence' }), 'No demo board');
    expect(await findings(page)).toEqual([]);
    await saveByKey(page, form);
  });

  await test.step('the second message inserts what was captured, and goes to the last one without an answer', async () => {
    const form = await editByKey(page, 'adc {cores}');
    await typeInto(page, form.getByRole('textbox', { name: 'Wait for' }), 'never said');
    await typeInto(page, form.getByRole('textbox', { name: 'Wait at most' }), answerTimeout);
    await tabTo(page, form.getByRole('button', { name: 'Answers and branches' }));
    await page.keyboard.press('Enter');
    await tabTo(page, form.getByRole('switch', { name: /^Insert what answers captured/ }));
    await page.keyboard.press('Space');
    await chooseByArrow(page, form.getByRole('combobox', { name: 'No answer' }), 'go to Bye');
    await saveByKey(page, form);
  });

  await test.step('the run line says how far the run is, and stops it', async () => {
    await panel(page).getByRole('button', { name: 'Run all' }).focus();
    await page.keyboard.press('Enter');
    await expect(panel(page)).toContainText('message 2 of 4');
    await expect(panel(page)).toContainText('after /(?<cores>\\d) cores/');
    await expect(log(page)).toContainText('adc2:');
    expect(await findings(page)).toEqual([]);
    await stop.focus();
    await page.keyboard.press('Enter');
    await expect(transcript).toBeVisible();
  });

  await test.step('a run to its end leaves a transcript', async () => {
    const form = await editByKey(page, 'adc {cores}');
    await typeInto(page, form.getByRole('textbox', { name: 'Wait at most' }), '300');
    await saveByKey(page, form);
    await panel(page).getByRole('button', { name: 'Run all' }).focus();
    await page.keyboard.press('Enter');
    await expect(log(page)).toContainText('Panel 1: 3 messages sent, 2 answers received');
    expect(await findings(page)).toEqual([]);
    const { name, bytes } = await saved(page, transcript);
    expect(name).toMatch(/^wirebench-run-.*\.txt$/);
    const text = bytes.toString().replaceAll(/^ *\d[\d:.]*(?= [<>=] )/gm, '');
    expect(text).toMatch(/^Run of Panel 1 on Port 1, \d{4}-\d\d-\d\dT/);
    const said = text.split('\n').filter((line) => /^ [>=] /.test(line));
    expect(said.map((line) => line.replace(/after \d+ ms/, 'after n ms'))).toEqual([
      ' > info\\n',
      ' = message 1 of 4 "info": answer /(?<cores>\\d) cores/ after n ms, {cores} = 2, goes on',
      ' > adc 2\\n',
      ' = message 2 of 4 "adc {cores}": no answer within 300 ms, goes to message 4',
      ' > stop\\n',
      ' = message 4 of 4 "Bye": answer "nothing is running" after n ms',
    ]);
    // The line is cut where the answer was known.
    expect(text).toContain('\n < chip       ESP32, 2 cores');
    expect(text).toMatch(/\n\nPanel 1: 3 messages sent, 2 answers received\n$/);
  });

  await test.step('on a phone the editor and the run line fit', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    if (!(await transcript.isVisible())) {
      await showPanels(page);
    }
    await expect(transcript).toBeVisible();
    expect(await findings(page)).toEqual([]);
    const form = await openForm(page, 'info');
    await expect(form.getByRole('textbox', { name: 'Answer 2', exact: true })).toBeVisible();
    expect(await findings(page)).toEqual([]);
    await expectToFit(page);
  });
});

test('a rule that must not fire decides a run of all messages', async ({ page }) => {
  await startDemo(page);
  await aim(page, 'Port 1');
  await pin(page, 'version');
  await pin(page, 'help');
  await openTool(page, 'Rules');
  const rules = page.getByRole('region', { name: 'Rules' });
  await choose(rules.getByRole('button', { name: 'Add a rule' }), 'Own rule…');
  const form = page.getByRole('form', { name: 'Rule' });
  await form.getByRole('textbox', { name: 'A line with' }).fill('I2C bus');
  await form.getByText('More', { exact: true }).click();
  await form.getByRole('textbox', { name: 'Name' }).fill('No help');
  await form.getByRole('combobox', { name: 'In a run' }).selectOption('must not fire');
  expect(await findings(page)).toEqual([]);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(rules.getByText('must not fire in a run')).toBeVisible();

  await showTab(page, /^Panels/);
  await panel(page).getByRole('button', { name: 'Run all' }).click();
  await expect(log(page)).toContainText(/Panel 1: failed: the rule "No help" fired after [\d.]+ s: .*I2C bus/);
  await showTab(page, /^Rules/);
  await page.getByRole('button', { name: 'Edit No help' }).click();
  await form.getByRole('textbox', { name: 'A line with' }).fill('Guru Meditation');
  await form.getByRole('button', { name: 'Save' }).click();
  await showTab(page, /^Panels/);
  await panel(page).getByRole('button', { name: 'Run all' }).click();
  await expect(log(page)).toContainText('Panel 1: passed: 2 messages sent, 1 rule kept');
});
