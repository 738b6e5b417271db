/** Files of a MicroPython board through Chromium's own Web Serial: the genuine interpreter behind the port. */
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { findings } from '../../support/accessibility.ts';
import { test as base, expect } from '../../web-serial/fixture.ts';
import { PluggedBoard } from '../../web-serial/plugged-board.ts';
import { log, openTool } from '../terminal-steps.ts';

const test = base.extend<{ python: MicroPythonBoard }>({
  // Playwright requires a destructured first parameter, even an empty one.
  // biome-ignore lint/correctness/noEmptyPattern: see above
  python: async ({}, use) =>
    use(
      await MicroPythonBoard.load({ powerUp: 'first-open', files: { '/main.py': 'print(6 * 7)\n', '/lib/a.py': '' } }),
    ),
  board: async ({ port, python }, use) => use(new PluggedBoard(port, python)),
});

const text = (board: MicroPythonBoard, path: string) => new TextDecoder().decode(board.files.get(path) ?? undefined);

test('files of a board are listed, edited, run, sent and deleted', async ({ terminal, python }) => {
  await terminal.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(log(terminal)).toContainText('MicroPython v1.27.0');
  await terminal.getByRole('button', { name: 'Board files' }).click();
  await terminal.getByRole('button', { name: 'Show the files' }).click();
  await terminal.getByRole('button', { name: 'main.py', exact: true }).click();
  const editor = terminal.getByRole('textbox', { name: 'Text of /main.py' });
  await expect(editor).toHaveValue('print(6 * 7)\n');
  await editor.fill("print('edited', 6 * 8)\n");
  await terminal.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect(terminal.getByText('/main.py is saved and verified.')).toBeVisible();
  expect(text(python, '/main.py')).toBe("print('edited', 6 * 8)\n");
  await terminal.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(log(terminal)).toContainText('edited 48');
  await expect(log(terminal)).toContainText('Wrote /main.py to the board on Port 1: 23 bytes, verified.');

  await terminal
    .getByLabel('Files for the board')
    .setInputFiles({ name: 'new file.py', mimeType: 'text/plain', buffer: Buffer.from('x = 1\n') });
  await expect(terminal.getByText('1 file written and verified.')).toBeVisible();
  expect(text(python, '/new file.py')).toBe('x = 1\n');
  expect(await findings(terminal)).toEqual([]);

  await terminal.getByRole('button', { name: 'More about /new file.py' }).click();
  await terminal.getByRole('menuitem', { name: 'Delete…' }).click();
  await terminal.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(terminal.getByText('/new file.py is deleted.')).toBeVisible();
  expect(python.files.has('/new file.py')).toBe(false);
});

test('the tool is reached from the menu too, and asks before it interrupts', async ({ terminal, python }) => {
  python.put('/main.py', "while True:\n  print('tick')\n");
  await terminal.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(terminal.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await openTool(terminal, 'Board files');
  await terminal.getByRole('button', { name: 'Show the files' }).click();
  await terminal.getByRole('button', { name: 'Interrupt it' }).click();
  await expect(terminal.getByRole('button', { name: 'main.py', exact: true })).toBeVisible();
  await terminal.getByRole('button', { name: 'Soft reset' }).click();
  await expect(terminal.getByText('The board runs its program again.')).toBeVisible();
});
