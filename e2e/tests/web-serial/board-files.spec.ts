/** Files of a MicroPython board through Chromium's own Web Serial: the genuine interpreter behind the port. */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { findings } from '../../support/accessibility.ts';
import { DraggedFiles } from '../../support/drag-files.ts';
import { test as base, expect } from '../../web-serial/fixture.ts';
import { PluggedBoard } from '../../web-serial/plugged-board.ts';
import { choose } from '../menu-steps.ts';
import { log, openTool, type } from '../terminal-steps.ts';

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

/** Connects port 1, and starts a program without an end. */
async function runProgram(terminal: Page, python: MicroPythonBoard): Promise<void> {
  await terminal.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(log(terminal)).toContainText('MicroPython v1.27.0');
  python.put('/main.py', "while True:\n  print('tick')\n");
  // Ctrl+D resets the board, which runs its program then.
  await type(terminal, '\x04');
  await expect(log(terminal)).toContainText('soft reboot');
}

/** Opens the files of the board on port 1. */
async function showFiles(terminal: Page): Promise<void> {
  await terminal.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(log(terminal)).toContainText('MicroPython v1.27.0');
  await terminal.getByRole('button', { name: 'Show its files' }).click();
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
  await terminal.getByRole('button', { name: 'Show its files' }).click();
  await terminal.getByRole('button', { name: 'main.py', exact: true }).click();
  const editor = terminal.getByRole('textbox', { name: 'Text of /main.py' });
  await expect(editor).toBeFocused();
  await expect(editor).toContainText('print(6 * 7)');
  await terminal.keyboard.press('ControlOrMeta+a');
  await terminal.keyboard.insertText("print('edited', 6 * 8)\n");
  await terminal.getByRole('button', { name: 'Save', exact: true }).last().click();
  await expect(terminal.getByText('/main.py is saved and verified.')).toBeVisible();
  expect(text(python, '/main.py')).toBe("print('edited', 6 * 8)\n");
  await terminal.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(log(terminal)).toContainText('edited 48');
  await expect(terminal.getByText('main.py has ended.')).toBeVisible();
  await expect(log(terminal)).toContainText(/>>> $/);
  await type(terminal, 'print(1 + 1)');
  await expect(log(terminal)).toContainText(/>>> print\(1 \+ 1\)\s*(.*\s*)?2/);
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
  await runProgram(terminal, python);
  await openTool(terminal, 'Board files');
  await terminal.getByRole('button', { name: 'Show the files' }).click();
  await terminal.getByRole('button', { name: 'Interrupt it' }).click();
  await expect(terminal.getByRole('button', { name: 'main.py', exact: true })).toBeVisible();
  await terminal.getByRole('button', { name: 'Soft reset' }).click();
  await expect(terminal.getByText('The board runs its program again.')).toBeVisible();
});

test('the menu shows the files of a board at its prompt at once', async ({ terminal }) => {
  await terminal.getByRole('button', { name: 'Connect port 1', exact: true }).first().click();
  await expect(log(terminal)).toContainText('MicroPython v1.27.0');
  await openTool(terminal, 'Board files');
  await expect(terminal.getByRole('button', { name: 'main.py', exact: true })).toBeVisible();
});

test('the strip asks at once before it interrupts a program', async ({ terminal, python }) => {
  await runProgram(terminal, python);
  await terminal.getByRole('button', { name: 'Show its files' }).click();
  await terminal.getByRole('button', { name: 'Interrupt it' }).click();
  await expect(terminal.getByRole('button', { name: 'main.py', exact: true })).toBeVisible();
});

test('the editor colours a program, finds, undoes, and saves no other byte than the changed ones', async ({
  terminal,
  python,
}) => {
  const program = `import time\r\nif True:\r\n\tled = 'é'  # one\r\n${'x = 1\r\n'.repeat(3_000)}end`;
  python.put('/crlf.py', program);
  await showFiles(terminal);
  await terminal.getByRole('button', { name: 'crlf.py', exact: true }).click();
  const editor = terminal.getByRole('textbox', { name: 'Text of /crlf.py' });
  await expect(editor).toBeFocused();
  // Needs a constructed style sheet: the policy of the page refuses others.
  const colour = (of: Locator) => of.evaluate((element) => getComputedStyle(element).color);
  const keyword = editor.getByText('import', { exact: true });
  await expect.poll(async () => (await colour(keyword)) === (await colour(editor))).toBe(false);
  for (const theme of ['light', 'dark']) {
    await terminal.evaluate((name) => {
      document.documentElement.dataset['theme'] = name;
    }, theme);
    expect(await findings(terminal)).toEqual([]);
  }
  await terminal.keyboard.insertText('wrong');
  await terminal.keyboard.press('ControlOrMeta+z');
  await expect(terminal.getByText('changed', { exact: true })).toHaveCount(0);

  await terminal.keyboard.press('ControlOrMeta+f');
  await expect(terminal.getByRole('textbox', { name: 'Find', exact: true })).toBeFocused();
  await terminal.keyboard.type('# one');
  expect(await findings(terminal)).toEqual([]);
  await terminal.keyboard.press('Enter');
  await terminal.keyboard.press('Escape');
  await expect(editor).toBeFocused();
  await terminal.keyboard.insertText('# two');
  await terminal.keyboard.press('Tab');
  await terminal.keyboard.press('ControlOrMeta+s');
  await expect(terminal.getByText('/crlf.py is saved and verified.')).toBeVisible();
  expect(text(python, '/crlf.py')).toBe(program.replace('# one', '# two\t'));

  await terminal.keyboard.press('Escape');
  await terminal.keyboard.press('Shift+Tab');
  await expect(terminal.getByRole('button', { name: 'Close', exact: true }).last()).toBeFocused();
});

/** Saves a file of the folder that the page watches. */
const save = (page: Page, name: string, content: string) =>
  page.evaluate(
    async ([name, content]) => {
      const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('project', { create: true });
      const file = await (await folder.getFileHandle(name, { create: true })).createWritable();
      await file.write(content);
      await file.close();
    },
    [name, content] as const,
  );

test('a saved file of a watched folder is written and run, and one changed on the board is a question', async ({
  terminal,
  python,
}) => {
  await showFiles(terminal);
  await save(terminal, 'main.py', 'print(6 * 7)\n');
  // A folder of the browser in place of the system's dialog, which no test can answer.
  await terminal.evaluate(() => {
    const pick = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('project');
    Object.assign(window, { showDirectoryPicker: pick });
  });
  await choose(terminal.getByRole('button', { name: 'More about the files of the board' }), 'Watch a folder…');
  const watched = terminal.getByRole('region', { name: 'Watched folder' });
  await expect(watched).toContainText('Watching project');
  await terminal.setViewportSize({ width: 390, height: 844 });
  const box = await watched.getByRole('switch').first().boundingBox();
  expect(box?.width).toBeGreaterThan((box?.height ?? Number.NaN) * 1.5);
  await terminal.setViewportSize({ width: 1440, height: 900 });
  await expect(terminal.getByRole('region', { name: 'Comparison with the board' })).toContainText(
    '1 file equal by hash.',
  );
  await watched.getByRole('switch', { name: 'Write each saved file by itself' }).check();
  await watched.getByRole('switch', { name: 'Soft reset afterwards' }).check();
  expect(await findings(terminal)).toEqual([]);
  await save(terminal, 'main.py', "print('saved', 6 * 9)\n");
  await expect(log(terminal)).toContainText('Wrote /main.py to the board on Port 1: 22 bytes, verified.');
  await expect(log(terminal)).toContainText('saved 54');
  expect(text(python, '/main.py')).toBe("print('saved', 6 * 9)\n");

  python.put('/main.py', "print('changed on the board')\n");
  await save(terminal, 'main.py', "print('again')\n");
  await expect(watched).toContainText('Changed on the board since it was read');
  expect(text(python, '/main.py')).toBe("print('changed on the board')\n");
  await watched.getByRole('button', { name: 'Write over it' }).click();
  await expect(log(terminal).getByText('again', { exact: true })).toBeVisible();
  expect(text(python, '/main.py')).toBe("print('again')\n");
});

test('a package is looked up, shown and written with what it needs', async ({ terminal, python }) => {
  const index = 'https://micropython.org/pi/v2/';
  const short = (content: string) => hashOf(Buffer.from(content)).slice(0, 8);
  const answers: Readonly<Record<string, string>> = {
    'package/py/one/latest.json': JSON.stringify({
      v: 1,
      version: '1.2',
      hashes: [['one/__init__.py', short('import two\n')]],
      deps: [['two', 'latest']],
    }),
    'package/py/two/latest.json': JSON.stringify({ v: 1, version: '0.1', hashes: [['two.py', short('x = 2\n')]] }),
    [`file/${short('import two\n').slice(0, 2)}/${short('import two\n')}`]: 'import two\n',
    [`file/${short('x = 2\n').slice(0, 2)}/${short('x = 2\n')}`]: 'x = 2\n',
  };
  // Stands in for the index, under the page's real policy.
  await terminal.route(`${index}**`, (route) => {
    const body = answers[route.request().url().slice(index.length)];
    const headers = { 'access-control-allow-origin': '*' };
    return route.fulfill(body === undefined ? { status: 404, headers } : { body, headers });
  });
  await showFiles(terminal);
  await choose(terminal.getByRole('button', { name: 'More about the files of the board' }), 'Install a package…');
  const dialog = terminal.getByRole('dialog', { name: 'Install a package' });
  await dialog.getByLabel('Name').fill('none');
  await dialog.getByLabel('Name').press('Enter');
  await expect(dialog).toContainText('micropython-lib has no such package');
  await dialog.getByLabel('Name').fill('one');
  await dialog.getByRole('button', { name: 'Look up' }).click();
  await expect(dialog).toContainText('one 1.2 with two 0.1');
  // The tool moves from its column to the place of the console, as on a phone that is turned.
  await terminal.setViewportSize({ width: 390, height: 844 });
  await expect(dialog.getByLabel('Name')).toHaveValue('one');
  await terminal.setViewportSize({ width: 1440, height: 900 });
  await expect(dialog).toContainText('one 1.2 with two 0.1');
  expect(await findings(terminal)).toEqual([]);
  expect(python.files.has('/lib/two.py')).toBe(false);
  await dialog.getByRole('button', { name: 'Write 2 files' }).click();
  await expect(terminal.getByText('2 files written and verified.')).toBeVisible();
  expect(text(python, '/lib/one/__init__.py')).toBe('import two\n');
  expect(text(python, '/lib/two.py')).toBe('x = 2\n');
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
  await runProgram(terminal, python);
  await openTool(terminal, 'Board files');
  await terminal.getByRole('button', { name: 'Show the files' }).click();
  await terminal.getByRole('button', { name: 'Interrupt it' }).click();
  await expect(terminal.getByText('It starts again when you leave Board files.')).toBeVisible();
  await openTool(terminal, 'Statistics');
  await expect(log(terminal)).toContainText('Soft reset of the board on Port 1.');
});
