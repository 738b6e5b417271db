import { expect, it } from 'vitest';
import { readPartitions } from '../boot/partitions.ts';
import { crashedContent } from './crashed-content.ts';

it('keeps the core dump in the partition that the table names, and nothing over another part', () => {
  const flash = new Uint8Array(0x400000).fill(0xff);
  const parts = crashedContent();
  for (const { offset, data } of parts) {
    expect(flash.subarray(offset, offset + data.length).every((byte) => byte === 0xff)).toBe(true);
    flash.set(data, offset);
  }
  const partitions = readPartitions((offset, length) => flash.slice(offset, offset + length));
  expect(partitions).toContainEqual({ label: 'coredump', type: 1, subtype: 3, offset: 0x130000, size: 0x10000 });
  const view = new DataView(flash.buffer);
  // The length, then the version and the chip.
  expect(view.getUint32(0x130000, true)).toBe(parts.at(-1)?.data.length);
  expect(view.getUint32(0x130004, true)).toBe(0x0102);
});
