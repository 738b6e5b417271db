import type { Terminal } from '@xterm/xterm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeTerminal } from './make-terminal.ts';
import { findText, stepFrom } from './screen-find.ts';

let terminal: Terminal;
const write = (text: string) => new Promise<void>((resolve) => terminal.write(text, resolve));
const found = (text: string) =>
  findText(terminal.buffer.active, text).map(({ row, column, length }) => [row, column, length]);

beforeEach(() => {
  terminal = makeTerminal({ cols: 10, rows: 4 }, { allowed: () => false, send: () => undefined }).terminal;
});
afterEach(() => terminal.dispose());

it('finds text in any case on the screen and in the lines above it', async () => {
  await write('Boot\r\n1\r\n2\r\n3\r\n4\r\n5\r\nreboot');
  expect(found('boot')).toEqual([
    [0, 0, 4],
    [6, 2, 4],
  ]);
  expect(found('')).toEqual([]);
  expect(found('reset')).toEqual([]);
});

it('finds letters in any case and with composed or divided accents', async () => {
  await write('ОШИБКА\r\ne\u0301 É k\u212a');
  expect(found('ошибка')).toEqual([[0, 0, 6]]);
  expect(found('é')).toEqual([
    [1, 0, 1],
    [1, 2, 1],
  ]);
  expect(found('KK')).toEqual([[1, 4, 2]]);
});

it('finds text that goes on in the next row, and none across two lines', async () => {
  await write('12345678password\r\nend 456789\r\n12');
  expect(found('password')).toEqual([[0, 8, 8]]);
  expect(found('8912')).toEqual([]);
});

it('counts cells: two for a wide character, none for an accent', async () => {
  await write('日本 e\u0301 ok');
  expect(found('ok')).toEqual([[0, 7, 2]]);
  expect(found('本')).toEqual([[0, 2, 2]]);
});

it('takes every character as itself', async () => {
  await write('a.b (c) -[');
  for (const text of ['.', '(c)', '-[', 'b (']) {
    expect(found(text)).toHaveLength(1);
  }
  expect(found('a_b')).toEqual([]);
});

it('goes from the selection to the match in either direction, around the ends, and begins with the newest', async () => {
  await write('a1\r\na2\r\nb\r\na3');
  const all = findText(terminal.buffer.active, 'a');
  expect(stepFrom(all, undefined, 'next')).toBe(2);
  expect(stepFrom(all, { x: 0, y: 3 }, 'next')).toBe(0);
  expect(stepFrom(all, { x: 0, y: 0 }, 'next')).toBe(1);
  expect(stepFrom(all, { x: 0, y: 0 }, 'previous')).toBe(2);
  expect(stepFrom(all, { x: 1, y: 2 }, 'previous')).toBe(1);
  expect(stepFrom(all, { x: 1, y: 2 }, 'next')).toBe(2);
  expect(stepFrom(all, { x: 0, y: 1 }, 'stay')).toBe(1);
  expect(stepFrom(all, { x: 0, y: 2 }, 'stay')).toBe(2);
  expect(stepFrom([], { x: 0, y: 2 }, 'next')).toBe(-1);
});

it('keeps the newest thousand matches of a letter in every cell', async () => {
  await write('e'.repeat(2_000));
  const all = findText(terminal.buffer.active, 'e');
  expect(all).toHaveLength(1_000);
  expect(all.at(-1)).toEqual({ row: 199, column: 9, length: 1 });
});
