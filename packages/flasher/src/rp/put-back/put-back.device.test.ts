/** Files of MicroPython and CircuitPython over a write: saved before, put back where the new program keeps its files. */
import { isLong, randomBytes } from '@wirebench/test-input';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { md5 } from '../../core/md5.ts';
import type { FamilyBoard, WriteOptions } from '../../family.ts';
import type { NewFile } from '../../file-systems/file-system.ts';
import { buildLittleFs } from '../../file-systems/littlefs/little-fs.ts';
import { type RpTypes, rpSettings } from '../family-types.ts';
import { flashStart } from '../files/index.ts';
import {
  type Area,
  Bench,
  circuitPython,
  circuitPythonDrive,
  filesOf,
  largeCore,
  microPython,
  never,
  pico,
  picoW,
  quiet,
  smallCore,
} from '../testing/rp-bench.ts';
import { codeOf } from '../testing/rp-rig.ts';
import { rpFirmware } from '../testing/simulated-rp.ts';

const KIB = 1_024;
const MIB = 1_048_576;

const program: readonly NewFile[] = [
  { path: '/main.py', bytes: new TextEncoder().encode('print("hello")\n') },
  { path: '/boot.py', bytes: new TextEncoder().encode('# boot\n') },
  { path: '/lib/driver.py', bytes: randomBytes(9_000) },
  { path: '/data/deep/log.bin', bytes: randomBytes(40_000) },
];

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

function onPico(files: readonly NewFile[] = program) {
  return new Bench([
    { offset: 0, data: microPython('old', pico) },
    { offset: pico.offset, data: buildLittleFs(pico.size, files) },
  ]);
}

describe('files of MicroPython', () => {
  it('stay where they are under a program with the same area, unread and unchanged', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const before = bench.rig.device.flash.read(pico.offset, pico.size);
    const plan = await bench.plan(board, microPython('new', pico, 640 * KIB));
    expect([plan.refusals, plan.warnings]).toEqual([[], []]);
    expect(board.savedFiles?.()).toEqual([]);
    await bench.write(board);
    expect(Buffer.from(before).equals(bench.rig.device.flash.read(pico.offset, pico.size))).toBe(true);
  });

  it('are put back into the smaller area of the new program, which grows over the old one', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const plan = await bench.plan(board, microPython('new', picoW, 1_100 * KIB));
    expect(plan.refusals).toEqual([]);
    expect(codes(plan.warnings)).toEqual(['puts-files-back', 'less-room']);
    expect(plan.warnings[0]?.what).toBe(
      'The write saves the files of MicroPython (LittleFS), 1.4 MB at 0x100A0000, and puts them back at 0x1012C000, where the new program keeps its files: 4 files, 47.9 KB.',
    );
    expect(plan.warnings[1]?.what).toBe('The new program has less room for files: 848 KB instead of 1.4 MB.');
    expect(plan.regions.at(-1)).toMatchObject({ offset: flashStart + picoW.offset });
    const report = await bench.write(board);
    expect(report.state).toBe('complete');
    expect(bench.files(picoW)).toEqual(filesOf(program));
  });

  it('are put back into a larger area, although the write would not touch them', async () => {
    const bench = new Bench([
      { offset: 0, data: microPython('old', picoW) },
      { offset: picoW.offset, data: buildLittleFs(picoW.size, program) },
    ]);
    const board = await bench.connect();
    const plan = await bench.plan(board, microPython('new', pico));
    expect(codes(plan.warnings)).toEqual(['puts-files-back']);
    await bench.write(board);
    expect(bench.files(pico)).toEqual(filesOf(program));
  });

  it('are named and kept in an archive if they do not fit, and those of the root folder come first', async () => {
    const large = { path: '/data/large.bin', bytes: randomBytes(900 * KIB) };
    const bench = onPico([...program, large]);
    const board = await bench.connect();
    const plan = await bench.plan(board, microPython('new', picoW, 1_100 * KIB));
    expect(codes(plan.warnings)).toEqual(['puts-files-back', 'less-room', 'files-left-out']);
    expect(plan.warnings[2]?.what).toContain('"/data/large.bin"');
    expect(plan.warnings[2]?.remedy).toContain('rp2040-files-at-0x100A0000.zip');
    const [kept] = board.savedFiles?.() ?? [];
    expect(kept).toMatchObject({ name: 'rp2040-files-at-0x100A0000.zip', isPutBack: false });
    const inZip = unzipSync(kept?.bytes ?? new Uint8Array());
    expect(inZip['data/large.bin']).toEqual(Uint8Array.from(large.bytes));
    expect(inZip['main.py']).toEqual(program[0]?.bytes);
    await bench.write(board);
    expect(bench.files(picoW)).toEqual(filesOf(program));
  });

  it('are kept in an archive under a program that says nothing of files', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const plan = await bench.plan(board, rpFirmware({ text: 'C program', size: 700 * KIB }));
    expect(codes(plan.warnings)).toEqual(['files-not-put-back']);
    expect(plan.warnings[0]?.what).toContain('does not say where it keeps files');
    await bench.write(board);
    // The archive is still there after the write.
    const [kept] = board.savedFiles?.() ?? [];
    expect(Object.keys(unzipSync(kept?.bytes ?? new Uint8Array())).filter((name) => !name.endsWith('/'))).toEqual(
      expect.arrayContaining(program.map(({ path }) => path.slice(1))),
    );
  });

  it('are handed over for saving before a byte is erased, and are left on the board if that fails', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const before = bench.rig.device.flash.read(0, 2 * MIB);
    const isUntouched = () => Buffer.from(before).equals(bench.rig.device.flash.read(0, 2 * MIB));
    const plan = await bench.plan(board, rpFirmware({ text: 'C program', size: MIB }));
    const file = 'rp2040-files-at-0x100A0000.zip';
    const area = 'the files of MicroPython (LittleFS)';
    expect(plan.saved).toEqual([{ file, area, isPutBack: false }]);
    expect(plan.warnings[0]?.remedy).toBe(`They are saved in "${file}" before anything is written: keep it.`);
    const isFull = new Error('The disk is full.');
    const failing: WriteOptions = { ...quiet, save: () => Promise.reject(isFull) };
    expect(await bench.rig.run(board.write(failing).catch((error: unknown) => error))).toBe(isFull);
    expect(await bench.rig.run(codeOf(board.write({ ...quiet, save: undefined })))).toBe('write-failed');
    expect(isUntouched()).toBe(true);

    const saved: [names: readonly string[], untouched: boolean][] = [];
    await bench.rig.run(
      board.write({
        ...quiet,
        save: async ([archive]) => {
          saved.push([Object.keys(unzipSync(archive?.bytes ?? new Uint8Array())), isUntouched()]);
        },
      }),
    );
    expect(saved).toEqual([[expect.arrayContaining(program.map(({ path }) => path.slice(1))), true]]);
    expect(isUntouched()).toBe(false);
  });

  it('are named on the map of every plan, whatever becomes of them', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const named = async (image: Uint8Array, eraseAll = false) => {
      const { map } = await bench.plan(board, image, eraseAll);
      return map.filter(({ name }) => name !== null).map(({ name, fate, length }) => [name, fate, length / KIB]);
    };
    const name = 'the files of MicroPython (LittleFS)';
    expect(await named(microPython('new', pico))).toEqual([[name, 'kept', 1_408]]);
    expect(await named(rpFirmware({ text: 'C program', size: MIB }))).toEqual([
      [name, 'written', 384],
      [name, 'kept', 1_024],
    ]);
    expect(await named(microPython('new', pico), true)).toEqual([[name, 'erased', 1_408]]);
  });

  it('are not put back over files that the firmware brings, nor after an erase of everything', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const own = buildLittleFs(pico.size, [{ path: '/main.py', bytes: new TextEncoder().encode('# own\n') }]);
    const image = new Uint8Array(2 * MIB).fill(0xff);
    image.set(microPython('new', pico));
    image.set(own, pico.offset);
    const plan = await bench.plan(board, image);
    expect(codes(plan.warnings)).toEqual(['files-not-put-back']);
    await bench.write(board);
    expect(Object.keys(bench.files(pico))).toEqual(['/main.py']);

    const erased = onPico();
    const other = await erased.connect();
    const all = await erased.plan(other, microPython('new', pico), true);
    expect(codes(all.warnings)).toEqual(['files-not-put-back', 'rest-is-erased']);
    expect(other.savedFiles?.()).toMatchObject([{ isPutBack: false }]);
  });
});

describe('files of CircuitPython', () => {
  const files: readonly NewFile[] = [
    { path: '/code.py', bytes: new TextEncoder().encode('import board\n') },
    { path: '/lib/adafruit_thing.mpy', bytes: randomBytes(20_000) },
    { path: '/settings.toml', bytes: new TextEncoder().encode('A = "b"\n') },
  ];
  const drive = (offset: number): Area => ({ offset, size: 2 * MIB - offset });

  const settings = randomBytes(200);
  const settingsOn = ({ rig }: Bench, offset: number) => rig.device.flash.read(offset - 4_096, settings.length);

  function onBoard(nvm = new Uint8Array(0)) {
    return new Bench([
      { offset: 0, data: circuitPython('old', smallCore) },
      ...(nvm.length === 0 ? [] : [{ offset: smallCore - 4_096, data: nvm }]),
      { offset: smallCore, data: circuitPythonDrive(2 * MIB - smallCore, files) },
    ]);
  }

  it('stay where they are under a program with the same drive', async () => {
    const bench = onBoard();
    const board = await bench.connect();
    const plan = await bench.plan(board, circuitPython('new', smallCore));
    expect([plan.refusals, plan.warnings]).toEqual([[], []]);
    await bench.write(board);
    expect(bench.files(drive(smallCore))).toEqual(filesOf(files));
  });

  it('are put back behind a larger core, on a drive with the same label', async () => {
    const bench = onBoard();
    const board = await bench.connect();
    const plan = await bench.plan(board, circuitPython('new', largeCore));
    expect(codes(plan.warnings)).toEqual(['puts-files-back', 'less-room']);
    await bench.write(board);
    expect(bench.files(drive(largeCore))).toEqual(filesOf(files));
    await bench.rig.run(board.look?.(never) ?? Promise.reject());
    expect(board.facts.info.users).toMatchObject([
      { name: 'the files of CircuitPython (FAT)', offset: largeCore, system: 'circuitpython' },
    ]);
  });

  it('are put back with the settings before them, which move with the drive', async () => {
    const bench = onBoard(settings);
    const board = await bench.connect();
    const plan = await bench.plan(board, circuitPython('new', largeCore));
    expect(codes(plan.warnings)).toEqual(['puts-files-back', 'less-room']);
    expect(plan.warnings[0]?.what).toMatch(/at 0x10181000, .*: 3 files, .*, and the settings \(nvm\) before them\.$/);
    await bench.write(board);
    expect(settingsOn(bench, largeCore)).toEqual(Uint8Array.from(settings));
    expect(bench.files(drive(largeCore))).toEqual(filesOf(files));
  });

  it('stay with their settings under a program with the same drive', async () => {
    const bench = onBoard(settings);
    const board = await bench.connect();
    expect((await bench.plan(board, circuitPython('new', smallCore))).warnings).toEqual([]);
    await bench.write(board);
    expect(settingsOn(bench, smallCore)).toEqual(Uint8Array.from(settings));
  });

  it('are in the archive with their settings if nothing is put back, and the plan says so', async () => {
    const bench = onBoard(settings);
    const board = await bench.connect();
    const plan = await bench.plan(board, circuitPython('new', smallCore), true);
    expect(codes(plan.warnings)).toEqual(['files-not-put-back', 'settings-lost', 'rest-is-erased']);
    expect(plan.warnings[1]).toMatchObject({
      what: 'Settings of CircuitPython (nvm, 4 KB at 0x100FF000) are not put back.',
      remedy: 'They are saved in "rp2040-files-at-0x10100000.zip" before anything is written: keep it.',
    });
    const [kept] = board.savedFiles?.() ?? [];
    const inZip = unzipSync(kept?.bytes ?? new Uint8Array());
    expect(inZip['nvm.bin']?.subarray(0, settings.length)).toEqual(Uint8Array.from(settings));
  });

  it('are not touched by a program that goes over the settings alone, which the plan names', async () => {
    const bench = onBoard(settings);
    const board = await bench.connect();
    const plan = await bench.plan(board, rpFirmware({ text: 'C program', size: smallCore - 2_048 }));
    expect(codes(plan.warnings)).toContain('settings-lost');
    expect(plan.warnings.find(({ code }) => code === 'settings-lost')?.remedy).toMatch(/^Save this range first/);
  });

  it('are not given to MicroPython, but kept in an archive', async () => {
    const bench = onBoard();
    const board = await bench.connect();
    const plan = await bench.plan(board, microPython('new', pico));
    expect(codes(plan.warnings)).toEqual(['files-not-put-back']);
    expect(plan.warnings[0]?.what).toContain('another kind of files');
    expect(board.savedFiles?.()).toMatchObject([{ name: 'rp2040-files-at-0x10100000.zip', isPutBack: false }]);
  });
});

describe('a write that is cut', () => {
  it.each(isLong ? [1_000, 10_200, 10_700, 11_000, 11_300] : [10_200, 11_000])(
    'loses no file: the next one puts back what was saved, cut after %i ms',
    async (moment) => {
      const bench = new Bench(
        [
          { offset: 0, data: microPython('old', pico) },
          { offset: pico.offset, data: buildLittleFs(pico.size, program) },
        ],
        { profile: 'real-flash', pace: 'wire' },
      );
      const board = await bench.connect();
      const image = microPython('newer', picoW, 700 * KIB);
      await bench.plan(board, image);
      bench.rig.clock.schedule(moment, () => bench.rig.device.unplug());
      expect(await bench.rig.run(codeOf(board.write(quiet)))).toBe('unplugged');
      // Still offered after the failure, for a person who gives up.
      expect(board.savedFiles?.()).toMatchObject([{ isPutBack: true }]);
      await bench.rig.run(board.close());
      bench.rig.device.holdBootsel(true);
      bench.rig.device.replug();
      const again = await bench.connect();
      const plan = await bench.plan(again, image);
      expect(codes(plan.warnings)).toContain('puts-files-back');
      await bench.write(again);
      expect(bench.files(picoW)).toEqual(filesOf(program));
      // Nothing is held any more: the next plan finds the files in their place.
      await bench.rig.run(again.look?.(never) ?? Promise.reject());
      expect((await bench.plan(again, image)).warnings).toEqual([]);
    },
  );

  it('holds no files once the firmware is written, if planned changes behind it are cut', async () => {
    const other = { offset: 3 * MIB, size: 512 * KIB };
    const bench = new Bench(
      [
        { offset: 0, data: microPython('old', pico) },
        { offset: pico.offset, data: buildLittleFs(pico.size, program) },
        { offset: other.offset, data: buildLittleFs(other.size, program) },
      ],
      { flashSize: 4 * MIB },
    );
    const board = await bench.connect();
    const range = { offset: flashStart + other.offset, length: other.size };
    const image = await bench.rig.run(board.read(range, { signal: never, onProgress: () => undefined }));
    const writes = [{ offset: range.offset, bytes: randomBytes(16 * KIB) }];
    const change = { name: 'files', range, basis: md5(image), erases: [], writes };
    const newer = rpFirmware({ text: 'C program', size: 700 * KIB });
    const plan = await bench.plan(board, newer, false, [change]);
    expect([plan.refusals, codes(plan.warnings)]).toEqual([[], ['files-not-put-back']]);
    const abort = new AbortController();
    let written = 0;
    const cut: WriteOptions = {
      ...quiet,
      signal: abort.signal,
      onStage: (stage) => stage === 'writing' && ++written === 2 && abort.abort(),
    };
    expect(await bench.rig.run(codeOf(board.write(cut)))).toBe('cancelled');
    await bench.rig.run(board.look?.(never) ?? Promise.reject());
    expect((await bench.plan(board, null, false, [change])).refusals).toEqual([]);
  });

  it('counts what it still has to restore into the progress of the next one', async () => {
    const bench = onPico();
    const plan = async (board: FamilyBoard<RpTypes>, offset: number) => {
      const bytes = randomBytes(6_000);
      const files = await bench.family.readFiles([{ name: 'data.bin', offset: flashStart + offset, bytes }]);
      await bench.rig.run(board.plan({ files, settings: rpSettings, guard: null }, never));
    };
    const board = await bench.connect();
    // Begins within a sector, whose other bytes are kept.
    await plan(board, 0x100);
    const cut: WriteOptions = {
      ...quiet,
      onEvent: (event) => event.type === 'progress' && event.phase === 'writing' && bench.rig.device.unplug(),
    };
    expect(await bench.rig.run(codeOf(board.write(cut)))).toBe('unplugged');
    await bench.rig.run(board.close());
    bench.rig.device.holdBootsel(true);
    bench.rig.device.replug();
    const again = await bench.connect();
    await plan(again, 0x8000);
    const told: { readonly done: number; readonly total: number }[] = [];
    await bench.rig.run(
      again.write({ ...quiet, onEvent: (event) => void (event.type === 'progress' && told.push(event)) }),
    );
    expect(told.length).toBeGreaterThan(0);
    expect(told.filter(({ done, total }) => done > total)).toEqual([]);
  });

  it('keeps files that the new program has made since, and brings back those that were saved', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const image = microPython('newer', picoW, 700 * KIB);
    await bench.plan(board, image);
    const abort = new AbortController();
    const cut: WriteOptions = {
      ...quiet,
      signal: abort.signal,
      // The program is written before the files.
      onEvent: (event) => event.type === 'region' && event.offset === flashStart && abort.abort(),
    };
    expect(await bench.rig.run(codeOf(board.write(cut)))).toBe('cancelled');
    await bench.rig.run(board.close());
    const made = buildLittleFs(picoW.size, [
      { path: '/main.py', bytes: new TextEncoder().encode('# fresh\n') },
      { path: '/new.txt', bytes: new TextEncoder().encode('since\n') },
    ]);
    const { device } = bench.rig;
    device.unplug();
    const later = new Bench([
      { offset: 0, data: device.flash.read(0, picoW.offset) },
      { offset: picoW.offset, data: made },
    ]);
    // The same page, and the same place.
    Object.assign(later, { family: bench.family });
    const again = await later.connect();
    await later.plan(again, image);
    await later.write(again);
    expect(later.files(picoW)).toEqual({ ...filesOf(program), '/new.txt': new TextEncoder().encode('since\n') });
  });
});
