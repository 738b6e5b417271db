/** The committed images of the product's own probe, an app that the ROM starts instead of a bootloader. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { placeFiles } from '../build-output/place-files.ts';
import { imagePartOf, partTitle } from '../images/image-part.ts';
import { innerPartsOf } from '../images/inner-parts.ts';
import { board, codesOf, file, flashOf, MIB, plan } from '../testing/plans.ts';
import { findDamage } from './check-images.ts';

const imageOf = (chip: 'esp32' | 'esp32c3') =>
  new Uint8Array(readFileSync(new URL(`../../../../../firmware/probe/images/${chip}.bin`, import.meta.url)));
const places = { esp32: 0x1000, esp32c3: 0 } as const;
const labels = { esp32: 'ESP32', esp32c3: 'ESP32-C3' } as const;

describe.each(['esp32', 'esp32c3'] as const)('the probe for %s', (chip) => {
  const bytes = imageOf(chip);
  const files = [file('anything.bin', places[chip], bytes)];
  const info = { chip, model: labels[chip], revision: { major: 0, minor: 4 } } as const;

  it('is recognised by its own description, under any file name, and is whole', async () => {
    const part = imagePartOf(bytes);
    expect(partTitle(part)).toMatch(
      new RegExp(`^App Wirebench probe 1\\.\\d+ for ${labels[chip]}, started by the ROM in place of a bootloader$`),
    );
    expect(await findDamage({ part, inner: innerPartsOf(bytes), bytes })).toEqual([]);
  });

  it.each([
    ['a board with a partition table', board({ info })],
    ['an empty board', board({ info, table: 'none' })],
    [
      'a board with less flash than its header names',
      board({ info: { ...info, flash: flashOf(2 * MIB) }, table: 'none' }),
    ],
  ])('is written to %s with one warning: the program that no longer starts', async (_, target) => {
    const made = await plan({ files, board: target });
    expect(codesOf(made)).toEqual([[], ['replaces-bootloader']]);
    expect(made.warnings[0]?.what).toContain('stays in flash and no longer starts');
    expect(made.regions.map(({ offset }) => offset)).toEqual([places[chip]]);
    expect(made.bytes).toBe(bytes.length);
    expect([made.eraseAll, made.erase, made.restore]).toEqual([false, [], []]);
  });

  it('is reported as misplaced at the usual place of apps', async () => {
    const made = await plan({ files: [file('probe.bin', 0x10000, bytes)], board: board({ info }) });
    expect(codesOf(made)[1]).toContain('bootloader-misplaced');
    expect(codesOf(made)[1]).not.toContain('replaces-bootloader');
  });

  it('is refused for the other chip before anything is erased', async () => {
    const other = chip === 'esp32' ? 'esp32c3' : 'esp32';
    const made = await plan({ files, board: board({ info: { chip: other, revision: { major: 3, minor: 1 } } }) });
    expect(codesOf(made)[0]).toContain('wrong-chip');
  });

  it('is refused when one of its bytes was changed', async () => {
    const damaged = bytes.slice();
    damaged[1_000] = (damaged[1_000] ?? 0) ^ 1;
    const made = await plan({ files: [file('probe.bin', places[chip], damaged)], board: board({ info }) });
    expect(codesOf(made)[0]).toContain('image-damaged');
  });

  it('is suggested for the place of the bootloader', () => {
    const { files: placed } = placeFiles([{ name: 'firmware.bin', bytes }]);
    expect(placed[0]?.offset).toBe(places[chip]);
  });
});
