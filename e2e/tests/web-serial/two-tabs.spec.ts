/** Two tabs and one board: the browser refuses the second opening, and the tabs resolve the conflict. */
import type { Page } from '@playwright/test';
import { expect, test } from '../../web-serial/fixture.ts';
import { startRecording } from '../terminal-steps.ts';

const connect = (page: Page) => page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
const hint = (page: Page) => page.getByRole('group', { name: 'What to do about port 1' });
const disconnect = (page: Page) => page.getByRole('button', { name: 'Disconnect port 1' });

test('a board that another tab holds is released there, kept where it is recorded, and waited for where no tab answers', async ({
  terminal,
}) => {
  await connect(terminal);
  await expect(terminal.getByRole('log')).toContainText('demo>');
  const second = await terminal.context().newPage();

  await test.step('it is released in the other tab and opened here', async () => {
    await terminal.getByRole('textbox', { name: 'Name' }).fill('S3 gateway');
    await second.goto('/app/uart');
    await connect(second);
    await expect(hint(second)).toContainText('Another Wirebench tab has a board like this one open, as S3 gateway.');
    await second.getByRole('button', { name: 'Ask the other tab to release it' }).click();
    await expect(disconnect(second)).toBeVisible();
    await expect(hint(second)).toHaveCount(0);
    await expect(terminal.getByRole('log')).toContainText('Port 1 was released: another Wirebench tab asked for it');
    await expect(disconnect(terminal)).toHaveCount(0);
  });

  await test.step('a tab that records is asked by its person, who may keep the board', async () => {
    await startRecording(second);
    await connect(terminal);
    await terminal.getByRole('button', { name: 'Ask the other tab to release it' }).click();
    await expect(hint(second)).toContainText('which is being recorded here');
    await hint(second).getByRole('button', { name: 'Keep it' }).click();
    await expect(hint(terminal)).toContainText('The other tab keeps it.');
    await expect(disconnect(second)).toBeVisible();
    await second.close();
  });

  await test.step('when no tab answers, the usual programs are named, and trying again opens the board', async () => {
    await terminal.getByRole('button', { name: 'Try again' }).click();
    await expect(disconnect(terminal)).toBeVisible();
    // A page without the terminal's messaging acts as another program: it holds the port and answers no requests.
    const program = await terminal.context().newPage();
    await disconnect(terminal).click();
    await expect(disconnect(terminal)).toHaveCount(0);
    await program.goto('/');
    // The button is gone as soon as the tab closes the port, and the system frees it a moment later.
    await expect(() =>
      program.evaluate(async () => {
        const [port] = await navigator.serial.getPorts();
        await port?.open({ baudRate: 9_600 });
      }),
    ).toPass();
    await connect(terminal);
    await expect(hint(terminal)).toContainText('No other Wirebench tab is using it.');
    await expect(hint(terminal)).toContainText('ModemManager');
    await program.close();
    await terminal.getByRole('button', { name: 'Try again' }).click();
    await expect(disconnect(terminal)).toBeVisible();
  });
});
