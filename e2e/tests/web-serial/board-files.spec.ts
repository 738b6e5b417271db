/** Files of a MicroPython board through Chromium's own Web Serial: the genuine interpreter behind the port. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { findings } from '../../support/accessibility.ts';
import { DraggedFiles } from '../../support/drag-files.ts';
import { test as base, expect } from '../../web-serial/fixture.ts';
import { PluggedBoard } from '../../web-serial/plugged-board.ts';
import { choose } from '../menu-steps.ts';
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

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Returns the hash of each file, and null of each folder. */
const hashes = (files: ReadonlyMap<string, Uint8Array | null>) =>
  new Map([...files].map(([path, content]) => [path, content === null ? null : hashOf(content)]));

const noise = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * 7) & 0xff);

/** Opens the files of the board on port 1. */
async function showFiles(terminal: Page): Promise<void> {
  await terminal.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(log(terminal)).toContainText('MicroPython v1.27.0');
  await terminal.getByRole('button', { name: 'Board files' }).click();
  await terminal.getByRole('button', { name: 'Show the files' }).click();
  await expect(terminal.getByRole('list', { name: 'Files of the board' })).toBeVisible();
}

/** Writes local files below a folder. */
async function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

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

test('dropped files and folders reach the board with their places, names and bytes', async ({
  terminal,
  python,
}, info) => {
  const folder = info.outputPath('dropped');
  const pictures = noise(20_000);
  await write(folder, {
    'boot one.py': 'x = 1\n',
    'web/index.html': '<h1>Grüße</h1>\n',
    'web/deep/er/bild ä.bin': pictures,
    'web/empty.txt': '',
  });
  await showFiles(terminal);
  const box = await terminal.getByRole('list', { name: 'Files of the board' }).boundingBox();
  const place = { x: (box?.x ?? 0) + 30, y: (box?.y ?? 0) + 10 };
  await new DraggedFiles(terminal, [join(folder, 'boot one.py'), join(folder, 'web')]).dropAt(place);
  await expect(terminal.getByText('4 files written and verified.')).toBeVisible();
  expect(text(python, '/boot one.py')).toBe('x = 1\n');
  expect(text(python, '/web/index.html')).toBe('<h1>Grüße</h1>\n');
  expect(hashes(python.files).get('/web/deep/er/bild ä.bin')).toBe(hashOf(pictures));
  expect(python.files.get('/web/empty.txt')).toHaveLength(0);
  expect(text(python, '/main.py')).toBe('print(6 * 7)\n');
  await expect(terminal.getByRole('button', { name: 'bild ä.bin', exact: true })).toBeVisible();
});

test('a local folder is compared by hash, and only the differences are sent', async ({ terminal, python }, info) => {
  const folder = info.outputPath('project');
  await write(folder, { 'main.py': "print('same size')\n", 'lib/a.py': '', 'lib/new.py': 'n = 1\n' });
  python.put('/main.py', "print('SAME SIZE')\n");
  python.put('/data.csv', '1,2\n');
  await showFiles(terminal);
  const compare = () => terminal.getByLabel('Folder to compare with the board').setInputFiles(folder);
  await compare();
  const comparison = terminal.getByRole('region', { name: 'Comparison with the board' });
  await expect(comparison).toContainText('New: /lib/new.py');
  await expect(comparison).toContainText('Changed: /main.py');
  await expect(comparison).toContainText('Only on the board: /data.csv');
  await expect(comparison).toContainText('1 file equal by hash. Nothing has been written.');
  expect(python.files.has('/lib/new.py')).toBe(false);
  expect(await findings(terminal)).toEqual([]);
  await comparison.getByRole('button', { name: 'Send 2 files' }).click();
  await expect(terminal.getByText('2 files written and verified.')).toBeVisible();
  expect(text(python, '/main.py')).toBe("print('same size')\n");
  expect(text(python, '/lib/new.py')).toBe('n = 1\n');
  expect(text(python, '/data.csv')).toBe('1,2\n');
  await compare();
  await expect(comparison).toContainText('3 files equal by hash');
  await expect(comparison.getByRole('button', { name: /^Send/ })).toHaveCount(0);
});

test('all files are saved as a zip and put back after they are gone', async ({ terminal, python }, info) => {
  python.put('/lib/deep/noise ü.bin', noise(9_000));
  python.put('/lib/empty.txt', '');
  const before = hashes(python.files);
  await showFiles(terminal);
  const saving = terminal.waitForEvent('download');
  await choose(terminal.getByRole('button', { name: 'More about the files of the board' }), 'Save all as zip');
  const zip = info.outputPath('board.zip');
  await (await saving).saveAs(zip);
  await expect(terminal.getByText('4 files saved as board.zip, each equal by its hash on the board.')).toBeVisible();
  expect((await readFile(zip)).subarray(0, 2).toString()).toBe('PK');

  await choose(terminal.getByRole('button', { name: 'More about /lib', exact: true }), 'Delete…');
  await terminal.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(terminal.getByText('/lib is deleted.')).toBeVisible();
  expect([...python.files.keys()].some((path) => path.startsWith('/lib'))).toBe(false);

  await terminal.getByLabel('Zip with files of a board').setInputFiles(zip);
  await expect(terminal.getByText('4 files written and verified.')).toBeVisible();
  expect(hashes(python.files)).toEqual(before);
});

test('a run prints into the log until Stop sends Ctrl+C', async ({ terminal, python }) => {
  python.put('/loop.py', "while True:\n  print('tick')\n");
  await showFiles(terminal);
  await terminal.getByRole('button', { name: 'loop.py', exact: true }).click();
  await expect(terminal.getByRole('textbox', { name: 'Text of /loop.py' })).toBeVisible();
  python.waitForInterrupt(3);
  await terminal.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(log(terminal).getByText('tick', { exact: true })).toHaveCount(3);
  await expect(terminal.getByText('Running. Its output is in the log, and what you send reaches it.')).toBeVisible();
  await terminal.getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(log(terminal)).toContainText('KeyboardInterrupt');
  await expect(terminal.getByText('loop.py has ended.')).toBeVisible();
});

test('a program that was interrupted starts again when another tool takes the place of the files', async ({
  terminal,
  python,
}) => {
  python.put('/main.py', "while True:\n  print('tick')\n");
  await terminal.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(terminal.getByRole('button', { name: 'Disconnect port 1' })).toBeVisible();
  await openTool(terminal, 'Board files');
  await terminal.getByRole('button', { name: 'Show the files' }).click();
  await terminal.getByRole('button', { name: 'Interrupt it' }).click();
  await expect(terminal.getByText('It starts again when you leave Board files.')).toBeVisible();
  await terminal.getByRole('tab', { name: 'Statistics' }).click();
  await expect(log(terminal)).toContainText('Soft reset of the board on Port 1.');
});
