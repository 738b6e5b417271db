import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../core/bytes.ts';
import { fromHex } from '../../testing/from-hex.ts';
import {
  findV2Frame,
  fuseReads,
  getV2Parameter,
  loadV2Address,
  programV2Flash,
  readV2Flash,
  readV2Signature,
  signOn,
  v2Frame,
  v2Parameters,
} from './v2-driver.ts';

/** Answer to Sign On, with the name AVRISP_2 (AVR068, "CMD_SIGN_ON"). */
const answer = `1b01000b0e010008${Buffer.from('AVRISP_2').toString('hex')}74`;

describe('a frame of STK500 v2', () => {
  it('holds start, sequence, size, token, body and the XOR of all', () => {
    expect(hexOf(v2Frame(1, signOn()))).toBe('1b0100010e0114');
  });

  it('is found among other bytes', () => {
    const frame = findV2Frame(fromHex(`0d0a1b1b00${answer}ff`));
    expect(frame).toMatchObject({ sequence: 1, used: 5 + answer.length / 2 });
    expect(Buffer.from(frame?.body.subarray(3) ?? []).toString('latin1')).toBe('AVRISP_2');
  });

  it('is not found before it is complete, nor with a damaged byte', () => {
    const bytes = fromHex(answer);
    for (let length = 0; length < bytes.length; length++) {
      expect(findV2Frame(bytes.subarray(0, length))).toBeNull();
    }
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 0x40;
      expect(findV2Frame(damaged)).toBeNull();
    }
  });

  it('is read as it was built, whatever its body is', () => {
    fc.assert(
      fc.property(fc.nat(255), fc.uint8Array({ minLength: 1, maxLength: 275 }), (sequence, body) => {
        expect(findV2Frame(v2Frame(sequence, body))).toEqual({ sequence, body, used: body.length + 6 });
      }),
    );
  });
});

describe('a request of STK500 v2', () => {
  // AVR068, section "Commands".
  it.each([
    ['Get Parameter', getV2Parameter(v2Parameters.softwareMajor), '0391'],
    ['Load Address of a word', loadV2Address(0x1f40, false), '0600001f40'],
    ['Load Address, extended by bit 31', loadV2Address(0x1_f000, true), '068001f000'],
    ['Program Flash', programV2Flash(Uint8Array.of(1, 2)), '130002c10a404c2000000102'],
    ['Read Flash', readV2Flash(256), '14010020'],
    ['Read Signature', readV2Signature(2), '1b0430000200'],
    ['Read Fuse, low', fuseReads.low(), '180450000000'],
    ['Read Fuse, high', fuseReads.high(), '180458080000'],
    ['Read Fuse, extended', fuseReads.extended(), '180450080000'],
    ['Read Lock', fuseReads.lock(), '1a0458000000'],
  ] as const)('%s', (_name, request, expected) => {
    expect(hexOf(request)).toBe(expected);
  });
});
