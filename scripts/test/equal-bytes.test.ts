import { expect, test } from 'vitest';

test('bytes are equal by content, whatever their offset in memory', () => {
  const one = Uint8Array.of(9, 1, 2, 3).subarray(1);
  expect(one).toEqual(Uint8Array.of(1, 2, 3));
  expect({ one: [one] }).toEqual({ one: [Uint8Array.of(1, 2, 3)] });
  expect(one).toStrictEqual(Uint8Array.of(1, 2, 3));
});

test('bytes of another value, length or type are not equal', () => {
  const one = Uint8Array.of(1, 2, 3);
  expect(one).not.toEqual(Uint8Array.of(1, 2, 4));
  expect(one).not.toEqual(Uint8Array.of(1, 2));
  expect({ one }).not.toEqual({ one: Uint8Array.of(1, 2, 3, 0) });
  expect(one).not.toStrictEqual(Buffer.of(1, 2, 3));
  expect(one).not.toEqual([1, 2, 3]);
});
