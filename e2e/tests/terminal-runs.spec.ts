/** A run with answers, captured text and branches: built by keyboard, sent to the demo device, saved as a transcript. */
import type { Locator, Page } from '@playwright/test';
import { findings } from '../support/accessibility.ts';
import { expectToFit } from '../support/fits.ts';
import { expect, test } from '../support/test.ts';
import { choose, menuGone } from './menu-steps.ts';
import { aim, answerTimeout, edit, openForm, panel, pin, row, send } from './panels-steps.ts';
import { connectDemo, log, openTool, saved, showPanels, showTab, startDemo } from './terminal-steps.ts';

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
  const form = page.getByRole('form', { name: 'Edit the command' });
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
  const ways = panel(page).getByRole('button', { name: 'Other ways to save the run of Panel 1' });
  const verdict = panel(page).getByRole('status');

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
    await panel(page).getByRole('button', { name: 'Run Panel 1' }).focus();
    await page.keyboard.press('Enter');
    await expect(verdict).toContainText('Command 2 of 4');
    await expect(log(page)).toContainText('adc2:');
    expect(await findings(page)).toEqual([]);
    await stop.focus();
    await page.keyboard.press('Enter');
    // One of three checks: info was answered.
    await expect(verdict).toHaveText(/^STOPPED after 1 of 3 checks · [\d.]+ s$/);
  });

  await test.step('a run to its end leaves a transcript', async () => {
    const form = await editByKey(page, 'adc {cores}');
    await typeInto(page, form.getByRole('textbox', { name: 'Wait at most' }), '300');
    await saveByKey(page, form);
    await panel(page).getByRole('button', { name: 'Run Panel 1' }).focus();
    await page.keyboard.press('Enter');
    await expect(verdict).toHaveText(/^PASSED 2 of 3 checks · [\d.]+ s$/);
    await expect(log(page)).toContainText('Panel 1: PASSED, 2 of 3 checks');
    expect(await findings(page)).toEqual([]);
    await ways.click();
    const { name, bytes } = await saved(page, page.getByRole('menuitem', { name: /^Report of this run/ }));
    await menuGone(page);
    expect(name).toMatch(/^wirebench-run-.*\.txt$/);
    const text = bytes.toString().replaceAll(/^ *\d[\d:.]*(?= [<>=] )/gm, '');
    expect(text).toMatch(/^Run of Panel 1 on Port 1, \d{4}-\d\d-\d\dT/);
    const said = text.split('\n').filter((line) => /^ [>=] /.test(line));
    expect(said.map((line) => line.replace(/after \d+ ms/, 'after n ms'))).toEqual([
      ' > info\\n',
      ' = command 1 of 4 "info": answer /(?<cores>\\d) cores/ after n ms, {cores} = 2, goes on',
      ' > adc 2\\n',
      ' = command 2 of 4 "adc {cores}": no answer within 300 ms, goes to command 4',
      ' > stop\\n',
      ' = command 4 of 4 "Bye": answer "nothing is running" after n ms',
    ]);
    // The line is cut where the answer was known.
    expect(text).toContain('\n < chip       ESP32, 2 cores');
    expect(text).toMatch(/\n\nPanel 1: PASSED, 2 of 3 checks · [\d.]+ s\n$/);
  });

  await test.step('on a phone the editor and the run line fit', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    if (!(await ways.isVisible())) {
      await showPanels(page);
    }
    await expect(ways).toBeVisible();
    await expectToFit(page);
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
  await panel(page).getByRole('button', { name: 'Run Panel 1' }).click();
  await expect(log(page)).toContainText(
    /Panel 1: FAILED, 0 of 1 checks · [\d.]+ s\. Port 1: the rule "No help" fired after [\d.]+ s: .*I2C bus/,
  );
  await showTab(page, /^Rules/);
  await page.getByRole('button', { name: 'Edit No help' }).click();
  await form.getByRole('textbox', { name: 'A line with' }).fill('Guru Meditation');
  await form.getByRole('button', { name: 'Save' }).click();
  await showTab(page, /^Panels/);
  await panel(page).getByRole('button', { name: 'Run Panel 1' }).click();
  await expect(log(page)).toContainText('Panel 1: PASSED, 1 of 1 checks');
});

/** A panel with two checks for all open ports, as `docs/behaviour.md` has it; the answer that is awaited last is given. */
async function smokeTest(page: Page, awaited: string): Promise<void> {
  await startDemo(page);
  await connectDemo(page, 2);
  await aim(page, /^All open ports/);
  await pin(page, 'info');
  await pin(page, 'i2cscan');
  await edit(page, 'info', { 'Wait for': 'free heap', 'Wait at most': answerTimeout });
  await edit(page, 'i2cscan', { 'Wait for': awaited, 'Wait at most': awaited === 'BME280' ? answerTimeout : '700' });
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a run on all open ports passes, fails and is saved, by keyboard at ${size.width} px`, async ({ page }) => {
    await smokeTest(page, 'BMP999');
    await page.setViewportSize(size);
    if (!(await panel(page).isVisible())) {
      await showPanels(page);
    }
    const verdict = panel(page).getByRole('status').first();
    const run = panel(page).getByRole('button', { name: 'Run Panel 1' });

    await test.step('it fails on both boards, and says where, what was awaited and what came last', async () => {
      await run.focus();
      await page.keyboard.press('Enter');
      await expect(verdict).toHaveText(/^FAILED 2 of 4 checks · [\d.]+ s$/);
      await expect(row(page, 'info')).toContainText('2 of 2');
      await expect(row(page, 'i2cscan')).toContainText('0 of 2');
      const where = panel(page).getByRole('definition').filter({ hasText: 'no answer within' });
      await expect(where).toHaveText([
        '1 Port 1, i2cscan, no answer within 700 ms',
        '2 Port 2, i2cscan, no answer within 700 ms',
      ]);
      // The demo board's answer without its prompt, as the device prints it.
      await expect(
        panel(page).getByText('3 devices: 0x3c SSD1306 display, 0x68 DS3231 clock, 0x76 BME280 climate sensor'),
      ).toHaveCount(2);
      expect(await findings(page)).toEqual([]);
      await expectToFit(page);
    });

    await test.step('the failure is shown in the log', async () => {
      await panel(page).getByRole('button', { name: 'Show in the log' }).first().press('Enter');
      await expect(
        log(page)
          .getByText(/^3 devices: 0x3c/)
          .first(),
      ).toBeInViewport();
      if (!(await panel(page).isVisible())) {
        await showPanels(page);
      }
    });

    await test.step('it passes with the right answer, and is saved as a test with its command', async () => {
      await edit(page, 'i2cscan', { 'Wait for': 'BME280', 'Wait at most': answerTimeout });
      await run.focus();
      await page.keyboard.press('Enter');
      await expect(verdict).toHaveText(/^PASSED 4 of 4 checks · [\d.]+ s$/);
      expect(await findings(page)).toEqual([]);
      const save = panel(page).getByRole('button', { name: 'Save and copy the command' });
      const { name, bytes } = await saved(page, save);
      expect(name).toBe('Panel-1.json');
      expect(JSON.parse(bytes.toString()).fields).toHaveLength(2);
      await expect(panel(page).getByText('wirebench test Panel-1.json --simulate demo')).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await expectToFit(page);
    });
  });
}
