/** Files for RP2040 and RP2350 as the flasher keeps them: what they are, which of a build's files is written. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OpenedFile } from '../given-files/given-files.ts';
import { flashersOf } from '../images/contents/flashers-of.ts';
import { rpFiles } from './rp-files.ts';
import { rpFirmware, rpFirmwareUf2 } from './testing/simulated-rp.ts';

const golden = join(import.meta.dirname, 'files/testing/data');
const names = readdirSync(golden).filter((name) => !name.endsWith('.json'));
const goldenFile = (name: string) => new Uint8Array(readFileSync(join(golden, name)));

const opened = (name: string, bytes: Uint8Array, group: string | null = null): OpenedFile => ({
  name,
  from: name,
  bytes,
  given: null,
  group,
});
const add = (...files: OpenedFile[]) => rpFiles.create().add(files, []);

const pico = { text: 'hello', size: 2_048, info: { name: 'blink', version: '1.2' } } as const;
const uf2 = rpFirmwareUf2(pico);
const bin = rpFirmware(pico);

describe('files for RP2040 and RP2350', () => {
  it('are never sent to the flasher of another family', () => {
    const elsewhere = names.filter((name) => {
      const families = flashersOf(name, goldenFile(name));
      return families.length > 0 && !families.includes('rp');
    });
    expect([names.length > 50, elsewhere]).toEqual([true, []]);
  });

  it('are kept, or left out with a reason, whatever they are', async () => {
    for (const name of names) {
      const { files, leftOut } = await add(opened(name, goldenFile(name)));
      expect([name, files.length + leftOut.length, leftOut.every(({ why }) => why.length > 10)]).toEqual([
        name,
        1,
        true,
      ]);
    }
  });

  it('keep an ELF file for either processor of an RP2350 at its own addresses', async () => {
    for (const name of ['elf-riscv.elf', 'elf-rp2350.elf']) {
      const { files, leftOut } = await add(opened(name, goldenFile(name)));
      expect(leftOut).toEqual([]);
      expect(files).toMatchObject([{ what: 'ELF, program for RP2350', chip: 'RP2350', offset: 0x1000_0000 }]);
    }
  });

  it('say their chip, their program and what picotool shows of them', async () => {
    const [file] = (await add(opened('blink.uf2', uf2))).files;
    expect(file).toMatchObject({
      what: 'UF2, program for RP2040',
      chip: 'RP2040',
      application: 'blink 1.2',
      offset: 0x1000_0000,
      places: [{ offset: 0x1000_0000, length: 2_048 }],
    });
    expect(file?.about?.[0]).toMatchObject({
      title: 'Program Information',
      fields: [{ key: 'name', values: ['blink'] }, {}, {}, {}],
    });
  });

  it('have no chip of their own if they are for both, and their bytes count once', async () => {
    const both = new Uint8Array([...uf2, ...rpFirmwareUf2({ ...pico, chip: 'rp2350' })]);
    const [file] = (await add(opened('both.uf2', both))).files;
    expect(file).toMatchObject({ what: 'UF2, programs for RP2040 and RP2350', size: 2_048 });
    expect(file).not.toHaveProperty('chip');
  });

  it('name no application with a version alone, as partition tables have it', async () => {
    const [file] = (await add(opened('table.bin', goldenFile('table-slots-a-b.bin')))).files;
    expect(file).toMatchObject({ what: 'Raw binary, data', application: null });
  });

  it('are known as MicroPython by their binary info', async () => {
    const firmware = rpFirmwareUf2({ ...pico, info: { name: 'MicroPython', version: 'v1.29.0' } });
    expect((await add(opened('pico.uf2', firmware))).files).toMatchObject([{ python: 'MicroPython' }]);
  });

  it('are written once if a build has several formats, without the second stage beside them', async () => {
    const { files, leftOut } = await add(
      opened('build/blink.bin', bin, 'build'),
      opened('build/blink.uf2', uf2, 'build'),
      opened('build/pico-sdk/boot_stage2/bs2_default.bin', bin.subarray(0, 256), 'build'),
      opened('build/blink.dis', new TextEncoder().encode('listing'), 'build'),
    );
    expect(files.map(({ name }) => name)).toEqual(['blink.uf2']);
    expect(leftOut).toEqual([
      { name: 'blink.bin', why: 'It is the same program as blink.uf2 beside it.' },
      { name: 'bs2_default.bin', why: 'It is a part of each program already.' },
      { name: 'blink.dis', why: 'Only .uf2, .elf, .hex and .bin files are written.' },
    ]);
  });

  it('go to the start of flash without an address of their own, or to the one that is chosen', async () => {
    const set = rpFiles.create();
    const [file] = (await set.add([opened('blink.bin', bin)], [])).files;
    expect(file).toMatchObject({ offset: 0x1000_0000, places: null, why: 'Flash begins here.' });
    const [planned] = set.forPlan([{ id: file?.id ?? 0, offset: 0x1004_0000 }]);
    expect(planned?.firmware.programs[0]?.flash[0]?.address).toBe(0x1004_0000);
  });
});
