import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromHex } from '../../testing/from-hex.ts';
import { parseAnswer, statusOf } from './answers.ts';

const answer = (hex: string) => {
  const parsed = parseAnswer(fromHex(hex));
  if (parsed === null) {
    throw new Error('That is no answer.');
  }
  return parsed;
};

describe('answers', () => {
  it('reads the value of a register (recorded: ESP32)', () => {
    expect(answer('010a0400831df00000000000')).toMatchObject({ op: 0x0a, value: 0x00f0_1d83 });
  });

  it.each([
    ['ROM, stale bytes behind the status', '01040400c840160000004907', 0],
    ['stub, two bytes', '010d0200000000000000', 0],
    [
      'ROM, hash in hexadecimal',
      '01132400c8401600383764303662626435616235613030316363366562636564616131343935326400000000',
      32,
    ],
    ['stub, raw hash', '011312000000000063854030a6f5f4e0e96533b1affa9a920000', 16],
    ['ROM of the C3, security information', '01141800efbeadde00000000000000000000000c050000000300000000050000', 20],
  ])('takes as done: %s', (_name, hex, payload) => {
    expect(statusOf(answer(hex), payload)).toEqual({ ok: true });
  });

  it.each([
    ['unknown command', '010a0400efbeadde01050000', 0, 0x05],
    ['checksum, stale bytes behind', '01030400c840160001074907', 0, 0x07],
    ['rubbish in a stream', '01110400831df000010b3164', 0, 0x0b],
    ['hash refused, without a hash', '01130400831df00001060000', 32, 0x06],
    ['stub: damaged block', '0111020000000000c100', 0, 0xc1],
    ['stub: no such command', '0114020000000000ff00', 20, 0xff],
  ])('takes as refused: %s', (_name, hex, payload, reason) => {
    expect(statusOf(answer(hex), payload)).toEqual({ ok: false, reason });
  });

  it('never takes a short answer without a payload for a done one', () => {
    expect(statusOf(answer('01130400000000000000dead'), 32)).toMatchObject({ ok: false });
  });

  it.each(['', '01', '000a0400831df00000000000', '010a0500831df00000000000', '4f484149'])('is not %j', (hex) => {
    expect(parseAnswer(fromHex(hex))).toBeNull();
  });

  it('comes through any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(40), (bytes, payload) => {
        const parsed = parseAnswer(bytes);
        if (parsed !== null) {
          statusOf(parsed, payload);
        }
      }),
    );
  });
});
