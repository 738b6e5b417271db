import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../../core/bytes.ts';
import { buildTable, factoryLayout } from '../testing/esp-data.ts';
import { buildApp, buildBootloader, chipIds } from '../testing/esp-images.ts';
import { readFlasherArgs } from './file-list.ts';
import { placeFiles } from './place-files.ts';
import type { DroppedFile } from './placement.ts';

const s3 = { chipId: chipIds.esp32s3 };
const json = (value: unknown) => asciiBytes(JSON.stringify(value));
const placesOf = (files: readonly DroppedFile[]) => placeFiles(files).files.map(({ name, offset }) => [name, offset]);

const idfBuild: readonly DroppedFile[] = [
  { name: 'build/bootloader/bootloader.bin', bytes: buildBootloader(s3) },
  { name: 'build/partition_table/partition-table.bin', bytes: buildTable(factoryLayout) },
  { name: 'build/hello.bin', bytes: buildApp(s3) },
];

describe('a list of which a part is spoilt', () => {
  const manifestOf = (...parts: readonly unknown[]) => ({
    name: 'manifest.json',
    bytes: json({ name: 'Blink', builds: [{ chipFamily: 'ESP32-S3', parts }] }),
  });
  const [boot, , hello] = idfBuild as [DroppedFile, DroppedFile, DroppedFile];
  const good = { path: 'bootloader.bin', offset: 0 };

  it.each([
    [32.768, '32.768'],
    [-4_096, '-4096'],
    [2 ** 32, '4294967296'],
    [1e300, '1e+300'],
    ['top', 'top'],
    ['0x', '0x'],
    ['0x1000000000', '0x1000000000'],
    [true, 'true'],
    [[65_536], '[65536]'],
    [{ at: 1 }, '{"at":1}'],
  ])('keeps the others, and names the part and its offset: %j', (offset, shown) => {
    const { files, leftOut, conflicts, list } = placeFiles([
      boot,
      hello,
      manifestOf(good, { path: 'hello.bin', offset }),
    ]);
    expect(files.map(({ name, offset: at }) => [name, at])).toEqual([
      [boot.name, 0],
      [hello.name, null],
    ]);
    expect([leftOut, list]).toEqual([[], 'manifest.json']);
    expect(conflicts.map(({ code, what }) => [code, what])).toEqual([
      ['listed-offset', `manifest.json gives "hello.bin" the offset ${shown}, which is not an address in flash.`],
    ]);
  });

  it.each([[undefined], [null], ['']])('says that there is no offset: %j', (offset) => {
    const { conflicts } = placeFiles([boot, hello, manifestOf(good, { path: 'hello.bin', offset })]);
    expect(conflicts.map(({ what }) => what)).toEqual(['manifest.json gives no offset for "hello.bin".']);
  });

  it.each([[{ offset: 65_536 }], [{ path: '', offset: 65_536 }], [{ path: 7, offset: 65_536 }]])(
    'say which part has no name: %j',
    (part) => {
      const { files, conflicts } = placeFiles([boot, manifestOf(good, part)]);
      expect(files).toMatchObject([{ offset: 0 }]);
      expect(conflicts.map(({ code, what }) => [code, what])).toEqual([
        ['listed-path', 'manifest.json does not name the file at 65536.'],
      ]);
    },
  );

  it('takes offsets as texts, in hexadecimal and decimal', () => {
    const parts = [
      { path: 'bootloader.bin', offset: '0x0' },
      { path: 'hello.bin', offset: '65536' },
    ];
    expect(placesOf([boot, hello, manifestOf(...parts)]).map(([, at]) => at)).toEqual([0, 0x10000]);
  });

  it('is followed though its only part is spoilt', () => {
    const { files, conflicts, leftOut } = placeFiles([hello, manifestOf({ path: 'hello.bin', offset: 32.768 })]);
    expect(files).toMatchObject([{ offset: null, why: 'manifest.json lists it without a usable offset.' }]);
    expect([conflicts.length, leftOut]).toEqual([1, []]);
  });

  it('keeps a build beside one that is spoilt', () => {
    const builds = [null, { chipFamily: 'ESP32-C3' }, { chipFamily: 'ESP32-S3', parts: [good] }];
    const list = { name: 'manifest.json', bytes: json({ builds }) };
    const { files, conflicts } = placeFiles([boot, list], { chip: 'esp32s3' });
    expect([files.map(({ offset }) => offset), conflicts]).toEqual([[0], []]);
  });

  it('names the part of flasher_args.json', () => {
    const list = json({ flash_files: { '0x0': 'bootloader/bootloader.bin', '0x1.8': 'hello.bin', '0x8000': 7 } });
    const { files, conflicts } = placeFiles([...idfBuild, { name: 'build/flasher_args.json', bytes: list }]);
    expect(files.map(({ name, offset }) => [name, offset])).toEqual([
      [boot.name, 0],
      [hello.name, null],
    ]);
    expect(conflicts.map(({ what }) => what)).toEqual([
      'flasher_args.json gives "hello.bin" the offset 0x1.8, which is not an address in flash.',
      'flasher_args.json does not name the file at 0x8000.',
    ]);
  });

  it('names the line of flash_args, and loses none behind it', () => {
    const list = asciiBytes(
      '--flash_mode dio --compress --flash_size 2MB\r\n0x0 bootloader/bootloader.bin\r\n0x8000\r\n32.768 hello.bin\r\n-4096 my app.bin\r\n',
    );
    const placement = placeFiles([...idfBuild, { name: 'build/flash_args', bytes: list }]);
    expect(placement.files.map(({ name, offset }) => [name, offset])).toEqual([
      [boot.name, 0],
      [hello.name, null],
    ]);
    expect(placement.settings).toEqual({ mode: 'dio', frequency: 'keep', size: 2 * 1_048_576 });
    expect(placement.conflicts.map(({ what }) => what)).toEqual([
      'flash_args does not name the file at 0x8000.',
      'flash_args gives "hello.bin" the offset 32.768, which is not an address in flash.',
      'flash_args gives "my app.bin" the offset -4096, which is not an address in flash.',
    ]);
  });

  it('names the image of idedata.json', () => {
    const list = json({
      prog_path: 'firmware.elf',
      extra: { application_offset: 65_536, flash_images: [{ offset: '4k', path: 'bootloader.bin' }] },
    });
    const { files, conflicts } = placeFiles([
      boot,
      { name: 'firmware.bin', bytes: buildApp(s3) },
      { name: 'idedata.json', bytes: list },
    ]);
    expect(files.map(({ offset }) => offset)).toEqual([0x10000, null]);
    expect(conflicts.map(({ code }) => code)).toEqual(['listed-offset']);
  });

  it('names eight parts, and counts the others', () => {
    const parts = Array.from({ length: 30 }, () => ({ path: 'hello.bin', offset: -1 }));
    const { conflicts } = placeFiles([hello, manifestOf(...parts)]);
    expect(conflicts).toHaveLength(9);
    expect(conflicts.at(-1)?.what).toBe('manifest.json has 22 more parts without a usable offset or name.');
  });
});

describe('arguments of esptool in a file', () => {
  const [boot, table, hello] = idfBuild as [DroppedFile, DroppedFile, DroppedFile];
  const app = (name: string): DroppedFile => ({ name, bytes: buildApp(s3) });
  const args = (text: string, name = 'build/flash_args'): DroppedFile => ({ name, bytes: asciiBytes(text) });

  // Each was split by Python's `shlex.split`, which esptool uses, apart from the backslashes outside of quotation marks.
  it.each([
    ['0x10000 "my app.bin"', 'my app.bin'],
    ["0x10000 'my app.bin'", 'my app.bin'],
    ['0x10000 my\\ app.bin', 'my app.bin'],
    ['0x10000 "my "app.bin', 'my app.bin'],
    ['0x10000 "C:\\build\\my app.bin"', 'my app.bin'],
    ["0x10000 'C:\\build\\my app.bin'", 'my app.bin'],
    ['0x10000 C:\\build\\app.bin', 'app.bin'],
    ['0x10000 "0x20000 old.bin"', '0x20000 old.bin'],
    ['0x10000 "a --force b.bin"', 'a --force b.bin'],
    ['--flash_mode dio --flash-size=4MB -z 0x10000 "my app.bin"', 'my app.bin'],
    ['-fm dio -ff 80m -fs 4MB 0x10000 "my app.bin"', 'my app.bin'],
    ['0x10000 my app.bin', 'my app.bin'],
    ['# made by hand\n0x10000 "my app.bin"', 'my app.bin'],
  ])('read %s', (text, name) => {
    const { files, conflicts } = placeFiles([app(`build/${name}`), args(text)]);
    expect(files.map((file) => [file.name, file.offset])).toEqual([[`build/${name}`, 0x10000]]);
    expect(conflicts).toEqual([]);
  });

  it('read several pairs in a line, and the settings in every spelling', () => {
    const text =
      '--flash-mode dio -ff 80m --flash_size=8MB\n0x0 "bootloader.bin" 0x8000 partition-table.bin 0x10000 hello.bin';
    const { files, settings } = placeFiles([boot, table, hello, args(text)]);
    expect(files.map(({ offset }) => offset)).toEqual([0, 0x8000, 0x10000]);
    expect(settings).toEqual({ mode: 'dio', frequency: 80, size: 8 * 1_048_576 });
  });

  const commandLine =
    'esptool.py --chip esp32s3 --port /dev/ttyUSB0 --baud 460800 --before default_reset --after hard_reset write_flash -z --flash_mode dio --flash_size 8MB';
  it.each([
    ['flash.sh', `#!/bin/sh\n${commandLine} \\\n  0x0 bootloader.bin \\\n  0x20000 "hello.bin"\n`],
    [
      'flash.bat',
      `@echo off\r\nrem writes the board\r\n${commandLine} ^\r\n  0x0 bootloader.bin 0x20000 hello.bin\r\n`,
    ],
    [
      'upload.txt',
      `python -m esptool --chip esp32s3 write-flash 0x0 C:\\out\\bootloader.bin 0x20000 "C:\\out\\hello.bin"`,
    ],
  ])('are found in a command line in %s', (name, text) => {
    const { files, conflicts, list } = placeFiles([boot, hello, args(text, `build/${name}`)]);
    expect(files.map(({ offset }) => offset)).toEqual([0, 0x20000]);
    expect([conflicts, list]).toEqual([[], `build/${name}`]);
  });

  it('are found in a command line of which one file is missing, which is named', () => {
    const text = `${commandLine} 0x0 bootloader.bin 0x8000 partition-table.bin 0x20000 hello.bin`;
    const { files, conflicts, list } = placeFiles([boot, hello, args(text, 'build/flash.txt')]);
    expect(files.map(({ offset }) => offset)).toEqual([0, 0x20000]);
    expect([conflicts.map(({ what }) => what), list]).toEqual([
      ['flash.txt lists "partition-table.bin", which is not among the files.'],
      'build/flash.txt',
    ]);
  });

  it('are found in the command line that names most files, and in a list of the build before it', () => {
    const partial = args(`${commandLine} 0x1000 gone.bin 0x30000 hello.bin`, 'build/a.txt');
    const whole = args(`${commandLine} 0x0 bootloader.bin 0x20000 hello.bin`, 'build/b.txt');
    const listOf = (...lists: DroppedFile[]) => placeFiles([boot, hello, ...lists]).list;
    expect(listOf(partial, whole)).toBe('build/b.txt');
    const manifest = json({ builds: [{ chipFamily: 'ESP32-S3', parts: [{ path: 'hello.bin', offset: 0x20000 }] }] });
    expect(listOf(partial, { name: 'build/manifest.json', bytes: manifest })).toBe('build/manifest.json');
  });

  it('are not followed in a text that names files which are not there', () => {
    const text = `${commandLine} 0x1000 somewhere/else.bin`;
    const { files, list } = placeFiles([boot, hello, args(text, 'build/notes.txt')]);
    expect([files.length, list]).toEqual([2, null]);
  });
});

describe('builds of a manifest', () => {
  const [boot, , hello] = idfBuild as [DroppedFile, DroppedFile, DroppedFile];
  const parts = [
    { path: 'bootloader.bin', offset: 0 },
    { path: 'hello.bin', offset: 0x20000 },
  ];
  const manifest = (builds: unknown) => ({ name: 'manifest.json', bytes: json({ name: 'Blink', builds }) });
  const good = { chipFamily: 'ESP32-S3', parts };

  it.each([
    ['one build', good],
    ['an object of builds', { s3: good }],
    ['an object of builds of which one is spoilt', { c3: { chipFamily: 'ESP32-C3' }, s3: good }],
    ['a list with a build that is no object', ['esp32', good]],
  ])('are read as %s', (_, builds) => {
    const { files, list } = placeFiles([boot, hello, manifest(builds)]);
    expect(files.map(({ offset }) => offset)).toEqual([0, 0x20000]);
    expect(list).toBe('manifest.json');
  });

  it('are read although one of them cannot be, which is named', () => {
    const { leftOut } = placeFiles([boot, hello, manifest({ c3: { chipFamily: 'ESP32-C3', parts: [] }, s3: good })]);
    expect(leftOut).toMatchObject([{ why: 'Its build "ESP32-C3" cannot be read. It lists no parts.' }]);
  });
});

describe('a list in another encoding', () => {
  const texts: Readonly<Record<string, string>> = {
    'flasher_args.json': JSON.stringify({ flash_files: { '0x0': 'bootloader.bin', '0x20000': 'hello.bin' } }),
    flash_args: '--flash_mode dio\n0x0 bootloader.bin\n0x20000 hello.bin\n',
    'flash.ps1': 'esptool.py --chip esp32s3 write_flash 0x0 bootloader.bin 0x20000 hello.bin\n',
    'manifest.json': JSON.stringify({
      builds: [
        {
          chipFamily: 'ESP32-S3',
          parts: [
            { path: 'bootloader.bin', offset: 0 },
            { path: 'hello.bin', offset: 0x20000 },
          ],
        },
      ],
    }),
  };

  describe.each([
    ['UTF-8 with a mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16 of PowerShell', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 with the high byte first', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le')],
  ])('in %s', (_name, encode) => {
    it.each(Object.keys(texts))('places the files of %s', (name) => {
      const list = { name: `build/${name}`, bytes: Uint8Array.from(encode(texts[name] ?? '')) };
      expect(placesOf([...idfBuild, list]).map(([, at]) => at)).toEqual([0, 0x20000]);
    });
  });
});

describe('variants of flasher_args.json', () => {
  it.each([true, 'true', 'True', 1])('name encrypted parts by %j', (encrypted) => {
    const { files } = readFlasherArgs({
      flash_files: { '0x0': 'bootloader.bin', '0x20000': 'hello.bin' },
      app: { offset: '0x20000', file: 'hello.bin', encrypted },
      bootloader: { offset: '0x0', file: 'bootloader.bin', encrypted: 'false' },
    });
    expect(files.map((file) => file.encrypted)).toEqual([false, true]);
  });

  it.each([
    [
      'paths of another Windows machine',
      { '0x0': 'C:\\ci\\out\\bootloader\\bootloader.bin', '0x20000': 'C:\\ci\\out\\hello.bin' },
    ],
    ['absolute paths', { '0x0': '/home/ci/out/bootloader/bootloader.bin', '0x20000': '/home/ci/out/hello.bin' }],
  ])('have %s', (_, flashFiles) => {
    const list = { name: 'build/flasher_args.json', bytes: json({ flash_files: flashFiles }) };
    expect(placesOf([...idfBuild, list]).map(([, at]) => at)).toEqual([0, 0x20000]);
  });

  it('name their parts one by one without flash_files', () => {
    const bytes = json({
      bootloader: { offset: '0x0', file: 'bootloader.bin' },
      app: { offset: '0x20000', file: 'hello.bin' },
    });
    expect(placesOf([...idfBuild, { name: 'build/flasher_args.json', bytes }]).map(([, at]) => at)).toEqual([
      0, 0x20000,
    ]);
  });
});

it('a dropped manifest with a comma too many is named with line and column', () => {
  const bytes = asciiBytes('{ "builds": [\n  { "chipFamily": "ESP32", "parts": [] },\n] }');
  expect(placeFiles([{ name: 'manifest.json', bytes }]).conflicts).toMatchObject([
    { what: '"manifest.json" could not be read. Line 3, column 1: This file is not valid JSON.' },
  ]);
});
