import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { GivenFile } from '../given-files/chosen-files.ts';
import { FileSets } from '../given-files/given-files.ts';
import { buildDfuse, buildUf2Blocks, uf2Blocks, withDfuSuffix } from '../images/testing/formats.ts';
import { stmFiles } from './stm-files.ts';

const given = (name: string, content: string | Uint8Array<ArrayBuffer>, offset?: number): GivenFile => ({
  name,
  content: new Blob([content]),
  ...(offset !== undefined && { offset }),
});
/** Intel HEX with four bytes at 0x08004000 and four at 0x08004100. */
const hex = ':020000040800F2\n:0440000001020304B2\n:0441000005060708A1\n:00000001FF\n';

describe('files for an STM32', () => {
  it('begin at the start of flash unless a release says otherwise', async () => {
    const files = new FileSets(stmFiles);
    await files.add([given('app.bin', new Uint8Array(100))]);
    const { files: listed } = await files.add([given('data.bin', new Uint8Array(10), 0x0801_0000)]);
    expect(listed).toMatchObject([
      { name: 'app.bin', offset: 0x0800_0000, places: null, what: 'Raw binary, data' },
      { name: 'data.bin', offset: 0x0801_0000, why: 'The release puts it here.' },
    ]);
  });

  it('go back to where a backup was read from, and a backup says what is not checked', async () => {
    const name = 'stm32f103-2026-11-27-1431-region-0x8004000.bin';
    const files = new FileSets(stmFiles);
    const { files: listed } = await files.add([given(name, new Uint8Array(100))]);
    expect(listed).toMatchObject([
      {
        offset: 0x0800_4000,
        why: 'The file name gives this address.',
        what: 'Raw binary, data. A backup that names no chip: not checked for this board',
      },
    ]);
  });

  it('are named when they are no firmware, and a program of a computer is left out', async () => {
    const elf = new Uint8Array(200);
    elf.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
    elf[16] = 2;
    elf[18] = 3;
    elf.set([52, 0, 0, 0], 28);
    elf.set([32, 0, 1, 0], 42);
    elf.set([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 0, 0, 4, 8, 100, 0, 0, 0, 100], 52);
    const { files, leftOut } = await new FileSets(stmFiles).add([
      given('app.bin', '<!DOCTYPE html><html></html>'),
      given('tool.elf', elf),
    ]);
    expect(files.map(({ name, what }) => [name, what])).toEqual([['app.bin', 'Web page, not firmware']]);
    expect(leftOut).toMatchObject([
      { name: 'tool.elf', why: expect.stringContaining('This is a program for a computer, not firmware.') },
    ]);
  });

  it('go to a typed address when they have none of their own', async () => {
    const files = new FileSets(stmFiles);
    const { files: listed } = await files.add([given('app.bin', new Uint8Array([1, 2])), given('app.hex', hex)]);
    const places = listed.map(({ id }) => ({ id, offset: 0x0800_8000 }));
    const addresses = files
      .of(undefined)
      .forPlan(places)
      .map(({ name, segments }) => [name, segments.map(({ address }) => address)]);
    expect(addresses).toContainEqual(['app.bin', [0x0800_8000]]);
    expect(addresses).toContainEqual(['app.hex', [0x0800_4000, 0x0800_4100]]);
  });

  it('say where Intel HEX has its pieces, and how many bytes they are', async () => {
    const { files } = await new FileSets(stmFiles).add([given('app.hex', hex)]);
    expect(files).toMatchObject([
      {
        size: 8,
        offset: 0x0800_4000,
        what: 'Intel HEX, data, 2 pieces',
        places: [
          { offset: 0x0800_4000, length: 4 },
          { offset: 0x0800_4100, length: 4 },
        ],
      },
    ]);
  });

  it('leave out what is damaged, and what is no firmware, with the reason', async () => {
    const { files, leftOut } = await new FileSets(stmFiles).add([
      given('app.hex', hex.replace('B2', 'B3')),
      given('notes.txt', 'hello'),
    ]);
    expect(files).toEqual([]);
    expect(leftOut.map(({ name }) => name).toSorted()).toEqual(['app.hex', 'notes.txt']);
    expect(leftOut.find(({ name }) => name === 'notes.txt')?.why).toBe(
      'Only .bin, .hex, .s19, .elf, .uf2 and .dfu files are written.',
    );
  });

  it('are read from a .txt whose contents are TI-TXT, and from no other', async () => {
    const { files, leftOut } = await new FileSets(stmFiles).add([
      given('app.txt', '@8004000\n01 02 03 04\n@8004100\n05 06\nq\n'),
      given('cut.txt', '@8004000\n01 02 03 04\n'),
      given('notes.txt', '@alice: flash it at 8004000\n'),
    ]);
    expect(files).toMatchObject([
      {
        name: 'app.txt',
        what: 'TI-TXT, data, 2 pieces',
        places: [
          { offset: 0x0800_4000, length: 4 },
          { offset: 0x0800_4100, length: 2 },
        ],
      },
    ]);
    expect(Object.fromEntries(leftOut.map(({ name, why }) => [name, why.split('. ')[0]]))).toEqual({
      'cut.txt': 'The q at the end is missing: the file ends too early',
      'notes.txt': 'Only .bin, .hex, .s19, .elf, .uf2 and .dfu files are written.',
    });
  });

  it('are read as what their names say, or left out', async () => {
    const bytes = new Uint8Array(700).fill(0x5a);
    const all = [given('app.hex', bytes), given('app.elf', bytes), given('app.uf2', bytes), given('app.dfu', bytes)];
    const { files, leftOut } = await new FileSets(stmFiles).add(all);
    expect(files).toEqual([]);
    expect(leftOut.map(({ why }) => why.split('. ')[0])).toEqual([
      'Line 1: This line is not an Intel HEX record',
      'This is not an ELF file',
      'This is not a UF2 file',
      'The DFU file ends too early: its suffix is missing',
    ]);
  });

  it('are read as Intel HEX behind a byte order mark and a comment', async () => {
    const { files } = await new FileSets(stmFiles).add([given('app.hex', `\ufeff; made by a program\n${hex}`)]);
    expect(files).toMatchObject([{ what: 'Intel HEX, data, 2 pieces', size: 8 }]);
  });

  it('have the suffix of a DFU file taken off, whatever their names are', async () => {
    const image = new Uint8Array(100).fill(0x5a);
    const files = new FileSets(stmFiles);
    const { files: listed } = await files.add([given('app.bin', Uint8Array.from(withDfuSuffix(image)))]);
    expect(listed).toMatchObject([{ what: 'DFU image, data', size: 100, places: null }]);
    const [kept] = files.of(undefined).forPlan(listed.map(({ id }) => ({ id, offset: 0x0800_8000 })));
    expect(kept?.segments).toEqual([{ address: 0x0800_8000, bytes: image }]);
  });

  it('are described as DfuSe, and with the parts for other chips', async () => {
    const element = { address: 0x0800_0000, bytes: new Uint8Array(300).fill(0x5a) };
    const uf2 = buildUf2Blocks([
      ...uf2Blocks(element, { family: 0x57755a57, total: 4 }),
      ...uf2Blocks({ ...element, address: 0x1000_0000 }, { family: 0xe48bff56, first: 2, total: 4 }),
    ]);
    const { files } = await new FileSets(stmFiles).add([
      given('app.bin', Uint8Array.from(buildDfuse([{ elements: [element] }]))),
      given('app.uf2', Uint8Array.from(uf2)),
    ]);
    expect(files.map(({ what }) => what)).toEqual([
      'DfuSe, data',
      'UF2, data for STM32F4, without the part for RP2040',
    ]);
  });

  it('are found in an archive within an archive, and in folders', async () => {
    const inner = zipSync({
      'build/app.hex': new TextEncoder().encode(hex),
      '__MACOSX/build/._app.hex': Uint8Array.of(0),
    });
    const { files } = await new FileSets(stmFiles).add([
      given('download.zip', Uint8Array.from(zipSync({ 'x/fw.zip': inner }))),
    ]);
    expect(files.map(({ name }) => name)).toEqual(['app.hex']);
  });
});
