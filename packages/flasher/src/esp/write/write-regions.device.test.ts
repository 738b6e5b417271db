import { beforeAll, describe, expect, it } from 'vitest';
import type { WriteEvent } from '../../core/board.ts';
import { md5 } from '../../core/md5.ts';
import { type FlashRegion, splitIntoRegions } from '../../core/region.ts';
import { program } from '../../testing/program.ts';
import type { EspBoard } from '../esp-board.ts';
import { EspRig, loadAllChips } from '../testing/esp-rig.ts';

beforeAll(loadAllChips, 60_000);

/** Command number ("Serial Protocol", section "Commands"). */
const SPI_FLASH_MD5 = 0x13;

const image = program(400_000);
const regions = splitIntoRegions(0x1_0000, image, 0x1_0000);

/** Returns a connected board with `regions` written. */
async function written() {
  const rig = new EspRig();
  const board = await rig.connect();
  await rig.run(board.write(regions));
  rig.device.flash.resetCounts();
  return { rig, board };
}

function write(rig: EspRig, board: EspBoard, what: readonly FlashRegion[]) {
  const events: WriteEvent[] = [];
  return { events, report: rig.run(board.write(what, { onEvent: (event) => events.push(event) })) };
}

describe('writing contents that are already there', () => {
  it('writes nothing', async () => {
    const { rig, board } = await written();
    const { events, report } = write(rig, board, regions);
    expect(await report).toMatchObject({ state: 'complete', written: 0, same: image.length });
    expect(rig.device.flash.programmedBytes).toBe(0);
    expect(rig.device.flash.erasedBytes).toBe(0);
    expect(events).toContainEqual({ type: 'compared', same: image.length, toWrite: 0 });
  });

  it('writes the changed sectors of the one region that changed', async () => {
    const { rig, board } = await written();
    const changed = image.slice();
    changed.set(program(4_096, 7), 200_000);
    const report = await write(rig, board, splitIntoRegions(0x1_0000, changed, 0x1_0000)).report;
    expect(report).toMatchObject({ state: 'complete', written: 0x2000, same: image.length - 0x2000 });
    expect(report.regions.filter(({ outcome }) => outcome === 'verified')).toMatchObject([
      { offset: 0x4_0000, length: 0x1_0000 },
    ]);
    expect([rig.device.flash.programmedBytes, rig.device.flash.erasedBytes]).toEqual([0x2000, 0x2000]);
    expect(rig.flash(0x1_0000, image.length)).toEqual(changed);
  });

  it('writes a region whole when both of its halves changed', async () => {
    const { rig, board } = await written();
    const changed = image.slice();
    changed.set([1, 2, 3], 0x1_0100);
    changed.set([1, 2, 3], 0x1_f000);
    const report = await write(rig, board, splitIntoRegions(0x1_0000, changed, 0x1_0000)).report;
    expect(report).toMatchObject({ state: 'complete', written: 0x1_0000, same: image.length - 0x1_0000 });
    expect(rig.flash(0x1_0000, image.length)).toEqual(changed);
  });

  it('writes regions whole when many of them changed', async () => {
    const { rig, board } = await written();
    const changed = image.slice();
    for (let region = 0; region < 5; region++) {
      changed[region * 0x1_0000 + 5] = (changed[region * 0x1_0000 + 5] ?? 0) ^ 0xff;
    }
    const report = await write(rig, board, splitIntoRegions(0x1_0000, changed, 0x1_0000)).report;
    expect(report).toMatchObject({ state: 'complete', written: 0x5_0000, same: image.length - 0x5_0000 });
    expect(rig.flash(0x1_0000, image.length)).toEqual(changed);
  });

  it('writes the last bytes of a region that ends inside a sector', async () => {
    const { rig, board } = await written();
    const changed = image.slice();
    changed[image.length - 1] = (changed[image.length - 1] ?? 0) ^ 0xff;
    changed[0x1_0000] = (changed[0x1_0000] ?? 0) ^ 0xff;
    const report = await write(rig, board, splitIntoRegions(0x1_0000, changed, 0x1_0000)).report;
    const last = image.length % 0x1000;
    expect(report).toMatchObject({ state: 'complete', written: 0x1000 + last, same: image.length - 0x1000 - last });
    expect(rig.flash(0x1_0000, image.length)).toEqual(changed);
  });

  it('asks only for the hashes of regions that are not known', async () => {
    const { rig, board } = await written();
    const changed = image.slice();
    changed.set([1, 2, 3], 0x2_0000);
    const now = splitIntoRegions(0x1_0000, changed, 0x1_0000);
    // Hashes of what the board holds, as a plan has asked for them.
    const known = new Map(now.slice(0, 4).map((region, index) => [region, md5(regions[index]?.bytes ?? image)]));
    const before = rig.device.commands.get(SPI_FLASH_MD5) ?? 0;
    const report = await rig.run(board.write(now, { known }));
    expect(report).toMatchObject({ state: 'complete', written: 0x1000, same: image.length - 0x1000 });
    expect(report.regions.map(({ outcome }) => outcome)).toEqual(
      now.map((_, index) => (index === 2 ? 'verified' : 'same')),
    );
    expect(rig.flash(0x1_0000, image.length)).toEqual(changed);
    // Three regions, four pairs of halves of which the first one differs, and the region that was written.
    expect((rig.device.commands.get(SPI_FLASH_MD5) ?? 0) - before).toBe(now.length - known.size + 8 + 1);
  });

  it('writes everything if comparing is off', async () => {
    const { rig, board } = await written();
    const report = await rig.run(board.write(regions, { compare: false }));
    expect(report).toMatchObject({ written: image.length, same: 0 });
  });

  it('requests one hash for regions that were written in one go', async () => {
    const rig = new EspRig();
    const board = await rig.connect();
    const hashes = () => rig.device.commands.get(SPI_FLASH_MD5) ?? 0;
    const before = hashes();
    const report = await rig.run(board.write(regions, { compare: false }));
    // 400,000 bytes are sent in a run of 256 KiB and a run of the rest.
    expect(hashes() - before).toBe(2);
    const verified = regions.map(({ offset, bytes }) => ({ offset, proof: { kind: 'md5', value: md5(bytes) } }));
    expect(report.regions).toMatchObject(verified);
  });

  it('leaves bytes outside the regions alone', async () => {
    const rig = new EspRig({ flash: { content: [{ offset: 0x9000, data: new Uint8Array(0x6000).fill(0x5a) }] } });
    const board = await rig.connect();
    await rig.run(
      board.write([
        { offset: 0x8000, bytes: program(0x1000) },
        { offset: 0xf000, bytes: program(0x1000) },
      ]),
    );
    expect(rig.flash(0x9000, 0x6000)).toEqual(new Uint8Array(0x6000).fill(0x5a));
  });

  it('erases the bytes behind a region in its last sector', async () => {
    const rig = new EspRig({ flash: { content: [{ offset: 0, data: new Uint8Array(0x3000) }] } });
    const board = await rig.connect();
    await rig.run(board.write([{ offset: 0, bytes: program(5_000) }]));
    expect(rig.flash(5_000, 8_192 - 5_000)).toEqual(new Uint8Array(8_192 - 5_000).fill(0xff));
    expect(rig.flash(0x2000, 0x1000)).toEqual(new Uint8Array(0x1000));
  });
});

describe('progress', () => {
  it('never goes backwards, and ends with all of it', async () => {
    const rig = new EspRig();
    const board = await rig.connect();
    const { events, report } = write(rig, board, regions);
    await report;
    const progress = events.filter((event) => event.type === 'progress');
    const done = progress.map((event) => event.done);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
    expect(progress.at(-1)).toMatchObject({ done: image.length, total: image.length });
    expect(new Set(progress.map(({ phase }) => phase))).toEqual(new Set(['writing', 'verifying']));
    expect(progress.some(({ speed, remaining }) => speed !== null && speed > 0 && remaining !== null)).toBe(true);
  });

  it('reports each region once', async () => {
    const rig = new EspRig();
    const board = await rig.connect();
    const { events, report } = write(rig, board, regions);
    await report;
    const reported = events.filter((event) => event.type === 'region').map(({ offset }) => offset);
    expect(reported).toEqual(regions.map(({ offset }) => offset));
  });
});

describe('an impossible write', () => {
  it.each([
    ['built for another chip', [{ offset: 0, bytes: program(10) }], { chip: 'esp32c3' as const }, 'wrong-chip'],
    ['beyond the end of the flash chip', [{ offset: 0x3f_f000, bytes: program(0x1001) }], {}, 'flash-too-small'],
  ])('is refused before anything is erased: %s', async (_name, what, options, code) => {
    const rig = new EspRig();
    const board = await rig.connect();
    await expect(rig.run(board.write(what, options))).rejects.toMatchObject({ code, state: 'unchanged' });
    expect(rig.device.flash.erasedBytes).toBe(0);
  });

  it.each([
    ['not aligned', [{ offset: 0x800, bytes: program(10) }]],
    ['empty', [{ offset: 0, bytes: new Uint8Array() }]],
    [
      'sharing a sector',
      [
        { offset: 0, bytes: program(0x1001) },
        { offset: 0x1000, bytes: program(10) },
      ],
    ],
  ])('is an error of the caller: %s', async (_name, what) => {
    const rig = new EspRig();
    const board = await rig.connect();
    await expect(rig.run(board.write(what))).rejects.toThrow(RangeError);
  });
});

describe('an interrupted write', () => {
  it('reports the state of the board when it is cancelled, and the board can be used on', async () => {
    const rig = new EspRig();
    const board = await rig.connect();
    const abort = new AbortController();
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress' && event.done > image.length / 2) {
        abort.abort();
      }
    };
    const writing = board.write(regions, { signal: abort.signal, onEvent }).catch((error: unknown) => error);
    await rig.run(writing);
    expect(await writing).toMatchObject({ code: 'cancelled', state: 'incomplete' });
    const report = await rig.run(board.write(regions));
    expect(report.state).toBe('complete');
    expect(report.same).toBeGreaterThan(0);
    expect(rig.flash(0x1_0000, image.length)).toEqual(image);
  });

  it('has changed nothing if it ended in the comparison', async () => {
    const rig = new EspRig();
    const board = await rig.connect();
    const abort = new AbortController();
    abort.abort();
    await expect(rig.run(board.write(regions, { signal: abort.signal }))).rejects.toMatchObject({
      code: 'cancelled',
      state: 'unchanged',
    });
  });

  it('is resumed after a pulled cable, and only the rest is written', async () => {
    const rig = new EspRig();
    const board = await rig.connect();
    const onEvent = (event: WriteEvent) => {
      if (event.type === 'progress' && event.done > image.length / 2 && rig.unpluggedAt === null) {
        rig.demo.unplug();
      }
    };
    const writing = board.write(regions, { onEvent }).catch((error: unknown) => error);
    await rig.run(writing);
    expect(await writing).toMatchObject({ code: 'unplugged', state: 'incomplete' });
    expect(rig.clock.now() - (rig.unpluggedAt ?? 0)).toBeLessThanOrEqual(1_000);
    expect(board.over.aborted).toBe(true);
    await rig.run(board.close());
    rig.demo.replug();
    await rig.clock.advance(100);
    const mac = board.info.mac ?? '';
    const again = await rig.connect({ expectedMac: mac });
    const report = await rig.run(again.write(regions));
    expect(report.same).toBeGreaterThanOrEqual(image.length / 2 - 0x1_0000);
    expect(report.same + report.written).toBe(image.length);
    expect(rig.flash(0x1_0000, image.length)).toEqual(image);
  });

  it('is not resumed on another board', async () => {
    const rig = new EspRig();
    await expect(rig.connect({ expectedMac: '24:0a:c4:00:00:01' })).rejects.toMatchObject({ code: 'other-board' });
  });

  it('cannot be resumed on a board that was restarted', async () => {
    const rig = new EspRig({ chip: 'esp32s3' });
    const board = await rig.connect();
    await rig.run(board.restart());
    await expect(board.write(regions)).rejects.toMatchObject({ name: 'InvalidStateError' });
  });

  it('rejects a second call while it runs', async () => {
    const rig = new EspRig();
    const board = await rig.connect();
    const writing = board.write(regions);
    await expect(board.md5({ offset: 0, length: 1 })).rejects.toMatchObject({ name: 'InvalidStateError' });
    await rig.run(writing);
  });
});

describe('flash', () => {
  it('is read in parts with progress', async () => {
    const { rig, board } = await written();
    const progress: number[] = [];
    const range = { offset: 0x1_0000, length: 300_000 };
    const bytes = await rig.run(board.read(range, { onProgress: (done) => progress.push(done) }));
    expect(bytes).toEqual(image.subarray(0, 300_000));
    expect(progress.at(-1)).toBe(300_000);
  });

  it('is read without the stub', async () => {
    const rig = new EspRig({ chip: 'esp32c3', flash: { content: [{ offset: 0, data: program(1_000) }] } });
    const board = await rig.connect({ stub: false });
    expect(await rig.run(board.read({ offset: 0, length: 1_000 }))).toEqual(program(1_000));
  });

  it('is erased by whole sectors', async () => {
    const { rig, board } = await written();
    await rig.run(board.erase({ offset: 0x1_1000, length: 0x2000 }));
    expect(rig.flash(0x1_1000, 0x2000)).toEqual(new Uint8Array(0x2000).fill(0xff));
    expect(rig.flash(0x1_0000, 0x1000)).toEqual(image.subarray(0, 0x1000));
    expect(rig.flash(0x1_3000, 0x1000)).toEqual(image.subarray(0x3000, 0x4000));
    await expect(rig.run(board.erase({ offset: 0x1_1001, length: 0x1000 }))).rejects.toThrow(RangeError);
  });

  it('is erased as a whole', async () => {
    const { rig, board } = await written();
    await rig.run(board.eraseAll());
    expect(rig.flash(0, rig.device.flash.size).every((byte) => byte === 0xff)).toBe(true);
  });

  it('is not erased without the stub', async () => {
    const rig = new EspRig({ chip: 'esp32c3' });
    const board = await rig.connect({ stub: false });
    await expect(rig.run(board.eraseAll())).rejects.toMatchObject({ code: 'not-in-rom' });
  });

  it('is not read beyond its end', async () => {
    const rig = new EspRig();
    const board = await rig.connect();
    await expect(rig.run(board.read({ offset: 0x3f_f000, length: 0x2000 }))).rejects.toMatchObject({
      code: 'flash-too-small',
    });
  });
});
