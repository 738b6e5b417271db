import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../core/bytes.ts';
import { FrameDecoder } from '../../slip.ts';
import { fromHex } from '../../testing/from-hex.ts';
import { crc16 } from '../crc16.ts';
import {
  dataMark,
  idlePayload,
  initPayload,
  packetFrame,
  readAcknowledgement,
  startPayload,
  stopPayload,
} from './hci.ts';
import { activateTime, eraseTime } from './legacy-timing.ts';

describe('a packet of the legacy bootloader', () => {
  it('equals that of a serialiser of Nordic (adafruit-nrfutil, hci/tests/test_codec.py)', () => {
    expect(hexOf(packetFrame(1, fromHex('018600000000')))).toBe('c0d16e00c10186000000001763c0');
  });

  it('has a header that sums to zero and a correct CRC, with any payload', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.uint8Array({ minLength: 1, maxLength: 516 }), (sequence, payload) => {
        let frame = new Uint8Array();
        const decoder = new FrameDecoder({
          frame: (bytes) => {
            frame = bytes.slice();
            return true;
          },
          text: () => undefined,
        });
        decoder.push(packetFrame(sequence, payload));
        const [first = 0, second = 0, third = 0, fourth = 0] = frame;
        expect((first + second + third + fourth) & 0xff).toBe(0);
        expect(first & 0x07).toBe(sequence);
        expect((second >> 4) | (third << 4)).toBe(payload.length);
        expect(frame.subarray(4, -2)).toEqual(payload);
        expect(crc16(frame.subarray(0, -2), 0xffff)).toBe((frame.at(-2) ?? 0) | ((frame.at(-1) ?? 0) << 8));
      }),
    );
  });

  it.each([
    [
      'start of an application',
      startPayload({ softdevice: 0, bootloader: 0, application: 0x1234 }),
      '03000000040000000000000000000000' + '34120000',
    ],
    [
      'start of SoftDevice and bootloader',
      startPayload({ softdevice: 1, bootloader: 2, application: 0 }),
      '03000000030000000100000002000000' + '00000000',
    ],
    ['init packet', initPayload(fromHex('5200ffffffffffff0100feffd7ef')), '010000005200ffffffffffff0100feffd7ef0000'],
    ['data', dataMark, '04000000'],
    ['stop', stopPayload, '05000000'],
    ['nothing', idlePayload, '02000000'],
  ])('has its kind in its first word: %s', (_name, payload, hex) => {
    expect(hexOf(payload)).toBe(hex);
  });
});

describe('an acknowledgement', () => {
  it('names the next expected number (same source)', () => {
    expect(readAcknowledgement(fromHex('100000f0'))).toBe(2);
    expect(readAcknowledgement(fromHex('080000f8'))).toBe(1);
  });

  it('is null with a wrong sum, another kind or another length', () => {
    expect(readAcknowledgement(fromHex('100000f1'))).toBeNull();
    expect(readAcknowledgement(fromHex('100e00e2'))).toBeNull();
    expect(readAcknowledgement(fromHex('100000f000'))).toBeNull();
  });
});

describe('the waits for flash', () => {
  it('are those of adafruit-nrfutil', () => {
    expect(eraseTime(4)).toBe(500);
    expect(eraseTime(100 * 4_096)).toBeCloseTo(101 * 89.7);
    expect(activateTime(0x1_0000, true)).toBeCloseTo(89.7 + 102.4);
    expect(activateTime(0x1_0000, false)).toBeCloseTo(17 * (89.7 + 102.4));
  });
});
