import { describe, expect, it } from 'vitest';
import { avrFirmware, avrFirmwareHex, sketchIn } from './firmware.ts';

describe('the firmware of an Arduino board', () => {
  it('is found again with its lines, rate and interval', () => {
    const image = avrFirmware({ lines: ['one', 'two'], baudRate: 57_600, interval: 250, size: 5_001 });
    expect(image.length).toBe(5_002);
    expect(sketchIn(image)).toEqual({ lines: ['one', 'two'], baudRate: 57_600, interval: 250 });
    expect(sketchIn(avrFirmware())).toEqual({
      lines: ['Blink: LED on', 'Blink: LED off'],
      baudRate: 9_600,
      interval: 1_000,
    });
    expect(sketchIn(avrFirmware({ floods: true }))?.interval).toBe(0);
  });

  it('is not found in other content', () => {
    expect(sketchIn(new Uint8Array(4_096).fill(0xff))).toBeNull();
    expect(sketchIn(avrFirmware().subarray(0, 260))).toBeNull();
  });

  it('begins with vectors that jump to an endless loop', () => {
    const image = avrFirmware();
    expect([...image.subarray(0, 4)]).toEqual([0x0c, 0x94, 0x72, 0x00]);
    expect([...image.subarray(0x72 * 2, 0x72 * 2 + 2)]).toEqual([0xff, 0xcf]);
  });

  it('carries the demo mark only where that is asked for', () => {
    const has = (demoOnly: boolean) => Buffer.from(avrFirmware({ demoOnly })).includes('wirebench-boot-text:');
    expect([has(false), has(true)]).toEqual([false, true]);
  });

  it('ends its Intel HEX with an end record, and every record sums to 0', () => {
    const lines = avrFirmwareHex({ size: 70_000 }).split('\r\n');
    expect(lines.slice(-2)).toEqual([':00000001FF', '']);
    for (const line of lines.slice(0, -1)) {
      expect(Buffer.from(line.slice(1), 'hex').reduce((sum, byte) => sum + byte, 0) & 0xff).toBe(0);
    }
    expect(lines.filter((line) => line.slice(7, 9) === '02')).toEqual([':020000021000EC']);
  });
});
