import { describe, expect, it } from 'vitest';
import { bytesOf, hexOf } from './testing/golden-cases.ts';
import { transformer } from './transforms.ts';

describe('transforms', () => {
  it('add modulo 256 and xor in a range', () => {
    const change = transformer([
      { from: 1, to: -1, add: -51 },
      { from: -1, xor: 255 },
    ]);
    expect(hexOf(change?.(bytesOf('33 33 32 00'))?.content ?? new Uint8Array(0))).toBe('3300ffff');
  });

  it('take out a stuffed byte, and keep the place of the others', () => {
    // Robotis e-Manual, protocol 2.0: FD is put behind each FF FF FD.
    const changed = transformer([{ from: 0, remove: 'FD', after: 'FF FF FD' }])?.(bytesOf('FF FF FD FD FD 01'));
    expect(hexOf(changed?.content ?? new Uint8Array(0))).toBe('fffffdfd01');
    expect([...(changed?.offsets?.subarray(0, 6) ?? [])]).toEqual([0, 1, 2, 4, 5, 6]);
  });
});
