import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMemoryLayout } from '../testing/memory-name.ts';
import { type LayoutSector, parseMemoryLayout } from './open-device.ts';

const KIB = 1_024;

describe('the name of a memory', () => {
  it('gives the sectors of an STM32F4', () => {
    const layout = parseMemoryLayout('@Internal Flash  /0x08000000/04*016Kg,01*064Kg,07*128Kg');
    expect(layout?.name).toBe('Internal Flash');
    expect(layout?.sectors).toHaveLength(12);
    expect(layout?.sectors[4]).toEqual({
      offset: 0x0801_0000,
      length: 64 * KIB,
      readable: true,
      erasable: true,
      writable: true,
    });
    expect(layout?.sectors.at(-1)).toMatchObject({ offset: 0x080e_0000, length: 128 * KIB });
  });

  it.each([
    ['bytes, with a blank for a multiplier', '@Option Bytes  /0x1FFFC000/01*016 e', 0x1fff_c000, 16, 'e'],
    ['bytes, without any', '@OTP Memory /0x1FFF7800/01*512e', 0x1fff_7800, 512, 'e'],
    ['bytes, with a B', '@Option Bytes /0x1FFFF800/01*016 Be', 0x1fff_f800, 16, 'e'],
    ['megabytes', '@SPI Flash: M25P64/0x00000000/01*1Ma', 0, 1_048_576, 'a'],
    ['with blanks all over', '@Internal Flash / 0x08000000 / 01 * 016 Kg ', 0x0800_0000, 16_384, 'g'],
  ])('has %s', (_name, text, offset, length, letter) => {
    const flags = letter.charCodeAt(0) - 0x60;
    expect(parseMemoryLayout(text)?.sectors).toEqual([
      { offset, length, readable: (flags & 1) > 0, erasable: (flags & 2) > 0, writable: (flags & 4) > 0 },
    ]);
  });

  it('may have several stretches', () => {
    const layout = parseMemoryLayout('@Option Bytes   /0x5200201C/01*128 e/0x1FFEC000/02*016 e');
    expect(layout?.sectors.map(({ offset }) => offset)).toEqual([0x5200_201c, 0x1ffe_c000, 0x1ffe_c010]);
  });

  it.each([
    ['letters of another script', '챐ƨ⹔뺿䭼뛮컸`'],
    ['NULs', '\0\0\0'],
    ['erased flash', '\uffff\uffff'],
    ['digits', '512'],
    ['a comma', ','],
    ['a comma and a word', ',x'],
    ['half a group', ',01*'],
    ['a group with another letter', ',01*064Kh'],
    ['an address without its digits', '/0x/'],
    ['an address without sectors', '/0x1FFF0000/'],
    ['a line break', '\r\n@Internal'],
  ])('is used as far as it is a layout: %s', (_name, stray) => {
    const text = '@Internal Flash  /0x08000000/04*016Kg,01*064Kg,07*128Kg';
    expect(parseMemoryLayout(`${text}${stray}`)).toEqual(parseMemoryLayout(text));
    expect(parseMemoryLayout(`${text}${stray}`)?.sectors).toHaveLength(12);
  });

  it('is the same with other blanks, and with small letters for multipliers', () => {
    const usual = parseMemoryLayout('@Internal Flash  /0x08000000/04*016Kg,01*064Kg,07*128Kg');
    expect(parseMemoryLayout('@Internal Flash/0X08000000/4*16kg, 1*64 Kg ,7 * 128K g')).toEqual(usual);
    expect(parseMemoryLayout('@Internal Flash / 0x8000000 / 04*016Kg , 01*064Kg,\t07*128Kg')).toEqual(usual);
  });

  it('may have a slash in front of its address', () => {
    const layout = parseMemoryLayout('@SPI Flash: A/B /0x00000000/512*04Kg');
    expect([layout?.name, layout?.sectors.length]).toEqual(['SPI Flash: A/B', 512]);
  });

  it('ends at sectors that no memory has', () => {
    expect(parseMemoryLayout('@Flash /0x08000000/04*016Kg,9999999*1Kg')?.sectors).toHaveLength(4);
    expect(parseMemoryLayout('@Flash /0x08000000/04*016Kg/0xFFFFFFF0/01*016Kg')?.sectors).toHaveLength(4);
    expect(parseMemoryLayout('@Flash /0x08000000/04*016Kg,01*000Kg')?.sectors).toHaveLength(4);
  });

  it.each([
    ['no at sign', 'Internal Flash /0x08000000/04*016Kg'],
    ['no address', '@Internal Flash'],
    ['an address without its digits', '@Internal Flash /0x/04*016Kg'],
    ['another letter', '@Internal Flash /0x08000000/04*016Kh'],
    ['something in front of its sectors', '@Internal Flash /0x08000000/x04*016Kg'],
    ['sectors without size', '@Internal Flash /0x08000000/04*000Kg'],
    ['more sectors than a memory has', '@Internal Flash /0x08000000/9999999*1Kg'],
    ['no sectors', '@Internal Flash /0x08000000/'],
    ['a memory beyond all addresses', '@Internal Flash /0xFFFFFFF0/01*016Kg'],
  ])('is refused with %s', (_fault, text) => {
    expect(parseMemoryLayout(text)).toBeNull();
  });

  it('is read back as it was formatted', () => {
    const size = fc.oneof(
      fc.integer({ min: 1, max: 999 }),
      fc.integer({ min: 1, max: 99 }).map((n) => n * KIB),
    );
    const stretch = fc.record({
      offset: fc.integer({ min: 0, max: 0xfff }).map((n) => n * 0x10_0000),
      groups: fc.array(
        fc.record({ count: fc.integer({ min: 1, max: 20 }), size, flags: fc.integer({ min: 1, max: 7 }) }),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    });
    fc.assert(
      fc.property(fc.array(stretch, { minLength: 1, maxLength: 3 }), (stretches) => {
        const sectors = stretches.flatMap(({ offset, groups }): LayoutSector[] => {
          let at = offset;
          return groups.flatMap(({ count, size: length, flags }) =>
            Array.from({ length: count }, () => {
              const sector = {
                offset: at,
                length,
                readable: (flags & 1) > 0,
                erasable: (flags & 2) > 0,
                writable: (flags & 4) > 0,
              };
              at += length;
              return sector;
            }),
          );
        });
        fc.pre(sectors.every(({ offset, length }) => offset + length <= 2 ** 32));
        const layout = { name: 'Internal Flash', sectors };
        expect(parseMemoryLayout(formatMemoryLayout(layout))).toEqual(layout);
      }),
    );
  });
});
