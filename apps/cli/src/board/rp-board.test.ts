/**
 * RP2040 and RP2350 in a shell, as processes: simulated boards, and a mounted drive. A folder stands for the drive; what a
 * simulated board makes of the copied bytes decides.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { RpBoard, rpFirmware, rpFirmwareUf2 } from '@wirebench/devices/rp';
import { firstUnlessLong, isLong } from '@wirebench/test-input';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TestFolder } from '../testing/built-files.ts';
import { ran, ranIn, wirebench } from '../testing/monitored-port.ts';
import { isSame } from '../testing/served-board.ts';
import { fatMounts } from './mounted-drive.ts';

const files = new TestFolder();

const program = { text: 'written in a shell\r\n', kind: 'sdk', size: 40_000, seed: 3 } as const;
const saved = (name: string, bytes: Uint8Array) => files.saved(name, bytes);

const steps = (text: string): readonly Record<string, unknown>[] =>
  text
    .trim()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a simulated Pico', { timeout: 60_000 }, () => {
  it.each(firstUnlessLong(['rp2350', 'rp2040'] as const))(
    'is written, verified and started again: %s',
    async (chip) => {
      const file = saved(`${chip}.uf2`, rpFirmwareUf2({ ...program, chip }));
      const { code, text } = await ran('flash', '--simulate', chip, file, '--yes', '--json');
      expect(text).toContain(`"name":"${chip.toUpperCase()}"`);
      expect(code, text).toBe(0);
      const written = steps(text).find(({ event }) => event === 'written');
      expect(written).toMatchObject({ verified: true, written: 40_192 });
      expect(steps(text).find(({ event }) => event === 'restart')).toMatchObject({ done: true });
    },
  );

  it('refuses a program for the other chip with 4', async () => {
    const file = saved('pico2.uf2', rpFirmwareUf2({ ...program, chip: 'rp2350' }));
    const { code, text } = await ran('flash', '--simulate', 'rp2040', file, '--yes');
    expect(text).toContain('was built for RP2350');
    expect(code).toBe(4);
  });

  const readRange = async () => {
    const file = join(files.path, 'read.bin');
    const read = await ran('read', '--simulate', 'rp2040', file, '--range', '0x10000000+0x1000');
    expect(read.code, read.text).toBe(0);
    // The factory program of the simulated board.
    expect(statSync(file).size).toBe(4_096);
    return readFileSync(file);
  };

  it('is read and erased', async () => {
    expect((await readRange()).every((byte) => byte === 0xff)).toBe(false);
    const erased = await ran('erase', '--simulate', 'rp2040', '--range', '0x10000000+0x2000', '--yes');
    expect(erased.code, erased.text).toBe(0);
    expect(erased.text).toContain('0x10000000 was erased, 8 KB.');
  });

  // All of its flash takes seconds at the rate of full speed.
  it.runIf(isLong)('is backed up and restored', async () => {
    const file = await readRange();
    const backup = join(files.path, 'backup.bin');
    expect((await ran('backup', '--simulate', 'rp2040', backup)).code).toBe(0);
    expect(statSync(backup).size).toBe(2 * 1_024 * 1_024);
    expect(isSame(readFileSync(backup).subarray(0, 4_096), file)).toBe(true);
    const restore = await ran('restore', '--simulate', 'rp2040', backup, '--yes', '--json');
    expect(restore.code, restore.text).toBe(0);
    expect(steps(restore.text).find(({ event }) => event === 'written')).toMatchObject({ written: 0, verified: true });
  });
});

describe('a simulated Pico with files of MicroPython', { timeout: 60_000 }, () => {
  const flashedIn = (folder: string, bytes: Uint8Array, ...more: readonly string[]) => {
    mkdirSync(folder, { recursive: true });
    const file = saved(`${basename(folder)}.uf2`, bytes);
    return ranIn(folder, ['flash', '--simulate', 'rp2040-micropython', file, '--yes', '--json', ...more]);
  };
  const flashed = async (name: string, bytes: Uint8Array, ...more: readonly string[]) => {
    const folder = join(files.path, name);
    const { code, text } = await flashedIn(folder, bytes, ...more);
    expect(code, text).toBe(0);
    return { text, step: steps(text).find(({ event }) => event === 'saved'), left: readdirSync(folder) };
  };
  const archive = 'rp2040-files-at-0x100A0000.zip';
  /** A program of 1 MiB that says nothing of itself, over the files. */
  const large = () => rpFirmwareUf2({ ...program, size: 1_048_576 });

  it('keeps an archive of them until they are back on the board', async () => {
    // The files of a Pico W begin later.
    const drive = { name: 'MicroPython', address: 0x1012_c000, size: 848 * 1_024 };
    const { step, left } = await flashed('moved', rpFirmwareUf2({ ...program, drive }));
    expect(step).toMatchObject({ file: 'rp2040-files-at-0x100A0000.zip', isPutBack: true });
    expect(left).toEqual([]);
  });

  it('leaves the archive of files that are not put back', async () => {
    const { step, left } = await flashed('taken', rpFirmwareUf2({ ...program, size: 700_000 }));
    expect(step).toMatchObject({ isPutBack: false });
    expect(left).toEqual([archive]);
  });

  it('names them where they stay', async () => {
    const small = await flashed('small', rpFirmwareUf2(program));
    expect(steps(small.text).find(({ event }) => event === 'plan')).toMatchObject({ kept: ['a LittleFS file system'] });
    expect(small.left).toEqual([]);
  });

  it('replaces no file of that name', async () => {
    const folder = join(files.path, 'there');
    mkdirSync(folder);
    writeFileSync(join(folder, archive), 'older');
    const { left } = await flashed('there', large());
    expect(left.toSorted()).toEqual(['rp2040-files-at-0x100A0000-2.zip', archive].toSorted());
    expect(readFileSync(join(folder, archive), 'utf8')).toBe('older');
  });

  it('is not written if the archive cannot be saved, and then ends with 1', async () => {
    const folder = join(files.path, 'full');
    // A folder in the place of the file cannot be written, by root neither.
    mkdirSync(join(folder, `${archive}.part`), { recursive: true });
    const { code, text } = await flashedIn(folder, large());
    expect(code, text).toBe(1);
    expect(text).toContain(
      `nothing was written, because the data of the board could not be saved as ${join(folder, archive)}`,
    );
    expect(text).toContain('With --no-save-files it writes without saving.');
    expect(steps(text).map(({ event }) => event)).not.toContain('stage');
  });

  it('gives the files up with --no-save-files, and the plan says so', async () => {
    const { text, step, left } = await flashed('given-up', large(), '--no-save-files');
    expect([step, left]).toEqual([undefined, []]);
    expect(text).toContain('They are lost: --no-save-files gives them up.');
    expect(text).not.toContain('before anything is written');
  });
});

/** A folder in the place of the drive of a simulated board in BOOTSEL. */
class DriveFolder {
  readonly path: string;
  readonly board: RpBoard;

  constructor(name: string, board: RpBoard) {
    this.path = join(files.path, name);
    this.board = board;
    mkdirSync(this.path);
  }

  static async of(name: string): Promise<DriveFolder> {
    const board = new RpBoard({ clock: systemClock, bootsel: true, pace: 'none', drive: { end: 'ok' } });
    await vi.waitUntil(() => board.device !== null, 10_000);
    const folder = new DriveFolder(name, board);
    const info = await (await board.drive.getFileHandle('INFO_UF2.TXT')).getFile();
    writeFileSync(join(folder.path, 'INFO_UF2.TXT'), await info.text());
    return folder;
  }

  /** Passes the copied file to the board once it is whole, and removes the folder if the board leaves BOOTSEL. */
  async passOn(size: number): Promise<void> {
    const isWhole = () => this.#copied()?.size === size;
    await vi.waitUntil(isWhole, 20_000);
    const { name } = this.#copied() ?? { name: '' };
    const bytes = Uint8Array.from(readFileSync(join(this.path, name)));
    this.board.holdBootsel(false);
    const writer = await (await this.board.drive.getFileHandle(name, { create: true })).createWritable();
    await writer.write(bytes);
    await writer.close();
    await vi.waitUntil(() => this.board.state === 'running', 10_000);
    rmSync(this.path, { recursive: true });
  }

  #copied(): { readonly name: string; readonly size: number } | null {
    const [name] = existsSync(this.path) ? readdirSync(this.path).filter((one) => one !== 'INFO_UF2.TXT') : [];
    return name === undefined ? null : { name, size: statSync(join(this.path, name)).size };
  }
}

describe('the drive of a Pico as a folder', { timeout: 60_000 }, () => {
  it('takes a UF2 file, and its end is the end of the command', async () => {
    const drive = await DriveFolder.of('RPI-RP2');
    const image = rpFirmware(program);
    const uf2 = rpFirmwareUf2(program);
    const flashing = ran('flash', drive.path, saved('new.uf2', uf2), '--yes', '--json');
    await drive.passOn(uf2.length);
    const { code, text } = await flashing;
    expect(code, text).toBe(0);
    expect(text).toContain('"code":"by-drive"');
    expect(steps(text).find(({ event }) => event === 'written')).toMatchObject({ verified: false });
    expect(isSame(drive.board.flash.read(0, image.length), image)).toBe(true);
  });

  it('is left alone by a plan, a refused plan, and a command that reads or erases', async () => {
    const drive = await DriveFolder.of('RPI-RP2-planned');
    const before = readdirSync(drive.path);
    const other = saved('other.uf2', rpFirmwareUf2({ ...program, chip: 'rp2350' }));
    const planned = await ran('flash', drive.path, saved('plan.uf2', rpFirmwareUf2(program)), '--plan');
    expect(planned.code, planned.text).toBe(0);
    expect((await ran('flash', drive.path, other, '--yes')).code).toBe(4);
    const read = await ran('read', drive.path, join(files.path, 'never.bin'));
    expect([read.code, read.text]).toEqual([4, expect.stringContaining('can neither read nor erase')]);
    expect((await ran('erase', drive.path, '--yes', '--range', '0x10000000+0x1000')).code).toBe(4);
    expect((await ran('flash', drive.path, other, '--yes', '--family', 'esp')).code).not.toBe(0);
    expect(readdirSync(drive.path)).toEqual(before);
  });

  it('is refused by its name without INFO_UF2.TXT, with 3 and before a byte', async () => {
    const path = join(files.path, 'CIRCUITPY');
    mkdirSync(path);
    const { code, text } = await ran('flash', path, saved('any.uf2', rpFirmwareUf2(program)), '--yes');
    expect(text).toContain('"CIRCUITPY" is not the drive of a board in BOOTSEL');
    expect(code).toBe(3);
    expect(readdirSync(path)).toEqual([]);
  });

  it('ends with 130 after Ctrl+C while the board is awaited, and keeps the whole copy', async () => {
    const drive = await DriveFolder.of('RPI-RP2-held');
    const uf2 = rpFirmwareUf2(program);
    const flashing = wirebench(['flash', drive.path, saved('held.uf2', uf2), '--yes']);
    onTestFinished(() => flashing.interrupt());
    const copied = () => readdirSync(drive.path).find((name) => name !== 'INFO_UF2.TXT');
    await vi.waitUntil(() => {
      const name = copied();
      return name !== undefined && statSync(join(drive.path, name)).size === uf2.length;
    }, 20_000);
    flashing.interrupt();
    expect(await flashing.exited).toBe(130);
    expect(flashing.text()).toContain('interrupted.');
    const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
    expect(hash(readFileSync(join(drive.path, copied() ?? '')))).toBe(hash(uf2));
  });
});

describe('mounted drives', () => {
  it('are the FAT volumes of the list of mounts, with their spaces', () => {
    const list = [
      'sysfs /sys sysfs rw 0 0',
      '/dev/sda1 / ext4 rw 0 0',
      '/dev/sdb1 /media/me/RPI-RP2 vfat rw,nosuid 0 0',
      '/dev/sdc1 /media/me/MY\\040DRIVE vfat rw 0 0',
    ].join('\n');
    expect(fatMounts(list)).toEqual(['/media/me/RPI-RP2', '/media/me/MY DRIVE']);
  });
});
