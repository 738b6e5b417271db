/**
 * mtools and fsck.fat, two independent readers of FAT, have to accept the drive as a file system. Runs if they are
 * installed.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { VirtualClock } from '@wirebench/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canCall } from '../../testing/pseudo-terminal.ts';
import { RpBoard } from '../rp-board.ts';

/** Sectors that hold something: the tables, the directory and two clusters. The others are zeros. */
const usedSectors = 320;
const allSectors = 262_144;
const call = promisify(execFile);
let folder: string;
let disk: string;
let volume: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-rp2-drive-'));
  disk = join(folder, 'disk.img');
  volume = join(folder, 'volume.img');
  const clock = new VirtualClock();
  const board = new RpBoard({ clock, pace: 'none', bootsel: true });
  await clock.advance(1_000);
  expect(await board.blocks?.count()).toBe(allSectors);
  const image = new Uint8Array(allSectors * 512);
  image.set((await board.blocks?.read(0, usedSectors)) ?? []);
  image.set((await board.blocks?.read(allSectors - 1, 1)) ?? [], (allSectors - 1) * 512);
  writeFileSync(disk, image);
  writeFileSync(volume, image.subarray(512));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasTools = canCall(['mdir', '-V'], ['fsck.fat', '--help']);

describe.runIf(hasTools)('the drive beside mtools and fsck.fat', () => {
  it('is read by mtools through its partition table', async () => {
    const { stdout } = await call('mdir', ['-b', '-i', `${disk}@@512`, '::'], { timeout: 20_000 });
    expect(stdout.trim().split(/\s+/)).toEqual(['::/INDEX.HTM', '::/INFO_UF2.TXT']);
    const copied = join(folder, 'info.txt');
    await call('mcopy', ['-i', `${disk}@@512`, '::INFO_UF2.TXT', copied], { timeout: 20_000 });
    expect(readFileSync(copied, 'utf8')).toMatch(/^UF2 Bootloader v3\.0\nModel: Raspberry Pi RP2\n/);
  });

  it('is without fault for fsck.fat', async () => {
    const { stdout } = await call('fsck.fat', ['-n', '-v', volume], { timeout: 20_000 });
    expect(stdout.trim().split('\n').slice(-2)).toEqual([
      'Checking for unused clusters.',
      `${volume}: 3 files, 2/32731 clusters`,
    ]);
  });
});
