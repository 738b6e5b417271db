import { describe, expect, it } from 'vitest';
import { chipNames } from '../chips/chip-facts.ts';
import type { EfuseLayout, PlacedField } from './efuse-layout.ts';
import { fieldMeaning } from './field-meanings.ts';
import { loadEfuseLayout } from './load-layout.ts';

const layouts: (readonly [string, EfuseLayout])[] = [];
for (const chip of chipNames) {
  layouts.push([chip, await loadEfuseLayout(chip, null)]);
}
layouts.push(['esp32p4 before 3.0', await loadEfuseLayout('esp32p4', { major: 1, minor: 3 })]);

const placedIn = ({ fields }: EfuseLayout): PlacedField[] => fields.filter((field) => field.kind === 'placed');

describe.each(layouts)('eFuses of %s', (_, layout) => {
  it('lie within their blocks', () => {
    for (const { name, block, bit, length, isBytes } of placedIn(layout)) {
      expect(bit + length, name).toBeLessThanOrEqual((layout.blocks[block]?.words ?? 0) * 32);
      expect(isBytes && (bit % 8 !== 0 || length % 8 !== 0), name).toBe(false);
    }
  });

  it('have different names, and blocks that follow one another', () => {
    const names = layout.fields.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const ends = layout.blocks.map(({ offset, words }) => offset + words * 4);
    expect(layout.blocks.slice(1).every(({ offset }, index) => offset >= (ends[index] ?? 0))).toBe(true);
  });

  it('share no bits, except blocks that hold other fields', () => {
    const small = placedIn(layout).filter(({ length, presence }) => length < 128 && presence === 'always');
    const taken = new Map<string, string>();
    for (const { name, block, bit, length } of small) {
      for (let at = bit; at < bit + length; at++) {
        expect([name, taken.get(`${block} ${at}`)]).toEqual([name, undefined]);
        taken.set(`${block} ${at}`, name);
      }
    }
  });

  it('have a meaning, and parts that exist', () => {
    for (const field of layout.fields) {
      expect([field.name, fieldMeaning(field.name)]).not.toEqual([field.name, '']);
      const parts = field.kind === 'combined' ? field.parts : [];
      expect(parts.filter((part) => !placedIn(layout).some(({ name }) => name === part))).toEqual([]);
    }
  });

  it('are hidden by bits that their block knows', () => {
    for (const { name, block, readProtection } of placedIn(layout)) {
      const known = [...(layout.blocks[block]?.readProtection ?? []), ...(block === 0 ? [3] : [])];
      expect([name, readProtection.every((bit) => known.includes(bit))]).toEqual([name, true]);
    }
  });
});
