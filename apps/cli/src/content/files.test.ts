/** `wirebench files` as a process: file systems of simulated boards, and the genuine MicroPython, behind pseudo-terminals. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Device, EspDevice } from '@wirebench/devices';
import { MicroPythonBoard } from '@wirebench/devices/micropython';
import { firstUnlessLong, randomBytes } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boardWith, fileSystemOn } from '../testing/board-with-files.ts';
import { ran, ranIn, wirebench } from '../testing/monitored-port.ts';
import { hasSocat, isSame, served } from '../testing/served-board.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ownFolder = () => mkdtempSync(join(folder, 'own-'));

/** Runs an action on a board in a folder of its own. */
async function files(device: Device, args: readonly string[], own = ownFolder()) {
  return ranIn(own, ['files', (await served(device)).path, ...args]);
}

const pathsOn = (device: EspDevice) =>
  fileSystemOn(device)
    .list()
    .filter(({ kind }) => kind === 'file')
    .map(({ path }) => path)
    .sort();

const inFlash = ['--in', 'flash', '--by-hand'];

describe.runIf(hasSocat)('files in flash', { timeout: 60_000 }, () => {
  it.each(firstUnlessLong(['littlefs', 'spiffs', 'fat'] as const))(
    'are listed, copied, added and deleted in %s',
    async (kind) => {
      const device = boardWith(kind, 1);
      const own = ownFolder();
      const listed = await files(device, ['ls', '/www', ...inFlash], own);
      expect(listed.code, listed.text).toBe(0);
      expect(listed.output).toMatch(/^ {2}12 {2}\/www\/index\.html$/m);
      expect(listed.output).not.toContain('config.json');
      const got = await files(device, ['get', '/', 'backup', ...inFlash], own);
      expect(got.code, got.text).toBe(0);
      expect(readFileSync(join(own, 'backup', 'www', 'index.html'), 'utf8')).toBe('<p>hello</p>');
      expect(
        isSame(readFileSync(join(own, 'backup', 'www', 'log.bin')), fileSystemOn(device).read('/www/log.bin')),
      ).toBe(true);
      expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);

      mkdirSync(join(own, 'site', 'deep'), { recursive: true });
      writeFileSync(join(own, 'site', 'index.html'), '<p>new</p>');
      writeFileSync(join(own, 'site', 'deep', 'a.txt'), 'a');
      writeFileSync(join(own, 'site', '.DS_Store'), 'x');
      symlinkSync('/etc/hostname', join(own, 'site', 'link'));
      const put = await files(device, ['put', 'site/', '/www', ...inFlash, '--yes'], own);
      expect(put.code, put.text).toBe(0);
      expect(put.text).toContain('Left out, links and files of the operating system: ');
      expect(put.text).toContain('  /www/index.html changed\n');
      expect(put.text).toContain('written and verified in');
      expect(pathsOn(device)).toEqual(['/config.json', '/www/deep/a.txt', '/www/index.html', '/www/log.bin']);
      expect(new TextDecoder().decode(fileSystemOn(device).read('/www/index.html'))).toBe('<p>new</p>');

      expect((await files(device, ['rm', '/www/deep', '/config.json', ...inFlash, '-y'], own)).code).toBe(0);
      expect(pathsOn(device)).toEqual(['/www/index.html', '/www/log.bin']);
      expect(readdirSync(own).sort()).toEqual(['backup', 'site']);
    },
  );

  it('changes nothing for a plan, without consent, and for files that are there already', async () => {
    const device = boardWith('littlefs', 2);
    const own = ownFolder();
    writeFileSync(join(own, 'config.json'), '{"a":1}');
    writeFileSync(join(own, 'new.txt'), 'new');
    expect(await files(device, ['put', 'config.json', ...inFlash], own)).toMatchObject({
      code: 0,
      text: expect.stringContaining('Nothing changes: the board has this already.'),
    });
    expect(await files(device, ['put', 'new.txt', '/www/', ...inFlash, '--plan'], own)).toMatchObject({
      code: 0,
      text: expect.stringContaining('  + /www/new.txt 3 bytes\n'),
    });
    expect((await files(device, ['put', 'new.txt', ...inFlash], own)).code).toBe(4);
    expect(await files(device, ['rm', '/none', ...inFlash, '-y'], own)).toMatchObject({
      code: 1,
      text: expect.stringContaining('/none is not on the board.'),
    });
    expect(device.flash.programmedBytes + device.flash.erasedBytes).toBe(0);
  });

  it('prints a file alone, and replaces a local one with --force only', async () => {
    const device = boardWith('littlefs', 3);
    const own = ownFolder();
    expect(await files(device, ['get', '/config.json', '-', ...inFlash], own)).toMatchObject({
      code: 0,
      output: '{"a":1}',
    });
    expect(await files(device, ['get', '/www', '-', ...inFlash], own)).toMatchObject({
      code: 2,
      text: expect.stringContaining('/www is a folder, and - takes a file'),
    });
    expect(readdirSync(own)).toEqual([]);
    writeFileSync(join(own, 'config.json'), 'mine');
    expect(await files(device, ['get', '/config.json', ...inFlash], own)).toMatchObject({
      code: 4,
      text: expect.stringContaining('nothing was written. There already with other contents: config.json.'),
    });
    expect(readFileSync(join(own, 'config.json'), 'utf8')).toBe('mine');
    expect((await files(device, ['get', '/config.json', '-f', ...inFlash], own)).code).toBe(0);
    expect(readFileSync(join(own, 'config.json'), 'utf8')).toBe('{"a":1}');
  });

  it('formats an erased partition, and says the remedy before', async () => {
    const device = boardWith('erased', 4);
    const own = ownFolder();
    writeFileSync(join(own, 'a.txt'), 'a');
    const refused = await files(device, ['put', 'a.txt', ...inFlash, '-y'], own);
    expect(refused.code, refused.text).toBe(1);
    expect((await files(device, ['format', 'littlefs', ...inFlash, '-y'], own)).code).toBe(0);
    expect((await files(device, ['put', 'a.txt', ...inFlash, '-y'], own)).code).toBe(0);
    expect(pathsOn(device)).toEqual(['/a.txt']);
  });

  it('keeps the old contents in a file if the board is lost, which flash writes back', async () => {
    const device = boardWith('fat', 5, { profile: 'slow-flash' });
    const before = device.flash.read(0, device.flash.size).slice();
    const own = ownFolder();
    writeFileSync(join(own, 'big.bin'), randomBytes(60_000));
    const { path, terminal } = await served(device);
    const args = ['files', path, 'put', 'big.bin', '--yes', '--json', ...inFlash];
    const program = wirebench(args, {}, { folder: own });
    await program.until(/"phase":"writing","done":[1-9]/);
    await terminal.close();
    expect(await program.exited, program.text()).toBe(3);
    const [, file = ''] =
      /are in (\S+\.bin): "wirebench flash \S+ 0x110000=\1 --family esp"/.exec(program.text()) ?? [];
    device.pressReset();
    const back = await served(device);
    const { code, text } = await ranIn(own, [
      'flash',
      back.path,
      `0x110000=${file}`,
      '--family',
      'esp',
      '--by-hand',
      '-y',
    ]);
    expect(code, text).toBe(0);
    expect(isSame(device.flash.read(0, device.flash.size), before)).toBe(true);
  });
});

const inPython = ['--in', 'python'];

describe.runIf(hasSocat)('files over MicroPython', { timeout: 60_000 }, () => {
  it('are listed, copied in both directions and deleted', async () => {
    const log = randomBytes(3_000);
    const board = await MicroPythonBoard.load({ files: { '/boot.py': 'x = 1\n', '/lib/a.bin': log } });
    const own = ownFolder();
    const listed = await files(board, inPython, own);
    expect(listed.code, listed.text).toBe(0);
    expect(listed.output).toMatch(/^ {3}6 {2}\/boot\.py$/m);
    expect(listed.output).toMatch(/^3000 {2}\/lib\/a\.bin$/m);
    const got = await files(board, ['get', '/lib', ...inPython], own);
    expect(got.code, got.text).toBe(0);
    expect(isSame(readFileSync(join(own, 'lib', 'a.bin')), log)).toBe(true);
    writeFileSync(join(own, 'lib', 'b.py'), 'b = 2\n');
    const put = await files(board, ['put', 'lib', ...inPython], own);
    expect(put.code, put.text).toBe(0);
    expect(put.text).toContain('2 files on the board: 1 written, 1 there already.');
    expect(new TextDecoder().decode(board.files.get('/lib/b.py') ?? undefined)).toBe('b = 2\n');
    expect((await files(board, ['rm', '/lib', ...inPython], own)).code).toBe(4);
    expect((await files(board, ['rm', '/lib', ...inPython, '-y'], own)).code).toBe(0);
    expect([...board.files.keys()].filter((path) => path.startsWith('/lib'))).toEqual([]);
    expect((await files(board, ['mkdir', '/data/logs', ...inPython], own)).code).toBe(0);
    expect(board.files.get('/data/logs')).toBeNull();
  });

  it('interrupts a program with --yes only, and starts it again', async () => {
    const main = "print('up')\nwhile True:\n  pass\n";
    const board = await MicroPythonBoard.load({ files: { '/main.py': main } });
    const refused = await files(board, ['ls', ...inPython]);
    expect(refused.code, refused.text).toBe(4);
    expect(refused.text).toContain('With --yes it is interrupted.');
    const done = await files(board, ['get', '/main.py', '-', ...inPython, '--yes']);
    expect(done.code, done.text).toBe(0);
    expect(done.output).toBe(main);
    expect(done.text).toContain('The program was started again by a soft reset.');
  });

  it('ends with 3 when the board is unplugged, and the old file is whole', async () => {
    const board = await MicroPythonBoard.load({ files: { '/main.py': 'old\n' } });
    const own = ownFolder();
    writeFileSync(join(own, 'main.py'), '#'.repeat(200_000));
    const { path, terminal } = await served(board);
    const program = wirebench(['files', path, 'put', 'main.py', '--json', ...inPython], {}, { folder: own });
    await program.until(/"phase":"writing","done":[1-9]\d{4}/);
    await terminal.close();
    expect(await program.exited, program.text()).toBe(3);
    expect(new TextDecoder().decode(board.files.get('/main.py') ?? undefined)).toBe('old\n');
  });

  it('ends with 130 after Ctrl+C, and the board is at its prompt', async () => {
    const board = await MicroPythonBoard.load({ files: { '/main.py': 'x = 1\n' } });
    const own = ownFolder();
    writeFileSync(join(own, 'main.py'), '#'.repeat(200_000));
    const { path } = await served(board);
    const program = wirebench(['files', path, 'put', 'main.py', '--json', ...inPython], {}, { folder: own });
    await program.until(/"phase":"writing","done":[1-9]\d{3}/);
    program.interrupt();
    expect(await program.exited, program.text()).toBe(130);
    expect(program.text()).toContain('interrupted. Stopped. Files under their own names are whole.');
    expect([...board.files].filter(([, content]) => content !== null).map(([name]) => name)).not.toContain(
      '/.wirebench-new',
    );
    expect((await files(board, ['ls', ...inPython], own)).code).toBe(0);
  });
});

describe('files, wrongly used', () => {
  it('asks where the files are, and ends with 2 and 3', async () => {
    expect(await ran('files', 'port')).toMatchObject({
      code: 4,
      text: expect.stringContaining('Say it with --in flash'),
    });
    expect(await ran('files', 'port', 'cat', '/x')).toMatchObject({
      code: 2,
      text: expect.stringContaining('files takes ls, get, put, rm, mkdir, mv, format, and not cat.'),
    });
    expect((await ran('files', 'port', 'rm', '/', ...inFlash)).code).toBe(2);
    expect((await ran('files', 'port', 'ls', '/../x', ...inFlash)).code).toBe(2);
    expect((await ran('files', 'port', 'put', join(folder, 'none'), ...inFlash)).code).toBe(2);
    expect((await ran('files', '/dev/none', ...inPython)).code).toBe(3);
    expect((await ran('files', 'port', 'mkdir', '/a', '--plan', ...inPython)).code).toBe(2);
  });
});
