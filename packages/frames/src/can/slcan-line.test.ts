import { describe, expect, it } from 'vitest';
import { readAdapterAnswer, readAdapterCommand, readCanFrame } from './slcan-line.ts';

const frame = (line: string) => readCanFrame(new TextEncoder().encode(line));

describe('lines of a CAN adapter', () => {
  it('are frames with 11-bit and 29-bit identifiers', () => {
    expect(frame('t1232010F')).toMatchObject({
      id: 0x123,
      isExtended: false,
      isRemote: false,
      isFd: false,
      length: 2,
      stamp: null,
    });
    expect(frame('t1232010F')?.data).toEqual(Uint8Array.of(0x01, 0x0f));
    expect(frame('T1FFFFFFF0')).toMatchObject({ id: 0x1fff_ffff, isExtended: true, length: 0 });
    expect(frame('t123aBcDe')).toBeNull();
    expect(frame('t1231aB')?.data).toEqual(Uint8Array.of(0xab));
  });

  it('are remote frames without data', () => {
    expect(frame('r7FF8')).toMatchObject({ id: 0x7ff, isRemote: true, length: 8, data: new Uint8Array(0) });
    expect(frame('R000000012E9FC')).toMatchObject({ isRemote: true, length: 2, stamp: 59_900 });
    expect(frame('r7FF2AABB')).toMatchObject({ stamp: 0xaabb });
  });

  it('have a time stamp if four digits are left', () => {
    expect(frame('t1010E9FC')?.stamp).toBe(59_900);
    expect(frame('t1011AA0064')?.stamp).toBe(100);
    expect(frame('t1011AA')?.stamp).toBeNull();
  });

  it.each([
    ['d1230', 0, false],
    ['b1239'.concat('00'.repeat(12)), 12, true],
    ['D1ABCDEF0A'.concat('00'.repeat(16)), 16, false],
    ['B1ABCDEF0F'.concat('00'.repeat(64)), 64, true],
    ['B1ABCDEF0F'.concat('00'.repeat(64), '1234'), 64, true],
  ])('are CAN FD frames: %s', (line, length, hasRateSwitch) => {
    expect(frame(line)).toMatchObject({ isFd: true, length, hasRateSwitch });
  });

  it.each([
    ['fewer digits than the length says', 't10180800FFA20A00F'],
    ['more digits', 't10110'],
    ['half a byte more', 't1011000'],
    ['three digits of a time stamp', 't1010E9F'],
    ['a length above 8', `t1019${'00'.repeat(9)}`],
    ['an identifier above 11 bits', 't8000'],
    ['an identifier above 29 bits', 'T200000000'],
    ['no length', 't101'],
    ['a character that is no digit', 't1011G0'],
    ['another letter', 'x1010'],
    ['no character', ''],
  ])('are no frame with %s', (_, line) => {
    expect(frame(line)).toBeNull();
  });

  it.each([
    ['', 'OK'],
    ['z', 'OK, sent'],
    ['Z', 'OK, sent'],
    ['V1013', 'hardware 1.0, software 1.3'],
    ['vSTM32 1.2', 'version STM32 1.2'],
    ['NA123', 'serial number A123'],
    ['F00', 'status: no error'],
    ['FA4', 'status: error warning, error passive, bus error'],
  ])('are the answer %j', (line, meaning) => {
    expect(readAdapterAnswer(line)?.meaning).toBe(meaning);
  });

  it.each([
    ['S6', 'bit rate 500 kbit/s'],
    ['O', 'open the channel'],
    ['Z1', 'time stamps: on'],
    ['M00000000', 'acceptance code 00000000'],
  ])('are the command %j', (line, meaning) => {
    expect(readAdapterCommand(line)?.meaning).toBe(meaning);
  });

  it.each(['S9', 'Q', 'hello', 'F0', 'X', 'zz'])('are neither answer nor command: %j', (line) => {
    expect(readAdapterAnswer(line) ?? readAdapterCommand(line)).toBeNull();
  });
});
