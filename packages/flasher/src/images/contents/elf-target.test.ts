/**
 * The boards of an ELF file. Addresses come from the memory maps of the chips: ESP-IDF (`memory.ld` of each chip), datasheets of
 * RP2040 and RP2350 (2.2), product specifications of Nordic, reference manuals of ST, data sheets of SAM D21 and D51.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FamilyId } from '@wirebench/boards';
import { describe, expect, it } from 'vitest';
import { program } from '../../testing/program.ts';
import { buildElf } from '../testing/formats.ts';
import { contentsOf, type FileContents } from './contents.ts';
import { flashersOf } from './flashers-of.ts';
import { foreignElf } from './not-firmware.ts';

const [arm, avr, xtensa, riscV, msp430] = [40, 83, 94, 243, 105];
const bytes = program(512);

/** A program for Arm with its vector table at `address`. */
function armElf(address: number, stack: number, also: readonly number[] = []): Uint8Array {
  const code = program(512);
  const view = new DataView(code.buffer);
  [stack, address + 0x101, address + 0x111, address + 0x121].forEach((word, index) => {
    view.setUint32(4 * index, word, true);
  });
  return buildElf([{ address, bytes: code }, ...also.map((other) => ({ address: other, bytes }))], { machine: arm });
}

const elfAt = (machine: number | undefined, ...addresses: readonly number[]) =>
  buildElf(
    addresses.map((address) => ({ address, bytes })),
    { machine: machine ?? 0 },
  );

const golden = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dirname, '../../rp/files/testing/data', name)));

const families: readonly FamilyId[] = ['esp', 'stm', 'nrf', 'avr', 'rp'];

describe('boards of an ELF file', () => {
  it.each<[string, FileContents, readonly FamilyId[], Uint8Array]>([
    ['RISC-V, RP2350', 'rp-elf', ['rp'], golden('elf-riscv.elf')],
    ['Arm, RP2350', 'rp-elf', ['rp'], golden('elf-rp2350.elf')],
    ['Arm, RP2040', 'rp-elf', ['rp'], golden('elf-flash.elf')],
    ['RISC-V, RP2350, code in flash and data in RAM', 'rp-elf', ['rp'], elfAt(riscV, 0x1000_0000, 0x2000_0110)],
    ['RISC-V, RP2350, for RAM', 'rp-elf', ['rp'], elfAt(riscV, 0x2000_0000)],
    ['RISC-V, RP2350, for the memory of the cache', 'rp-elf', ['rp'], elfAt(riscV, 0x13ff_c000)],
    ['RISC-V, ESP32-C3', 'esp-elf', ['esp'], elfAt(riscV, 0x3c00_0020, 0x3fc8_0000, 0x4038_0000, 0x4200_0020)],
    ['RISC-V, ESP32-C6', 'esp-elf', ['esp'], elfAt(riscV, 0x4080_0000, 0x4200_0020, 0x5000_0000)],
    ['RISC-V, ESP32-H2', 'esp-elf', ['esp'], elfAt(riscV, 0x4080_0000, 0x4200_0020)],
    ['RISC-V, ESP32-P4', 'esp-elf', ['esp'], elfAt(riscV, 0x3010_0000, 0x4000_0020, 0x4ff0_0000)],
    ['Xtensa, ESP32', 'esp-elf', ['esp'], elfAt(xtensa, 0x3f40_0020, 0x400d_0020)],
    ['RISC-V, GD32VF103', 'other-elf', [], elfAt(riscV, 0x0800_0000)],
    ['RISC-V, CH32V', 'other-elf', [], elfAt(riscV, 0)],
    ['RISC-V, BL602, with RAM where Espressif has flash', 'other-elf', [], elfAt(riscV, 0x2300_0000, 0x4202_0000)],
    ['AVR', 'avr-elf', ['avr'], elfAt(avr, 0, 0x80_0100)],
    ['Arm, STM32', 'stm-elf', ['stm'], armElf(0x0800_0000, 0x2000_5000)],
    ['Arm, STM32 with core-coupled memory', 'stm-elf', ['stm'], armElf(0x0800_0000, 0x1001_0000, [0x1000_0000])],
    ['Arm, nRF52 behind a SoftDevice', 'nrf-elf', ['nrf'], armElf(0x2_6000, 0x2001_0000)],
    ['Arm, nRF52840 with its settings', 'nrf-elf', ['nrf'], armElf(0, 0x2004_0000, [0x1000_1014])],
    ['Arm, nRF5340, network core', 'nrf-elf', ['nrf'], armElf(0x0100_0000, 0x2101_0000)],
    ['Arm, settings of an nRF52 alone', 'nrf-elf', ['nrf'], elfAt(arm, 0x1000_1014)],
    ['Arm, SAM D21 behind its bootloader', 'other-elf', [], armElf(0x2000, 0x2000_8000)],
    ['Arm, SAM D51 behind its bootloader', 'other-elf', [], armElf(0x4000, 0x2003_0000)],
    ['Arm, SAM3X', 'other-elf', [], armElf(0x8_0000, 0x2008_8000)],
    ['Arm, SAM E70', 'other-elf', [], armElf(0x40_0000, 0x2046_0000)],
    ['Arm, LPC1768', 'other-elf', [], armElf(0, 0x1000_8000)],
    ['Arm, i.MX RT', 'other-elf', [], armElf(0x6000_2000, 0x2004_0000)],
    ['Arm, for RAM', 'elf', ['stm', 'nrf', 'rp'], armElf(0x2000_0000, 0x2000_5000)],
    ['MSP430', 'other-elf', [], elfAt(msp430, 0xc000)],
  ])('follow from its processor and its addresses: %s', (_, contents, expected, file) => {
    expect([contentsOf(file), flashersOf('program.elf', file)]).toEqual([contents, expected]);
    const kept = families.filter((family) => foreignElf(file, family) === null);
    expect(kept).toEqual(expected);
  });

  it('stay open without addresses if several families have its processor', () => {
    const head = (machine: number | undefined) => buildElf([], { machine: machine ?? 0 });
    expect([contentsOf(head(riscV)), flashersOf('a.elf', head(riscV))]).toEqual(['elf', ['esp', 'rp']]);
    expect([contentsOf(head(arm)), flashersOf('a.elf', head(arm))]).toEqual(['elf', ['stm', 'nrf', 'rp']]);
  });

  it('stay open for a file that is cut in its header', () => {
    const cut = golden('elf-riscv.elf').subarray(0, 40);
    expect(families.filter((family) => foreignElf(cut, family) === null)).toEqual(families);
  });
});
