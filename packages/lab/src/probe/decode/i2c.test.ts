import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeI2c } from '../index.ts';
import { I2cDrawing } from '../testing/waves.ts';

/** Decodes and formats items without their times. */
const read = (drawing: I2cDrawing) =>
  decodeI2c(...drawing.waves()).map((item) => {
    switch (item.kind) {
      case 'address':
        return `${item.direction} 0x${item.address.toString(16)}${item.isAcknowledged ? '' : ' nack'}`;
      case 'data':
        return `${item.value.toString(16)}${item.isAcknowledged ? '' : ' nack'}`;
      case 'incomplete':
        return `incomplete ${item.bits}`;
      default:
        return item.kind;
    }
  });

describe('I2C from levels', () => {
  it('reads a register by a repeated start', () => {
    const drawing = new I2cDrawing()
      .start()
      .byte(0x90)
      .byte(0x01)
      .start()
      .byte(0x91)
      .byte(0x60)
      .byte(0xa0, false)
      .stop();
    expect(read(drawing)).toEqual(['start', 'write 0x48', '1', 'repeated-start', 'read 0x48', '60', 'a0 nack', 'stop']);
  });

  it('reports an address without an acknowledge', () => {
    expect(read(new I2cDrawing().start().byte(0x40, false).stop())).toEqual(['start', 'write 0x20 nack', 'stop']);
  });

  it('reports clock stretching and reads on behind it', () => {
    const drawing = new I2cDrawing().start().byte(0x91).byte(0x12, true, 300_000).byte(0x34, false).stop();
    expect(read(drawing)).toEqual(['start', 'read 0x48', '12', 'stretch', '34 nack', 'stop']);
    const stretch = decodeI2c(...drawing.waves()).find(({ kind }) => kind === 'stretch');
    expect((stretch?.end ?? 0) - (stretch?.at ?? 0)).toBeCloseTo(300_000, -1);
  });

  it('reports a byte that a stop cut off', () => {
    const drawing = new I2cDrawing().start().byte(0x90).bit(true).bit(false).bit(true).stop();
    expect(read(drawing)).toEqual(['start', 'write 0x48', 'incomplete 3', 'stop']);
  });

  it('reports a capture that ends in the middle of a byte', () => {
    expect(read(new I2cDrawing().start().byte(0x90).bit(true).bit(true))).toEqual([
      'start',
      'write 0x48',
      'incomplete 2',
    ]);
  });

  it('skips levels before the first start', () => {
    expect(read(new I2cDrawing(false).bit(false).bit(true).bit(false).stop().start().byte(0x90).stop())).toEqual([
      'start',
      'write 0x48',
      'stop',
    ]);
  });

  it('reads any bytes as they were sent', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(255), fc.boolean()), { maxLength: 20 }), (bytes) => {
        const drawing = new I2cDrawing().start().byte(0xec);
        for (const [value, isAcknowledged] of bytes) {
          drawing.byte(value, isAcknowledged);
        }
        const data = decodeI2c(...drawing.stop().waves()).flatMap((item) =>
          item.kind === 'data' ? [[item.value, item.isAcknowledged]] : [],
        );
        expect(data).toEqual(bytes);
      }),
    );
  });

  it('finds nothing on a quiet bus', () => {
    const quiet = { isHighAtFirst: true, edges: [], end: 1_000_000 };
    expect(decodeI2c(quiet, quiet)).toEqual([]);
  });
});
