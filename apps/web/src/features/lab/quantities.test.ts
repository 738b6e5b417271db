import { expect, it } from 'vitest';
import { parseBytes, parseHex } from './quantities.ts';

it.each([
  ['D0', 0xff, 0xd0],
  ['0xd0', 0xff, 0xd0],
  [' 7f ', 0x7f, 0x7f],
  ['80', 0x7f, null],
  ['', 0xff, null],
  ['g1', 0xff, null],
  ['0x', 0xff, null],
])('reads %j as a number up to %i', (text, most, value) => {
  expect(parseHex(text, most)).toBe(value);
});

it.each([
  ['F4 57', [0xf4, 0x57]],
  ['0xF4,0x57', [0xf4, 0x57]],
  ['f457', [0xf4, 0x57]],
  ['5', [5]],
  ['{0xF4, 0x57} // read', [0xf4, 0x57]],
  ['', []],
  ['F45', null],
  ['zz', null],
  ['1 2 3 4', null],
])('reads %j as bytes', (text, bytes) => {
  expect(parseBytes(text, 3)).toEqual(bytes === null ? null : Uint8Array.from(bytes));
});
