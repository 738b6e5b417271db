import { describe, expect, it } from 'vitest';
import { type NvsType, type NvsValue, stringValue } from './nvs-value.ts';
import { bitsText, formOf, parseValue, shortText, textIn, valueText } from './nvs-value-text.ts';

const blob = (...bytes: number[]): NvsValue => ({ type: 'blob', bytes: Uint8Array.from(bytes) });
const textBlob = (text: string, size = text.length): NvsValue => {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(text));
  return { type: 'blob', bytes };
};

const ssid = (name: string): NvsValue => {
  const bytes = new Uint8Array(36);
  bytes[0] = name.length;
  bytes.set(new TextEncoder().encode(name), 4);
  return { type: 'blob', bytes };
};

describe('parseValue of integers', () => {
  it.each([
    ['u8', '255', 255n],
    ['u8', '0xff', 255n],
    ['i8', '-128', -128n],
    ['i16', '0xFFF4', -12n],
    ['u32', ' +7 ', 7n],
    ['u64', '18446744073709551615', 2n ** 64n - 1n],
    ['i64', '0xFFFFFFFFFFFFFFFF', -1n],
    ['i32', '-0x10', -16n],
  ] as const)('reads %s %s', (type, text, value) => {
    expect(parseValue(text, type, 'number')).toEqual({ ok: true, value: { type, value } });
  });

  it.each([
    ['u8', '256', 'u8 takes whole numbers from 0 to 255, also as 0x….'],
    ['u8', '-1', 'u8 takes whole numbers from 0 to 255, also as 0x….'],
    ['i8', '128', 'i8 takes whole numbers from -128 to 127, also as 0x….'],
    ['i16', '0x10000', 'i16 takes whole numbers from -32768 to 32767, also as 0x….'],
    ['u16', '1.5', 'u16 takes whole numbers from 0 to 65535, also as 0x….'],
    ['u16', '', 'u16 takes whole numbers from 0 to 65535, also as 0x….'],
    ['u16', '0x', 'u16 takes whole numbers from 0 to 65535, also as 0x….'],
  ] as const)('refuses %s "%s" with its limits', (type, text, fault) => {
    expect(parseValue(text, type, 'number')).toEqual({ ok: false, fault });
  });
});

describe('parseValue of strings and blobs', () => {
  it('counts the bytes of UTF-8', () => {
    expect(parseValue('ü'.repeat(1999), 'str', 'text').ok).toBe(true);
    expect(parseValue('ü'.repeat(2000), 'str', 'text')).toEqual({
      ok: false,
      fault: 'A string has at most 3\u2009999 bytes. This has 4\u2009000.',
    });
  });

  it('reads hex with spaces, colons and 0x, and refuses half a byte', () => {
    expect(parseValue('0A ff\n0x01:02', 'blob', 'hex')).toEqual({ ok: true, value: blob(10, 255, 1, 2) });
    expect(parseValue('', 'blob', 'hex')).toEqual({ ok: true, value: blob() });
    expect(parseValue('0A F', 'blob', 'hex')).toMatchObject({ ok: false });
    expect(parseValue('41 00', 'str', 'hex')).toMatchObject({ ok: false });
  });

  it('keeps the size of padded text and its last NUL', () => {
    const value = textBlob('hunter2', 65);
    expect(formOf('nvs.net80211', 'sta.pswd', value)).toBe('padded');
    expect(valueText(value, 'padded')).toBe('hunter2');
    expect(parseValue('other', 'blob', 'padded', 65)).toEqual({ ok: true, value: textBlob('other', 65) });
    expect(parseValue('x'.repeat(64), 'blob', 'padded', 65).ok).toBe(true);
    expect(parseValue('x'.repeat(65), 'blob', 'padded', 65)).toEqual({
      ok: false,
      fault: 'This value has room for 64 bytes. The text has 65.',
    });
  });

  it('shows the name in an SSID and writes its length', () => {
    expect(formOf('nvs.net80211', 'sta.ssid', ssid('bench-lab'))).toBe('counted');
    expect(valueText(ssid('bench-lab'), 'counted')).toBe('bench-lab');
    expect(parseValue('home', 'blob', 'counted')).toEqual({ ok: true, value: ssid('home') });
    expect(parseValue('x'.repeat(33), 'blob', 'counted')).toMatchObject({ ok: false });
    expect(formOf('app', 'sta.ssid', ssid('bench-lab'))).toBe('hex');
  });

  it.each([
    ['few bytes', blob(65, 66)],
    ['binary', blob(0, 1, 2, 3, 4, 5)],
    ['zeros', blob(0, 0, 0, 0, 0)],
    ['a carriage return', textBlob('one\r\ntwo')],
    ['a string that is not UTF-8', { type: 'str', bytes: Uint8Array.of(0xff, 65, 65, 65) } as const],
  ])('shows %s in hex', (_, value) => {
    expect(formOf('app', 'a', value)).toBe('hex');
  });

  it('brings each value back unchanged from its text', () => {
    const values: readonly NvsValue[] = [
      { type: 'i16', value: -12n },
      stringValue('Grüße\nzwei\tdrei'),
      stringValue(''),
      { type: 'str', bytes: Uint8Array.of(0xff, 65) },
      textBlob('text in a blob'),
      textBlob('padded', 20),
      blob(),
      blob(0, 255, 16),
      ssid('bench-lab'),
    ];
    for (const value of values) {
      const form = formOf('nvs.net80211', 'sta.ssid', value);
      const size = 'bytes' in value ? value.bytes.length : 0;
      expect(parseValue(valueText(value, form), value.type, form, size)).toEqual({ ok: true, value });
    }
  });

  it('has no text for bytes that the form cannot show', () => {
    expect(textIn(blob(0, 1, 2), 'text')).toBeNull();
    expect(textIn(blob(0, 1, 2), 'counted')).toBeNull();
    expect(textIn(blob(0, 1, 2), 'hex')).toBe('00 01 02');
  });
});

it('cuts long values on one line', () => {
  expect(shortText('app', 'a', stringValue('one\ntwo'), 20)).toBe('one↵two');
  expect(shortText('app', 'a', stringValue('x'.repeat(30)), 5)).toBe('xxxxx…');
  expect(shortText('app', 'a', stringValue('😀'.repeat(6)), 5)).toBe(`${'😀'.repeat(5)}…`);
  expect(shortText('app', 'a', blob(1, 2, 3), 5)).toBe('01 02…');
});

it.each([
  ['i16', -12n, '0xFFF4'],
  ['u8', 9n, null],
  ['u8', 10n, '0x0A'],
  ['u32', 300n, '0x012C'],
  ['i64', -1n, '0xFFFFFFFFFFFFFFFF'],
] as const)('shows the bits of %s %s', (type: NvsType, value, bits) => {
  expect(bitsText({ type, value } as NvsValue)).toBe(bits);
});
