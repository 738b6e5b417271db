/** Two tabs and one board: the browser refuses the second opening, and the tabs settle it between themselves. */
import type { Page } from '@playwright/test';
import { expect, test } from '../../web-serial/fixture.ts';
import { startRecording } from '../terminal-steps.ts';

const connect = (page: Page) => page.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
const hint = (page: Page) => page.getByRole('group', { name: 'What to do about port 1' });
const disconnect = (page: Page) => page.getByRole('button', { name: 'Disconnect port 1' });

test('a board that another tab holds is released there and opened here', async ({ terminal }) => {
  await connect(terminal);
  await expect(terminal.getByRole('log')).toContainText('demo>');
  await terminal.getByRole('textbox', { name: 'Name' }).fill('S3 gateway');
  const second = await terminal.context().newPage();
  await second.goto('/app/uart');
  await connect(second);
  await expect(hint(second)).toContainText('Another Wirebench tab has a board like this one open, as S3 gateway.');
  await second.getByRole('button', { name: 'Ask the other tab to release it' }).click();
  await expect(disconnect(second)).toBeVisible();
  await expect(hint(second)).toHaveCount(0);
  await expect(terminal.getByRole('log')).toContainText('Port 1 was released: another Wirebench tab asked for it');
  await expect(disconnect(terminal)).toHaveCount(0);
});

test('a tab that records is asked by its person, who may keep the board', async ({ terminal }) => {
  await connect(terminal);
  await expect(terminal.getByRole('log')).toContainText('demo>');
  await startRecording(terminal);
  const second = await terminal.context().newPage();
  await second.goto('/app/uart');
  await connect(second);
  await second.getByRole('button', { name: 'Ask the other tab to release it' }).click();
  await expect(hint(terminal)).toContainText('which is being recorded here');
  await hint(terminal).getByRole('button', { name: 'Keep it' }).click();
  await expect(hint(second)).toContainText('The other tab keeps it.');
  await expect(disconnect(terminal)).toBeVisible();
});

test('when no tab answers, the usual programs are named, and trying again opens the board', async ({ terminal }) => {
  await connect(terminal);
  await expect(terminal.getByRole('log')).toContainText('demo>');
  // A page without the terminal's voice stands for another program: it holds the port and answers nobody.
  const program = await terminal.context().newPage();
  await disconnect(terminal).click();
  await expect(disconnect(terminal)).toHaveCount(0);
  await program.goto('/');
  await program.evaluate(async () => {
    const [port] = await navigator.serial.getPorts();
    await port?.open({ baudRate: 9_600 });
  });
  await connect(terminal);
  await expect(hint(terminal)).toContainText('No other Wirebench tab is using it.');
  await expect(hint(terminal)).toContainText('ModemManager');
  await program.close();
  await terminal.getByRole('button', { name: 'Try again' }).click();
  await expect(disconnect(terminal)).toBeVisible();
});
