/** Searches the sources for code that could burn an eFuse. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chipNames } from '../chips/chip-facts.ts';
import { loadEfuseLayout } from './load-layout.ts';

const root = join(import.meta.dirname, '../../../../..');
const folders = ['packages', 'apps', 'firmware', 'scripts'];
const skipped = new Set(['node_modules', 'dist', 'build', 'coverage']);
/** The simulated chips model the controller as words that nothing can change. */
const isShipped = (path: string) => !/\.test\.|\/testing\/|^packages\/devices\//.test(path);

function sourcesIn(folder: string): { path: string; text: string }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return skipped.has(entry.name) ? [] : sourcesIn(path);
    }
    const shown = relative(root, path);
    return /\.(ts|tsx|js|mjs|c|h|S)$/.test(entry.name) && isShipped(shown)
      ? [{ path: shown, text: readFileSync(path, 'utf8') }]
      : [];
  });
}

const sources = folders.flatMap((folder) => sourcesIn(join(root, folder)));

/** Returns the paths whose text matches, without underscores in numbers. */
const pathsWith = (pattern: RegExp) =>
  sources.filter(({ text }) => pattern.test(text.replaceAll(/(?<=[\da-f])_(?=[\da-f])/gi, ''))).map(({ path }) => path);

/**
 * Registers that burn, as offsets from the base: data to burn, operation code, command (Technical Reference Manuals,
 * "eFuse Controller", register summaries).
 */
const burning: Readonly<Record<string, readonly number[]>> = {
  esp32: [0x1c, 0x98, 0xb8, 0xd8, 0xfc, 0x104],
  esp32c2: [0x00, 0x8c, 0x94],
};
const laterBurning = [0x1cc, 0x1d4];

describe('source files', () => {
  it('are all part of the search', () => {
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.map(({ path }) => path)).toContain('packages/flasher/src/esp/efuse/read-efuses.ts');
  });

  it('do not contain the operation code that allows burning', () => {
    // 0x5A5A permits a program command; without it the controller ignores one.
    expect(pathsWith(/0x5a5a\b/i)).toEqual([]);
  });

  it('do not name a register or a command that burns', () => {
    expect(pathsWith(/EFUSE_(PGM|WR_TIM|CMD|CONF|DAC_CONF)\w*|PGM_DATA|PGM_CMD|WDATA\d/)).toEqual([]);
  });

  it('do not contain the address of such a register', async () => {
    const addresses: string[] = [];
    // An ESP8266 has no such controller.
    for (const chip of chipNames.filter((name) => name !== 'esp8266')) {
      const { base } = await loadEfuseLayout(chip, null);
      addresses.push(...(burning[chip] ?? laterBurning).map((offset) => (base + offset).toString(16)));
    }
    // The base itself is where the ESP32-C2 takes data; it is the origin of all read registers.
    const found = addresses.filter(
      (address) => address !== '60008800' && pathsWith(new RegExp(`0x${address}\\b`, 'i')).length > 0,
    );
    expect(found).toEqual([]);
  });

  it('about eFuses do not write a register', () => {
    const own = sources.filter(({ path }) => path.startsWith('packages/flasher/src/esp/efuse/'));
    const writers = own.filter(({ text }) => /writeReg|registers\.write|\bwrite\(|WRITE_REG/.test(text));
    expect(own.length).toBeGreaterThan(15);
    expect(writers.map(({ path }) => path)).toEqual([]);
  });
});
