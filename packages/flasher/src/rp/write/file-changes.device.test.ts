/** Planned changes to the files of MicroPython and CircuitPython at a simulated board. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong, randomBytes } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import type { BoardChange } from '../../core/board-change.ts';
import { sizeText } from '../../core/bytes.ts';
import { md5 } from '../../core/md5.ts';
import type { FamilyBoard, WriteOptions } from '../../family.ts';
import { applyEdits, type FileEdit, type NewFile, planFiles } from '../../file-systems/index.ts';
import { buildLittleFs } from '../../file-systems/littlefs/little-fs.ts';
import { missingCommands, run } from '../../images/testing/tools.ts';
import type { RpTypes } from '../family-types.ts';
import { fileSystemPlaces } from '../files/file-system-places.ts';
import { flashStart, type RpFlashUser } from '../files/index.ts';
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

const KIB = 1_024;
const MIB = 1_048_576;
const text = (value: string) => new TextEncoder().encode(value);

const program: readonly NewFile[] = [
  { path: '/main.py', bytes: text('print("hello")\n') },
  { path: '/boot.py', bytes: text('# boot\n') },
  { path: '/lib/driver.py', bytes: randomBytes(9_000) },
];
const edits: readonly FileEdit[] = [
  { kind: 'write', path: '/main.py', bytes: text('print("changed")\n') },
  { kind: 'write', path: '/data/new.bin', bytes: randomBytes(30_000) },
  { kind: 'remove', path: '/lib/driver.py' },
];
/** Files after `edits`. */
const edited = filesOf([
  { path: '/main.py', bytes: text('print("changed")\n') },
  { path: '/boot.py', bytes: text('# boot\n') },
  ...edits.flatMap((edit) => (edit.kind === 'write' && edit.path === '/data/new.bin' ? [edit] : [])),
]);

const codes = (findings: readonly { readonly code: string }[]) => findings.map(({ code }) => code);

const onPico = (options = {}) =>
  new Bench(
    [
      { offset: 0, data: microPython('old', pico) },
      { offset: pico.offset, data: buildLittleFs(pico.size, program) },
    ],
    options,
  );

/** Reads the only file system of the board, as a page does, and returns the planned change. */
async function changeOf(bench: Bench, board: FamilyBoard<RpTypes>, wanted = edits): Promise<BoardChange> {
  const [place] = fileSystemPlaces(board.facts.info.users);
  if (place === undefined) {
    throw new Error('There is no file system.');
  }
  const range = { offset: place.offset, length: place.size };
  const image = await bench.rig.run(board.read(range, { signal: never, onProgress: () => undefined }));
  const after = applyEdits(image, wanted);
  const planned = planFiles(place, md5(image), { ...after, kind: after.fileSystem?.kind ?? null }, sizeText);
  if (planned === null) {
    throw new Error('Nothing differs.');
  }
  return planned.change;
}

const bytesOf = ({ writes }: BoardChange) => writes.reduce((sum, { bytes }) => sum + bytes.length, 0);

describe('places of file systems', () => {
  const user = (offset: number, more: Partial<RpFlashUser> = {}): RpFlashUser => ({
    name: '',
    offset,
    size: 8_192,
    kind: 'littlefs',
    ...more,
  });

  it('are named by their interpreter, and by their address where that does not tell them apart', () => {
    const users = [
      user(0x1000, { system: 'micropython' }),
      user(0x4000),
      user(0x8000, { kind: 'fat', system: 'circuitpython', size: 4_608 }),
      user(0xb000, { kind: 'fat', system: 'circuitpython' }),
    ];
    expect(fileSystemPlaces(users).map(({ name, size }) => [name, size])).toEqual([
      ['MicroPython’s files', 8_192],
      ['LittleFS at 0x10004000', 8_192],
      ['CircuitPython’s files at 0x10008000', 8_192],
      ['CircuitPython’s files at 0x1000B000', 8_192],
    ]);
  });
});

describe('changed files of MicroPython', () => {
  it('are written without a firmware file: only changed sectors, each read back', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    const plan = await bench.plan(board, null, false, [change]);
    expect([plan.refusals, plan.warnings, plan.toWrite]).toEqual([[], [], bytesOf(change)]);
    expect(new Set(plan.regions.map(({ file }) => file))).toEqual(new Set(['MicroPython’s files']));
    expect(plan.map.some(({ fate, offset }) => fate === 'written' && offset >= flashStart + pico.offset)).toBe(true);
    const before = bench.rig.device.flash.read(0, pico.offset);
    bench.rig.device.flash.resetCounts();
    const report = await bench.write(board);
    expect(report).toMatchObject({ state: 'complete', same: 0 });
    expect(report.regions.every(({ outcome, proof }) => outcome === 'verified' && proof?.kind === 'read-back')).toBe(
      true,
    );
    expect(bench.rig.device.flash.erasedBytes).toBeLessThanOrEqual(bytesOf(change));
    expect(bench.files(pico)).toEqual(edited);
    expect(Buffer.from(before).equals(bench.rig.device.flash.read(0, pico.offset))).toBe(true);
  });

  it('are written behind firmware that keeps its files there', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    const plan = await bench.plan(board, microPython('new', pico, 640 * KIB), false, [change]);
    expect([plan.refusals, plan.warnings]).toEqual([[], []]);
    const report = await bench.write(board);
    expect(report.regions.map(({ offset }) => offset)).toEqual(plan.regions.map(({ offset }) => offset));
    expect(bench.files(pico)).toEqual(edited);
  });

  it('are refused with firmware that covers the file system, moves it, or erases everything', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    const before = bench.rig.device.flash.read(0, 2 * MIB);
    const covering = await bench.plan(board, microPython('new', picoW, 1_100 * KIB), false, [change]);
    expect(codes(covering.refusals)).toEqual(['change-displaced']);
    const moving = await bench.plan(board, microPython('new', picoW), false, [change]);
    expect(moving.refusals).toMatchObject([{ code: 'change-displaced', files: ['MicroPython’s files'] }]);
    const erasing = await bench.plan(board, microPython('new', pico), true, [change]);
    expect(codes(erasing.refusals)).toEqual(['change-erased']);
    expect(await bench.rig.run(codeOf(board.write(quiet)))).toBe('write-failed');
    expect(Buffer.from(before).equals(bench.rig.device.flash.read(0, 2 * MIB))).toBe(true);
  });

  it('are refused if the board holds other contents since they were read', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    await bench.rig.run(board.close());
    bench.rig.device.unplug();
    const other = new Bench([
      { offset: 0, data: microPython('old', pico) },
      { offset: pico.offset, data: buildLittleFs(pico.size, [...program, { path: '/since', bytes: text('x') }]) },
    ]);
    Object.assign(other, { family: bench.family });
    const again = await other.connect();
    const plan = await other.plan(again, null, false, [change]);
    expect(plan.refusals).toMatchObject([{ code: 'change-outdated', files: ['MicroPython’s files'] }]);
    expect(await other.rig.run(codeOf(again.write(quiet)))).toBe('write-failed');
    expect(other.files(pico)['/since']).toEqual(text('x'));
  });

  it('are compared without another read of what was read on the same connection', async () => {
    const bench = onPico({ pace: 'wire' });
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    const before = bench.rig.clock.now();
    await bench.plan(board, null, false, [change]);
    expect(bench.rig.clock.now()).toBe(before);
  });

  it('are refused until the files of an interrupted write of firmware are back', async () => {
    const bench = onPico();
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    const image = microPython('newer', picoW, 700 * KIB);
    await bench.plan(board, image);
    const abort = new AbortController();
    const cut: WriteOptions = {
      ...quiet,
      signal: abort.signal,
      onEvent: (event) => event.type === 'region' && event.offset === flashStart && abort.abort(),
    };
    expect(await bench.rig.run(codeOf(board.write(cut)))).toBe('cancelled');
    const plan = await bench.plan(board, null, false, [change]);
    expect(codes(plan.refusals)).toContain('change-before-put-back');
    expect(codes((await bench.plan(board, image)).warnings)).toContain('puts-files-back');
    await bench.write(board);
    expect(bench.files(picoW)).toEqual(filesOf(program));
  });

  it('are refused where only the drive is there', async () => {
    const bench = onPico();
    const change = await changeOf(bench, await bench.connect());
    const { planRp } = await import('../plan/plan-rp.ts');
    const info = { link: 'drive', chip: 'RP2040', flashSize: null, cpu: null, users: [] } as const;
    const plan = planRp({ files: [], changes: [change], board: { info, isDemo: true } });
    expect(codes(plan.refusals)).toEqual(['change-by-drive']);
  });
});

describe('a write of changed files that is cut', () => {
  /** Cuts the write after some of its regions, and connects the same board again. */
  async function cutAfter(regions: number) {
    const bench = onPico();
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    await bench.plan(board, null, false, [change]);
    const abort = new AbortController();
    let left = regions;
    const onEvent: WriteOptions['onEvent'] = (event) => {
      if (event.type === 'progress' && event.phase === 'writing' && left-- === 0) {
        abort.abort();
      }
    };
    const error = await bench.rig.run(
      board.write({ ...quiet, signal: abort.signal, onEvent }).catch((e: unknown) => e),
    );
    return { bench, board, change, error };
  }

  it.each(isLong ? [0, 1, 2, 3, 4] : [0, 2])('is finished by the next one, cut after %i steps', async (regions) => {
    const { bench, board, change, error } = await cutAfter(regions);
    expect(error).toMatchObject({ code: 'cancelled', state: 'incomplete' });
    const plan = await bench.plan(board, null, false, [change]);
    expect(plan.refusals).toEqual([]);
    await bench.write(board);
    expect(bench.files(pico)).toEqual(edited);
  });

  it.each([
    ['a sector that was written', 0],
    ['a sector that the change leaves alone', 300 * KIB],
  ])('is not finished once the program has written %s', async (_, at) => {
    const { bench, board, change } = await cutAfter(2);
    await bench.rig.run(board.close());
    const { flash } = bench.rig.device;
    bench.rig.device.unplug();
    const offset = at === 0 ? (change.writes[0]?.offset ?? 0) - flashStart : pico.offset + at;
    const since = new Bench([
      { offset: 0, data: flash.read(0, 2 * MIB) },
      { offset, data: randomBytes(4 * KIB) },
    ]);
    // The same page, and the same place.
    Object.assign(since, { family: bench.family });
    const again = await since.connect();
    expect(codes((await since.plan(again, null, false, [change])).refusals)).toEqual(['change-outdated']);
  });

  it('is finished after the cable was out, if the board still holds what was left', async () => {
    const { bench, board, change } = await cutAfter(2);
    await bench.rig.run(board.close());
    bench.rig.device.unplug();
    bench.rig.device.holdBootsel(true);
    bench.rig.device.replug();
    const again = await bench.connect();
    expect((await bench.plan(again, null, false, [change])).refusals).toEqual([]);
    await bench.write(again);
    expect(bench.files(pico)).toEqual(edited);
  });

  it('is not finished after the program has run, which may have changed the rest', async () => {
    const { bench, board, change } = await cutAfter(2);
    await bench.rig.run(board.restart());
    bench.rig.device.holdBootsel(true);
    bench.rig.device.replug();
    const again = await bench.connect();
    expect(codes((await bench.plan(again, null, false, [change])).refusals)).toEqual(['change-outdated']);
  });
});

describe('changed files of CircuitPython', () => {
  const drive: Area = { offset: smallCore, size: 2 * MIB - smallCore };
  const missing = missingCommands('fsck.fat');

  it('leave a volume without wear levelling that fsck accepts, with its label', async () => {
    const bench = new Bench([
      { offset: 0, data: circuitPython('old', smallCore) },
      { offset: smallCore, data: circuitPythonDrive(drive.size, program) },
    ]);
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    expect(change.name).toBe('CircuitPython’s files');
    expect((await bench.plan(board, circuitPython('new', smallCore), false, [change])).refusals).toEqual([]);
    await bench.write(board);
    expect(bench.files(drive)).toEqual(edited);
    await bench.rig.run(board.look?.(never) ?? Promise.reject());
    expect(board.facts.info.users).toMatchObject([{ offset: smallCore, size: drive.size, system: 'circuitpython' }]);
    if (missing.length === 0) {
      const folder = mkdtempSync(join(tmpdir(), 'wirebench-circuitpython-'));
      try {
        writeFileSync(join(folder, 'drive.img'), bench.rig.device.flash.read(drive.offset, drive.size));
        run('fsck.fat', '-n', join(folder, 'drive.img'));
      } finally {
        rmSync(folder, { recursive: true });
      }
    }
  });

  it('are refused with a core that moves the drive', async () => {
    const bench = new Bench([
      { offset: 0, data: circuitPython('old', smallCore) },
      { offset: smallCore, data: circuitPythonDrive(drive.size, program) },
    ]);
    const board = await bench.connect();
    const change = await changeOf(bench, board);
    const plan = await bench.plan(board, circuitPython('new', largeCore), false, [change]);
    expect(codes(plan.refusals)).toEqual(['change-displaced']);
  });
});
