/** Traces a crash of the demo to source lines with the ELF file of the demo firmware, which independent code writes. */
import { type EspChipName, espChipNames, espFirmwareSet } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { blobSource, openSymbolFile } from './index.ts';

/** Address of code in RAM, by chip. */
const start: Partial<Record<EspChipName, number>> = { esp32: 0x40080400, esp32s3: 0x403c9700, esp32c3: 0x403ce000 };

function elfOf(chip: EspChipName) {
  const set = espFirmwareSet({ chip, project: 'demo', version: '1.0.0', text: 'Hello\r\n' });
  const data = set.find(({ name }) => name.endsWith('.elf'))?.data ?? new Uint8Array();
  return openSymbolFile(blobSource(new Blob([data])));
}

describe("the demo firmware's ELF file", () => {
  it.each(espChipNames)('is whole, for an %s', async (chip) => {
    const { machine, summary } = await elfOf(chip);
    expect(machine).toBe(/^esp(8|32$|32s)/.test(chip) ? 'xtensa' : 'riscv');
    expect(summary).toMatchObject({ units: 1, damagedUnits: 0, subroutines: 11, symbols: 11 });
  });

  it.each(Object.entries(start))('names function, file and line of a crash address of an %s', async (chip, address) => {
    const file = await elfOf(chip as EspChipName);
    const at = (offset: number) => file.lookup(address + offset)[0];
    expect(at(0)).toMatchObject({ name: 'say_hello', file: '/project/main/wirebench_demo.c', line: 14 });
    // Middle of the third line of the second function.
    expect(at(4 * 12 + 2 * 12 + 5)).toMatchObject({ name: 'read_sensor', line: 24 });
    expect(at((4 + 5 + 5 + 4) * 12)).toMatchObject({ name: 'app_main', line: 43 });
    expect(at(19 * 12)).toMatchObject({ name: 'check_limit', line: 47 });
    expect(file.lookup(address + 47 * 12)).toEqual([]);
  });
});
