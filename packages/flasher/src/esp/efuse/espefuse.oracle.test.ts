/** Compares the names and values of all eFuses with Espressif's espefuse, if it is installed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { random } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findEspefuse } from '../../images/testing/tools.ts';
import type { ChipName } from '../chips/chip-facts.ts';
import { decodeEfuses } from './decode-efuses.ts';
import type { EfuseLayout } from './efuse-layout.ts';
import { loadEfuseLayout } from './load-layout.ts';

const espefuse = findEspefuse();
if (espefuse === null) {
  console.info('Left out, because this machine has no espefuse: eFuses that are compared with it.');
}
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-espefuse-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const chips: readonly ChipName[] = [
  'esp32',
  'esp32s2',
  'esp32s3',
  'esp32c2',
  'esp32c3',
  'esp32c5',
  'esp32c6',
  'esp32c61',
  'esp32h2',
  'esp32h21',
  'esp32h4',
  'esp32p4',
];
/** Fields whose values have other words here. Their bits are compared. */
const ownWords = [
  'CODING_SCHEME',
  'USB_PHY_SEL',
  'VDD_SPI_TIEH',
  'UART_PRINT_CONTROL',
  'MAC_VERSION',
  'BLOCK3',
  'SPI_BOOT_CRYPT_CNT',
];

interface Told {
  readonly value: unknown;
  readonly block: number;
  readonly readable: boolean;
  readonly writeable: boolean;
}

describe.runIf(espefuse !== null)('espefuse', () => {
  it.each(chips)('reads the same names and values from the words of %s', { timeout: 300_000 }, async (chip) => {
    const { below } = random('words');
    const word = () => below(2 ** 32);
    for (let round = 0; round < 4; round++) {
      // The oldest and the newest layout of the ESP32-P4 are told apart by its revision; the file keeps it at 0.
      const layout = await loadEfuseLayout(chip, { major: 0, minor: 0 });
      const blocks = layout.blocks.map(({ words }) =>
        Array.from({ length: words }, () => (round === 0 ? 0 : (word() & word()) >>> 0)),
      );
      hideBlocks(chip, layout, blocks);
      const told = tell(chip, layout, blocks);
      // The virtual ESP32 reports the third bit of its major revision as set.
      const low = (blocks[0]?.[3] ?? 0) >>> 15;
      const middle = (blocks[0]?.[5] ?? 0) >>> 20;
      const major = chip === 'esp32' && (low & 1) === 1 && (middle & 1) === 1 ? 3 : 0;
      const efuses = decodeEfuses(layout, { chip, revision: { major, minor: 0 }, blocks, errors: [] });
      expect(efuses.values.map(({ field }) => field.name).sort()).toEqual(Object.keys(told).sort());
      for (const { field, block, text, readable, writable } of efuses.values) {
        const own = told[field.name];
        expect([field.name, block, readable, writable]).toEqual([
          field.name,
          own?.block,
          own?.readable,
          own?.writeable,
        ]);
        if (!ownWords.includes(field.name)) {
          expect([field.name, comparable(text)]).toEqual([field.name, comparable(wordOf(own?.value))]);
        }
      }
    }
  });
});

/** Python writes `True` in a summary and `true` in JSON. */
function wordOf(value: unknown): string {
  return value === true ? 'True' : value === false ? 'False' : String(value);
}

/** Numbers with a fraction are rounded differently, and lose it in JSON if it is 0. */
function comparable(text: string): string {
  return /^-?\d+(\.\d+)?$/.test(text) ? String(Number(Number(text).toFixed(1)) + 0) : text;
}

/** Clears blocks that RD_DIS hides, and keeps the coding of the ESP32 and the revision of the ESP32-P4 at 0. */
function hideBlocks(chip: ChipName, layout: EfuseLayout, blocks: number[][]): void {
  const [block0 = []] = blocks;
  if (chip === 'esp32') {
    block0[6] = (block0[6] ?? 0) & ~0b11;
    // Hides fields of block 0 too, which the chip would show as 0.
    block0[0] = (block0[0] ?? 0) & ~(1 << 19);
  }
  if (chip === 'esp32p4') {
    const [, block1 = []] = blocks;
    block1[2] = (block1[2] ?? 0) & ~0x80_0030;
  }
  const hidden = chip === 'esp32' ? (block0[0] ?? 0) >>> 16 : (block0[1] ?? 0);
  for (const [index, { readProtection, words }] of layout.blocks.entries()) {
    readProtection.forEach((bit, part) => {
      const size = words / readProtection.length;
      if (((hidden >>> bit) & 1) === 1) {
        blocks[index]?.fill(0, part * size, (part + 1) * size);
      }
    });
  }
}

/** Returns the summary of espefuse about a virtual chip with these words. */
function tell(chip: ChipName, layout: EfuseLayout, blocks: readonly (readonly number[])[]): Record<string, Told> {
  const memory = join(folder, `${chip}.bin`);
  const summary = join(folder, `${chip}.json`);
  const run = () =>
    espefuse?.run(
      '--chip',
      chip,
      '--virt',
      '--path-efuse-file',
      memory,
      'summary',
      '--format',
      'json',
      '--file',
      summary,
    );
  // espefuse makes a file of the right size, which is one large big-endian number.
  rmSync(memory, { force: true });
  run();
  const bytes = readFileSync(memory);
  for (const [index, { offset }] of layout.blocks.entries()) {
    blocks[index]?.forEach((word, at) => {
      bytes.writeUInt32BE(word >>> 0, bytes.length - offset - at * 4 - 4);
    });
  }
  writeFileSync(memory, bytes);
  run();
  return JSON.parse(readFileSync(summary, 'utf8'));
}
