import { describe, expect, it } from 'vitest';
import { pcapngFrame, pcapngStart } from './pcapng.ts';
import { bytesOf, hexOf } from './testing/golden-cases.ts';

/** Blocks of a capture: type and length, checked against the length at the end. */
function blocksOf(capture: Uint8Array): { type: number; length: number }[] {
  const view = new DataView(capture.buffer);
  const blocks: { type: number; length: number }[] = [];
  for (let at = 0; at < capture.length; ) {
    const length = view.getUint32(at + 4, true);
    expect(length % 4).toBe(0);
    expect(view.getUint32(at + length - 4, true)).toBe(length);
    blocks.push({ type: view.getUint32(at, true), length });
    at += length;
  }
  return blocks;
}

describe('capture', () => {
  it('begins with a section and two interfaces', () => {
    const start = pcapngStart('wirebench');
    expect(blocksOf(start).map(({ type }) => type)).toEqual([0x0a0d0d0a, 1, 1]);
    expect(hexOf(start.subarray(8, 12))).toBe('4d3c2b1a');
  });

  it('names the dissector of a Modbus frame', () => {
    const frame = pcapngFrame({
      bytes: bytesOf('01 07 41 E2'),
      decoder: 'modbus',
      direction: 'sent',
      at: 1_700_000_000_000.25,
    });
    blocksOf(frame);
    const view = new DataView(frame.buffer);
    expect(view.getUint32(8, true)).toBe(0);
    const micros = BigInt(view.getUint32(12, true)) * 4_294_967_296n + BigInt(view.getUint32(16, true));
    expect(micros).toBe(1_700_000_000_000_250n);
    expect(hexOf(frame.subarray(28, 48))).toBe(
      `000c0008${Buffer.from('mbrtu').toString('hex')}00000000000000${'010741e2'}`.slice(0, 40),
    );
    expect(view.getUint32(20, true)).toBe(20);
    expect(view.getUint32(24, true)).toBe(20);
  });

  it('keeps other frames as bare bytes, with a comment', () => {
    const frame = pcapngFrame({ bytes: bytesOf('B5'), decoder: 'ubx', direction: 'received', at: 1, comment: 'noise' });
    blocksOf(frame);
    expect(new DataView(frame.buffer).getUint32(8, true)).toBe(1);
    expect(Buffer.from(frame).includes('noise')).toBe(true);
  });
});
