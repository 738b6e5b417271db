import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { rpFirmware } from '../firmware.ts';
import { RpBoard, type RpBoardOptions } from '../rp-board.ts';
import { uf2Of } from '../testing/uf2.ts';

const image = rpFirmware({ text: 'from the drive\r\n', kind: 'plain', size: 20_000 });

async function board(options: Partial<RpBoardOptions> = {}) {
  const clock = new VirtualClock(1_000);
  const made = new RpBoard({ clock, pace: 'none', bootsel: true, content: 'empty', reenumerate: 0, ...options });
  await clock.advance(1_000);
  made.holdBootsel(false);
  return { clock, board: made, drive: made.drive };
}

const nameOf = async (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof Error || error instanceof DOMException ? error.name : String(error)),
  );

/** Copies a file, while time passes. @returns The name of the error. */
async function copy(
  { clock, drive }: Awaited<ReturnType<typeof board>>,
  data: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const handle = await drive.getFileHandle('firmware.uf2', { create: true });
  const writable = await handle.createWritable();
  let isOver = false;
  const copied = (async () => {
    for (let at = 0; at < data.length; at += 65_536) {
      await writable.write(data.slice(at, at + 65_536));
    }
    await writable.close();
  })();
  const name = nameOf(copied).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await clock.advance(10);
  }
  return name;
}

describe('the drive as a folder', () => {
  it('has its two files', async () => {
    const { drive } = await board();
    const names: string[] = [];
    for await (const [name, handle] of drive) {
      names.push(`${handle.kind} ${name}`);
    }
    expect(names).toEqual(['file INDEX.HTM', 'file INFO_UF2.TXT']);
    const shaped: FileSystemDirectoryHandle = drive;
    const handle = await drive.getFileHandle('INDEX.HTM');
    expect([await shaped.resolve(handle), await shaped.isSameEntry(drive)]).toEqual([['INDEX.HTM'], true]);
    const info = await (await drive.getFileHandle('INFO_UF2.TXT')).getFile();
    expect(await info.text()).toBe('UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n');
    expect([info.name, new Date(info.lastModified).getFullYear()]).toEqual(['INFO_UF2.TXT', 2008]);
  });

  it('takes a UF2, after which the board restarts and the drive is gone', async () => {
    const rig = await board();
    expect(await copy(rig, uf2Of(image))).toBe('none');
    await rig.clock.advance(2_000);
    expect(rig.board.program).toEqual({ kind: 'plain', text: 'from the drive\r\n' });
    expect(rig.board.flash.read(0, image.length)).toEqual(image);
    expect(await nameOf(rig.drive.getFileHandle('INFO_UF2.TXT'))).toBe('NotFoundError');
  });

  it.each([
    ['error', 'InvalidStateError'],
    ['ok', 'none'],
  ] as const)('ends a slow copy of a complete file with %s: %s', async (end, name) => {
    const rig = await board({ pace: 'wire', drive: { flush: 'at-close', end } });
    // The tables are written after the data: a file of 1 MB keeps the host busy until the board has restarted.
    const slow = await copySlowly(rig, uf2Of(image));
    expect(slow).toBe(name);
    expect(rig.board.flash.read(0, image.length)).toEqual(image);
  });

  it('fails in the middle of a copy when the cable is pulled', async () => {
    const rig = await board({ faults: [{ at: 'drive-write', kind: 'unplug-in-data', nth: 3 }] });
    expect(await copy(rig, uf2Of(image))).toBe('InvalidStateError');
    expect(await nameOf(rig.drive.getFileHandle('INFO_UF2.TXT'))).toBe('NotFoundError');
    rig.board.holdBootsel(true);
    rig.board.replug();
    await rig.clock.advance(1_000);
    expect(await nameOf(rig.drive.getFileHandle('INFO_UF2.TXT'))).toBe('none');
  });

  it('takes a file of another family without a word, and stays', async () => {
    const rig = await board();
    expect(await copy(rig, uf2Of(image, { family: 0xe48b_ff59 }))).toBe('none');
    await rig.clock.advance(5_000);
    expect([rig.board.state, rig.board.flash.programmedBytes]).toEqual(['bootsel', 0]);
  });

  it('reports an error for a block between the last one and the restart', async () => {
    const { board: made } = await board();
    const blocks = made.blocks;
    await blocks?.write(4_000, uf2Of(image));
    const late = blocks?.write(5_000, uf2Of(image.subarray(0, 512)));
    await expect(late).rejects.toMatchObject({ name: 'DriveFailure', isGone: false });
  });

  it('refuses what is not there as Chromium does', async () => {
    const { drive } = await board();
    expect(await nameOf(drive.getFileHandle('none.txt'))).toBe('NotFoundError');
    expect(await nameOf(drive.getDirectoryHandle('INDEX.HTM'))).toBe('TypeMismatchError');
    expect(await nameOf(drive.removeEntry('INDEX.HTM'))).toBe('NoModificationAllowedError');
    const handle = await drive.getFileHandle('large.uf2', { create: true });
    const writable = await handle.createWritable();
    expect(await nameOf(writable.write({ type: 'write', position: 140_000_000, data: 'x' }))).toBe(
      'QuotaExceededError',
    );
  });
});

/** Copies a file whose tables are written only after the board has restarted. */
async function copySlowly(
  { clock, board: made, drive }: Awaited<ReturnType<typeof board>>,
  data: Uint8Array<ArrayBuffer>,
) {
  const opened = drive.getFileHandle('firmware.uf2', { create: true }).then((handle) => handle.createWritable());
  await clock.advance(1_000);
  const writable = await opened;
  await writable.write(data);
  let isOver = false;
  const name = nameOf(writable.close()).finally(() => {
    isOver = true;
  });
  while (!isOver && made.state === 'bootsel') {
    await clock.advance(1);
    // The system pauses before it writes the tables: the board is back first.
    if (made.flash.read(image.length - 256, 256).some((byte) => byte !== 0xff)) {
      made.pressReset();
    }
  }
  await clock.advance(100);
  return name;
}
