import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHexInput } from './hex-input.ts';

const bytesOf = (text: string) => {
  const parsed = parseHexInput(text);
  return parsed === null ? null : [...parsed.bytes];
};

/** A written group of digits, and the bytes that it means. */
interface Written {
  readonly text: string;
  readonly bytes: readonly number[];
}

const digits = fc.stringMatching(/^[0-9a-fA-F]{1,12}$/);
const valuesOf = (text: string) => {
  const padded = text.length % 2 === 0 ? text : `0${text}`;
  return Array.from({ length: padded.length / 2 }, (_, at) => Number(`0x${padded.slice(at * 2, at * 2 + 2)}`));
};
/** Whole bytes, which mean the same wherever they stand. */
const pairGroup = fc
  .stringMatching(/^(?:[0-9a-fA-F]{2}){1,6}$/)
  .map((text): Written => ({ text, bytes: valuesOf(text) }));
const prefixed = fc
  .tuple(fc.constantFrom('0x', '0X'), digits)
  .map(([prefix, text]): Written => ({ text: prefix + text, bytes: valuesOf(text) }));
const escaped = fc.array(fc.tuple(fc.nat({ max: 255 }), fc.boolean()), { minLength: 1, maxLength: 4 }).map(
  (parts): Written => ({
    text: parts.map(([byte, short]) => `\\x${byte.toString(16).padStart(short ? 1 : 2, '0')}`).join(''),
    bytes: parts.map(([byte]) => byte),
  }),
);
const written = fc.oneof(pairGroup, prefixed, escaped);
const comment = fc
  .stringMatching(/^[a-z0-9 ,;{}*]{0,12}$/)
  .chain((text) => fc.constantFrom(` // ${text}\n`, ` /* ${text.replaceAll('*', '')} */ `));
const separator = fc.oneof(fc.constantFrom(' ', ',', ', ', '\n', '\r\n', '\t', ';', ' {', '},\n'), comment);

describe('hex input', () => {
  it('means the bytes of its groups, whatever stands between them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(written, separator), { maxLength: 20 }), separator, (parts, first) => {
        const text = first + parts.map(([{ text: digitsOf }, between]) => digitsOf + between).join('');
        expect(bytesOf(text)).toEqual(parts.flatMap(([{ bytes }]) => bytes));
      }),
      { numRuns: 1_000 },
    );
  });

  it('means the same with spaces at any other places between the digits', () => {
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1, maxLength: 8 }), (groups) => {
        const whole = groups.join('');
        fc.pre(whole.length % 2 === 0);
        expect(bytesOf(groups.join(' '))).toEqual(valuesOf(whole));
        expect(parseHexInput(groups.join('\n'))?.isOdd).toBe(false);
      }),
    );
  });

  it('gets one leading 0 if its digits are odd', () => {
    fc.assert(
      fc.property(fc.array(digits, { minLength: 1, maxLength: 8 }), (groups) => {
        const count = groups.join('').length;
        fc.pre(count % 2 !== 0);
        expect(parseHexInput(groups.join(' '))?.bytes).toHaveLength((count + 1) / 2);
        expect(parseHexInput(groups.join(' '))?.isOdd).toBe(true);
      }),
    );
  });

  it('is refused with any other character in a group', () => {
    const other = fc.string({ minLength: 1, maxLength: 1 }).filter((text) => /[^0-9a-f\s,;{}]/i.test(text));
    fc.assert(
      fc.property(digits, other, digits, (before, character, after) => {
        const text = `${before}${character}${after}`;
        // The x of `0x` is the only letter that has a meaning there.
        fc.pre(!/^0x/i.test(text));
        expect(bytesOf(text)).toBeNull();
      }),
    );
  });

  it.each<[string, number[]]>([
    ['', []],
    ['ABC', [0x0a, 0xbc]],
    ['0D 0A 3', [0x0d, 0x0a, 0x03]],
    ['A B', [0xab]],
    ['ABC DEF', [0xab, 0xcd, 0xef]],
    ['A B C', [0x0a, 0xbc]],
    ['123 4', [0x12, 0x34]],
    ['1, 2', [0x01, 0x02]],
    ['0x1 2 3', [0x01, 0x23]],
    ['0x41, 0x42', [0x41, 0x42]],
    ['{0x41, 0x42};', [0x41, 0x42]],
    [String.raw`\x41\x42`, [0x41, 0x42]],
    ['0x1234', [0x12, 0x34]],
    ['B5 62, // sync\n06 08 /* CFG-RATE */', [0xb5, 0x62, 0x06, 0x08]],
    ['static const uint8_t wake[2] = {\n  0x55, 0xAA,\n};\n', [0x55, 0xaa]],
  ])('reads %j', (text, bytes) => {
    expect(bytesOf(text)).toEqual(bytes);
  });

  it.each(['0x', '0x41 0xG1', '41h', '\\x', '\\x4142', '0x410x42', '/* open', 'wake = 41', '0x41 = {42}'])(
    'refuses %j',
    (text) => {
      expect(bytesOf(text)).toBeNull();
    },
  );

  it('tells if a digit is missing, but not of numbers with a prefix', () => {
    expect(parseHexInput('0x1, 0x2, 0x3')).toMatchObject({ isOdd: false, longestPadded: 1 });
    expect(parseHexInput('0D 0A 3')).toMatchObject({ isOdd: true, longestPadded: 1 });
    expect(parseHexInput('F45')).toMatchObject({ isOdd: true, longestPadded: 3 });
    expect(parseHexInput('F457')).toMatchObject({ isOdd: false, longestPadded: 0 });
    expect(parseHexInput('1, 2')).toMatchObject({ isOdd: true });
  });
});
