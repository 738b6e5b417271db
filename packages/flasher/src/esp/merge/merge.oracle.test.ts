/** Compares merged images with `esptool merge-bin`, byte by byte, if esptool is installed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLong, random } from '@wirebench/test-input';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uf2FamilyId } from '../../images/formats/uf2-families.ts';
import { findEsptool } from '../../images/testing/tools.ts';
import { noise } from '../../testing/program.ts';
import { chipFacts } from '../chips/chip-facts.ts';
import { mergeHex } from './merge-hex.ts';
import { type MergePart, mergeRaw } from './merge-raw.ts';
import { mergeUf2 } from './merge-uf2.ts';

const esptool = findEsptool();
if (esptool === null) {
  console.info('Left out, because this machine has no esptool: merged files that are compared with it.');
}
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wirebench-merge-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SETS = isLong ? 200 : 12;

/** Returns a set of one to five parts: at odd lengths, some adjacent, some across 64 KiB. */
function setOf(seed: number): MergePart[] {
  const { below } = random(`set ${seed}`);
  let at = below(3) * 0x1000;
  return Array.from({ length: 1 + below(5) }, (_, index) => {
    const bytes = noise(1 + below(below(3) === 0 ? 200_000 : 9_000), seed * 10 + index);
    const offset = at;
    at = Math.ceil((offset + bytes.length) / 0x1000) * 0x1000 + below(2) * below(40) * 0x1000;
    return { name: `part-${index}.bin`, offset, bytes };
  });
}

describe.runIf(esptool !== null)('esptool merge-bin', () => {
  it('writes the same raw, HEX and UF2 files', () => {
    for (let seed = 1; seed <= SETS; seed++) {
      const parts = setOf(seed);
      const given = parts.flatMap(({ name, offset, bytes }) => {
        writeFileSync(join(folder, name), bytes);
        return [`0x${offset.toString(16)}`, join(folder, name)];
      });
      const merged = (format: string) => {
        const file = join(folder, `merged.${format}`);
        esptool?.run('merge-bin', '--format', format, '--output', file, ...given);
        return readFileSync(file);
      };
      const equals = (format: string, own: Uint8Array) =>
        expect(Buffer.compare(merged(format), Buffer.from(own)), `set ${seed}, ${format}`).toBe(0);
      equals('raw', mergeRaw(parts));
      equals('hex', new TextEncoder().encode(mergeHex(parts)));
      equals('uf2', mergeUf2(parts, uf2FamilyId(chipFacts.esp32.label)));
    }
  }, 600_000);
});
