import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { asciiBytes } from '../core/bytes.ts';
import { buildTable, factoryLayout } from '../esp/testing/esp-data.ts';
import { buildApp, buildBootloader, chipIds } from '../esp/testing/esp-images.ts';
import { buildElf, buildIntelHex, buildSRecords, buildUf2 } from '../images/testing/formats.ts';
import { mcubootImageOf, securePackage } from '../nrf/testing/packages.ts';
import { type CheckedDevice, checkBuild } from './check-build.ts';
import { binaryReading, readBuildFile } from './read-build-file.ts';
import { readFirmware } from './read-firmware.ts';

const esp32: CheckedDevice = { deviceFamily: 'esp', deviceModel: 'esp32', label: 'ESP32' };
const esp32s3: CheckedDevice = { deviceFamily: 'esp', deviceModel: 'esp32s3', label: 'ESP32-S3' };
const stm32f4: CheckedDevice = { deviceFamily: 'stm', deviceModel: 'stm32f4', label: 'STM32F4' };
const nrf52840: CheckedDevice = { deviceFamily: 'nrf', deviceModel: 'nrf52840', label: 'nRF52840' };
const uno: CheckedDevice = { deviceFamily: 'avr', deviceModel: 'uno', label: 'Arduino Uno' };
const stmFlash = 0x0800_0000;

type Given = readonly [name: string, bytes: Uint8Array, offset?: number];

async function check(device: CheckedDevice, files: readonly Given[]) {
  const read = files.map(async ([name, bytes, offset]) => ({
    name,
    reading:
      offset === undefined
        ? await readBuildFile(name, bytes, device)
        : binaryReading(name, { offset, size: bytes.length, reading: await readFirmware(bytes) }),
  }));
  return checkBuild(await Promise.all(read), device);
}

async function sentences(device: CheckedDevice, files: readonly Given[]) {
  const { refusals, damage } = await check(device, files);
  return [...refusals, ...damage].map(({ files: names, what }) => [names.join(), what]);
}

/** Returns a program for an STM32, for the start of its flash. */
function program(length = 1_024): Uint8Array {
  const bytes = new Uint8Array(length).fill(0x42);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x2000_5000, true);
  for (const at of [4, 8, 12]) {
    view.setUint32(at, stmFlash + 0x101, true);
  }
  return bytes;
}

const listOf = (files: Readonly<Record<string, string>>, chip: string) =>
  asciiBytes(JSON.stringify({ flash_files: files, extra_esptool_args: { chip } }));

describe('a build for an Espressif chip', () => {
  it('may be the archive of a build with its list', async () => {
    const archive = zipSync({
      'flasher_args.json': listOf({ '0x0': 'boot.bin', '0x8000': 'table.bin', '0x10000': 'app.bin' }, 'esp32s3'),
      'boot.bin': buildBootloader({ chipId: chipIds.esp32s3 }),
      'table.bin': buildTable(factoryLayout),
      'app.bin': buildApp({ chipId: chipIds.esp32s3 }),
    });
    expect(await sentences(esp32s3, [['build.zip', archive]])).toEqual([]);
    expect(await sentences(esp32, [['build.zip', archive]])).not.toEqual([]);
  });

  it('may be a UF2 file or Intel HEX with a flash address', async () => {
    const app = buildApp();
    const hex = buildIntelHex([{ address: 0x10000, bytes: app }]);
    expect(await sentences(esp32, [['app.hex', hex]])).toEqual([]);
    const uf2 = buildUf2({ address: 0x10000, bytes: app }, 0x1c5f21b0);
    expect(await sentences(esp32, [['app.uf2', uf2]])).toEqual([]);
  });

  it('is refused with the name of a file that was built for another chip, in any format', async () => {
    const app = buildApp({ chipId: chipIds.esp32s3 });
    const hex = buildIntelHex([{ address: 0x10000, bytes: app }]);
    const expected = 'was built for ESP32-S3, but this build is for ESP32.';
    expect(await sentences(esp32, [['app.bin', app, 0x10000]])).toEqual([['app.bin', `"app.bin" ${expected}`]]);
    expect(await sentences(esp32, [['app.hex', hex]])).toEqual([['app.hex', `"app.hex" ${expected}`]]);
  });

  it('compares with every chip, and not only with the specified ones', async () => {
    const app = buildApp({ chipId: chipIds.esp32p4 });
    expect(await sentences(esp32, [['app.bin', app, 0x10000]])).toEqual([
      ['app.bin', '"app.bin" was built for ESP32-P4, but this build is for ESP32.'],
    ]);
  });

  it('cannot have an ELF file, a damaged archive, or a UF2 file for another vendor', async () => {
    const elf = buildElf([{ address: 0x4008_0000, bytes: program() }], { machine: 94 });
    expect((await sentences(esp32, [['app.elf', elf]]))[0]?.[1]).toMatch(
      /^"app.elf": An ELF file is flashed as the .bin/,
    );
    expect((await sentences(esp32, [['app.zip', asciiBytes('PK\x03\x04 and no more')]]))[0]?.[1]).toMatch(/"app.zip"/);
    const uf2 = buildUf2({ address: 0x2000, bytes: program() }, 0xada52840);
    expect((await sentences(esp32, [['app.uf2', uf2]]))[0]?.[1]).toMatch(/"app.uf2".*nRF52840/);
  });

  it('needs an address for each file of an archive', async () => {
    const archive = zipSync({ 'data.bin': Uint8Array.from({ length: 5_000 }, (_, index) => (index * 7) % 251) });
    expect(await sentences(esp32, [['data.zip', archive]])).toEqual([
      ['data.zip', 'Nothing says where "data.zip/data.bin" goes.'],
    ]);
  });
});

describe('a build for an STM32', () => {
  it.each<[string, Uint8Array]>([
    ['app.hex', buildIntelHex([{ address: stmFlash, bytes: program() }])],
    ['app.s19', buildSRecords([{ address: stmFlash, bytes: program() }])],
    ['app.elf', buildElf([{ address: stmFlash, bytes: program() }], { machine: 40 })],
    ['app.uf2', buildUf2({ address: stmFlash, bytes: program() }, 0x57755a57)],
    ['app.zip', zipSync({ 'build/app.hex': buildIntelHex([{ address: stmFlash, bytes: program() }]) })],
  ])('may be %s', async (name, bytes) => {
    expect(await sentences(stm32f4, [[name, bytes]])).toEqual([]);
  });

  it('is refused for another series, and for addresses outside of flash', async () => {
    const other = buildUf2({ address: stmFlash, bytes: program() }, 0x5ee21072);
    expect(await sentences(stm32f4, [['app.uf2', other]])).toEqual([
      ['app.uf2', '"app.uf2" was built for STM32F1, but this build is for STM32F4.'],
    ]);
    expect(await sentences({ ...stm32f4, deviceModel: 'stm32f', label: 'STM32F' }, [['app.uf2', other]])).toEqual([]);
    const outside = buildIntelHex([{ address: 0x9000_0000, bytes: program() }]);
    expect((await sentences(stm32f4, [['app.hex', outside]]))[0]?.[1]).toMatch(/"app.hex" goes to 0x90000000/);
  });

  it('is refused for a damaged HEX file, with the line', async () => {
    const hex = buildIntelHex([{ address: stmFlash, bytes: program() }]);
    hex[40] = hex[40] === 0x30 ? 0x31 : 0x30;
    expect((await sentences(stm32f4, [['app.hex', hex]]))[0]?.[1]).toMatch(/^"app.hex": Line \d+: The checksum/);
  });
});

/** Returns a sketch: a jump at the reset vector, and bytes. */
function sketch(length = 1_024): Uint8Array {
  const bytes = Uint8Array.from({ length }, (_, index) => (index * 7) % 251);
  bytes.set([0x0c, 0x94, 0x34, 0x00]);
  return bytes;
}

describe('a build for an Arduino board', () => {
  const eeprom = asciiBytes(':0400000001020304F2\n:00000001FF\n');

  it.each<[string, Uint8Array, number?]>([
    ['Blink.ino.hex', buildIntelHex([{ address: 0, bytes: sketch() }])],
    ['Blink.ino.elf', buildElf([{ address: 0, bytes: sketch() }], { machine: 83 })],
    ['Blink.bin', sketch(), 0],
    [
      'build.zip',
      zipSync({ 'Blink.ino.hex': buildIntelHex([{ address: 0, bytes: sketch() }]), 'Blink.ino.map': asciiBytes('x') }),
    ],
  ])('may be %s', async (name, bytes, offset) => {
    const file: Given = offset === undefined ? [name, bytes] : [name, bytes, offset];
    expect(await sentences(uno, [file])).toEqual([]);
  });

  it('may have EEPROM data, up to the size of the EEPROM', async () => {
    const program: Given = ['Log.ino.hex', buildIntelHex([{ address: 0, bytes: sketch() }])];
    expect(await sentences(uno, [program, ['Log.ino.eep', eeprom]])).toEqual([]);
    const large = buildIntelHex([{ address: 0, bytes: sketch(1_025) }]);
    expect(await sentences(uno, [program, ['Log.ino.eep', large]])).toEqual([
      ['Log.ino.eep', '"Log.ino.eep" contains EEPROM data up to 0x401, but the EEPROM ends at 0x400.'],
    ]);
    expect(await sentences({ ...uno, deviceModel: 'mega2560' }, [['Log.ino.eep', large]])).toEqual([]);
  });

  it('is refused if it is joined with a bootloader, or too long for its chip', async () => {
    const whole = buildIntelHex([{ address: 0, bytes: sketch(0x8000) }]);
    expect((await sentences(uno, [['Blink.ino.with_bootloader.hex', whole]]))[0]?.[1]).toMatch(
      /contains a bootloader, which a bootloader cannot write/,
    );
    expect((await sentences(uno, [['Blink.ino.with_bootloader.bin', sketch(), 0]]))[0]?.[1]).toMatch(
      /contains a bootloader/,
    );
    expect(await sentences(uno, [['Blink.ino.hex', whole]])).toEqual([
      ['Blink.ino.hex', '"Blink.ino.hex" ends at 0x8000. No sketch for an ATmega328P goes beyond 0x7E00.'],
    ]);
    expect(await sentences({ ...uno, deviceModel: 'mega2560' }, [['Blink.ino.hex', whole]])).toEqual([]);
  });

  it('is refused for another processor, for what is no firmware, and for files that overlap', async () => {
    const arm = buildElf([{ address: 0, bytes: sketch() }], { machine: 40 });
    expect((await sentences(uno, [['app.elf', arm]]))[0]?.[1]).toMatch(/was built for another processor than an AVR/);
    const page = asciiBytes('<!DOCTYPE html><html><head><title>Sign in</title></head></html>');
    expect((await sentences(uno, [['page.bin', page, 0]]))[0]?.[1]).toMatch(/"page.bin" is a web page, not firmware/);
    const two = [
      ['a.bin', sketch(), 0],
      ['b.bin', sketch(), 0x80],
    ] as const;
    expect(await sentences(uno, two)).toEqual([['a.bin,b.bin', '"a.bin" and "b.bin" overlap at 0x80.']]);
  });
});

describe('a build for a Nordic chip', () => {
  it('may be a DFU package or an MCUboot image', async () => {
    expect(await sentences(nrf52840, [['app.zip', securePackage(program())]])).toEqual([]);
    expect(await sentences(nrf52840, [['app.bin', mcubootImageOf(program())]])).toEqual([]);
  });

  it('cannot be a plain program, whose bootloader would not accept it', async () => {
    expect((await sentences(nrf52840, [['app.bin', program()]]))[0]?.[1]).toMatch(/^"app.bin": /);
  });
});
