import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stmPartNames } from '../options.ts';
import { parts } from '../parts/index.ts';
import { OptionBytes } from './option-bytes.ts';
import { StmChip } from './stm-chip.ts';

const flash = 0x0800_0000;
const anyPart = fc.constantFrom(...stmPartNames);

describe('flash', () => {
  it('holds data written into erased units, in any place and order', () => {
    const blocks = fc.uniqueArray(
      fc.record({ place: fc.nat(200), data: fc.uint8Array({ minLength: 32, maxLength: 32 }) }),
      { selector: ({ place }) => place, maxLength: 12 },
    );
    fc.assert(
      fc.property(anyPart, blocks, (part, written) => {
        const chip = new StmChip({ part, content: 'empty' });
        const erased = parts[part].flash.erased;
        const model = new Uint8Array(201 * 32).fill(erased);
        for (const { place, data } of written) {
          expect(chip.write(0, flash + place * 32, data)).toEqual({ end: 0, ok: true });
          model.set(data, place * 32);
        }
        expect(Buffer.from(chip.flash.read(0, model.length)).equals(Buffer.from(model))).toBe(true);
      }),
    );
  });

  it('is erased by sectors and by nothing else', () => {
    fc.assert(
      fc.property(anyPart, fc.array(fc.nat(11), { minLength: 1, maxLength: 4 }), (part, numbers) => {
        const size = parts[part].flash.sizes[0] ?? 0;
        const chip = new StmChip({ part, content: [{ address: flash, data: new Uint8Array(size).fill(0x5a) }] });
        chip.eraseSectors(0, numbers);
        for (const [number, { offset, length }] of chip.sectors.entries()) {
          const content = numbers.includes(number) ? parts[part].flash.erased : 0x5a;
          expect([chip.flash.read(offset, 1)[0], chip.flash.read(offset + length - 1, 1)[0]]).toEqual([
            content,
            content,
          ]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each(stmPartNames)('is covered without a gap by the sectors of an %s', (part) => {
    for (const flashSize of parts[part].flash.sizes) {
      const { sectors } = new StmChip({ part, flashSize, content: 'empty' });
      let end = 0;
      for (const { offset, length } of sectors) {
        expect(offset).toBe(end);
        end += length;
      }
      expect(end).toBe(flashSize);
    }
  });

  it('keeps the blocks before a power cut, and part of the interrupted one', () => {
    const chip = new StmChip({ part: 'stm32f103', content: 'empty', profile: 'real-flash' });
    const { end } = chip.write(0, flash, new Uint8Array(256));
    expect(end).toBeCloseTo(6.72);
    chip.interrupt(end / 2);
    const content = chip.flash.read(0, 256);
    expect(content.slice(0, 128)).toEqual(new Uint8Array(128));
    expect(content.slice(128)).toEqual(new Uint8Array(128).fill(0xff));
  });
});

describe('option bytes', () => {
  const bytesOf = (options: OptionBytes, length: number) => Array.from({ length }, (_, at) => options.at(at));

  it('are stored beside their complements for any values', () => {
    fc.assert(
      fc.property(anyPart, fc.uint8Array({ maxLength: 128 }), (part, data) => {
        const facts = parts[part].options;
        const options = new OptionBytes(facts, 64);
        options.write(0, data);
        const length = facts.ranges[0]?.length ?? 0;
        const { complement: width } = facts;
        if (width !== 'none') {
          for (const [at, byte] of bytesOf(options, length).entries()) {
            const partner = Math.floor(at / width) % 2 === 0 ? at + width : at - width;
            expect(byte ^ options.at(partner)).toBe(0xff);
          }
        }
      }),
    );
  });

  it('keep the level of read protection that they are set to, on parts that have it', () => {
    fc.assert(
      fc.property(anyPart, fc.constantFrom(0, 1, 2), (part, level) => {
        const options = new OptionBytes(parts[part].options, 64);
        options.protection = level;
        expect(options.protection).toBe(part === 'stm32f103' && level === 2 ? 1 : level);
      }),
    );
  });

  it('protect the sectors that they are asked to, and no others', () => {
    fc.assert(
      fc.property(anyPart, fc.nat(7), (part, code) => {
        const options = new OptionBytes(parts[part].options, 512);
        expect(options.isWriteProtected(0)).toBe(false);
        options.protectWriting([code]);
        for (let page = 0; page < 64; page++) {
          expect(options.isWriteProtected(page)).toBe(options.sectorOf(page) === code);
        }
        options.protectWriting([]);
        expect(options.isWriteProtected(code)).toBe(false);
      }),
    );
  });

  it.each([
    ['stm32f103', 0x1fff_f800, 'a55aff00ff00ff00ff00ff00ff00ff00'],
    ['stm32f072', 0x1fff_f800, 'aa55ff00ff00ff00ff00ff00ff00ff00'],
    ['stm32f407', 0x1fff_c000, 'efaaffffffffffffff0fffffffffffff'],
    ['stm32g071', 0x1fff_7800, 'aae1ffde551e0021'],
    ['stm32l476', 0x1fff_7800, 'aaf8efff55071000'],
    ['stm32l053', 0x1ff8_0000, 'aa0055ff70808f7f0000ffff0000ffff'],
    ['stm32h743', 0x5200_201c, 'f0aac613'],
  ] as const)('have the factory values of an %s from its manual', (part, address, hex) => {
    const chip = new StmChip({ part });
    const bytes = chip.read(address, hex.length / 2);
    expect(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')).toBe(hex);
  });
});
