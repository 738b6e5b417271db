import { isLong, random } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { bytesOf, goldenCases } from '../testing/golden-cases.ts';
import { findChecksums } from './find-checksums.ts';

/** Returns bytes of golden frames, with or without those whose checksum is wrong. */
function golden(name: string, key: 'hex' | 'payload' | 'text', isMeant: (kind: string) => boolean = () => true) {
  return goldenCases(name)
    .filter(({ kind }) => isMeant(kind))
    .flatMap(({ frames }) => frames)
    .flatMap((frame) => {
      const text = frame[key];
      if (typeof text !== 'string') {
        return [];
      }
      return [key === 'text' ? new TextEncoder().encode(text) : bytesOf(text)];
    });
}

/** Entries of a checksum that is not unusual. */
const plain = { order: 'big', form: 'bytes', from: 0 };

const digits = new TextEncoder().encode('123456789');

describe('search for checksums', () => {
  it('finds the one of Modbus in frames of all lengths', () => {
    const [first] = findChecksums(golden('modbus', 'hex', (kind) => /^fc/.test(kind))).findings;
    expect(first).toMatchObject({ checksum: { kind: 'crc16-modbus', order: 'little' } });
    expect(first?.agreed).toBe(first?.of);
    expect(first?.checksum).toEqual({ ...plain, kind: 'crc16-modbus', order: 'little' });
  });

  it('finds the one of UBX, which leaves out the two bytes that begin a frame', () => {
    const [first] = findChecksums(golden('ubx', 'hex', (kind) => /pvt|rate|status|dop|sat/.test(kind))).findings;
    expect(first?.checksum).toEqual({ ...plain, kind: 'fletcher8', from: 2 });
    expect(first?.agreed).toBe(first?.of);
  });

  it('finds hex digits behind a mark, as NMEA 0183 has them', () => {
    const lines = golden('nmea', 'text', (kind) => kind.startsWith('talker'));
    expect(lines.length).toBeGreaterThan(20);
    const [first] = findChecksums(lines).findings;
    expect(first?.checksum).toEqual({ ...plain, kind: 'xor8', form: 'hex', from: 1, to: -3 });
  });

  it.each([
    ['crc32 little', { kind: 'crc32', order: 'little' }],
    ['crc16-ccitt-false big', { kind: 'crc16-ccitt-false', order: 'big' }],
  ])('finds the one of structs in COBS: %s', (name, checksum) => {
    const frames = goldenCases('cobs')
      .filter(({ settings, kind }) => settings?.['checksum'] === name && kind === 'struct')
      .flatMap((one) => one.frames.map(({ hex }) => decoded(String(hex))));
    const [first] = findChecksums(frames).findings;
    expect(first).toEqual({ checksum: { ...plain, ...checksum }, agreed: frames.length, of: frames.length });
  });

  it('counts frames with a wrong checksum, and still finds the right one', () => {
    const frames = golden('modbus', 'hex', (kind) => /^fc/.test(kind)).slice(0, 40);
    for (const frame of frames.slice(0, 3)) {
      frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 1;
    }
    const [first] = findChecksums(frames).findings;
    expect(first).toMatchObject({ checksum: { kind: 'crc16-modbus' } });
    expect((first?.of ?? 0) - (first?.agreed ?? 0)).toBe(3);
  });

  it('finds none in MAVLink, whose checksum covers a byte that is not sent', () => {
    expect(findChecksums(golden('mavlink', 'hex', (kind) => kind.startsWith('v2'))).findings).toEqual([]);
  });

  it('takes the place that a person has named', () => {
    const frames = Array.from({ length: 6 }, (_, index) => {
      const content = [0xa5, index, 7 * index, 3, 0x55];
      content[3] = (0xa5 + index + 7 * index) & 0xff;
      return Uint8Array.from(content);
    });
    const at = (from: number, to: number) => findChecksums(frames, { from, to, length: 5 }).findings[0]?.checksum;
    expect(at(3, 4)).toEqual({ ...plain, kind: 'sum8', at: -2 });
    expect(at(4, 5)).toBeUndefined();
    const [marked] = findChecksums(frames, { from: 3, to: 4, length: 5 }, 1).findings;
    expect(marked?.checksum).toEqual({ ...plain, kind: 'sum8' });
  });

  it('finds a checksum that stands before what it covers', () => {
    const frames = Array.from({ length: 6 }, (_, index) => {
      const covered = [index, 0x10 + 3 * index, 0xff - index, 9];
      return Uint8Array.from([0xaa, covered.reduce((all, byte) => (all + byte) & 0xff, 0), ...covered]);
    });
    const [first] = findChecksums(frames).findings;
    expect(first).toEqual({ checksum: { ...plain, kind: 'sum8', at: 1, from: 2, to: 6 }, agreed: 6, of: 6 });
  });

  it('says nothing about equal frames, or too few', () => {
    const frame = Uint8Array.from([...digits, 0x29, 0xb1]);
    const equal = findChecksums(Array.from({ length: 50 }, () => frame));
    expect(equal).toEqual({ findings: [], frames: 1, isComplete: true });
    expect(findChecksums([]).findings).toEqual([]);
    expect(findChecksums([new Uint8Array(0), Uint8Array.of(1)]).findings).toEqual([]);
  });

  it('takes nearly no random bytes for frames with a checksum', () => {
    const rounds = isLong ? 2_000 : 60;
    let found = 0;
    for (let round = 0; round < rounds; round++) {
      const source = random(round);
      const frames = Array.from({ length: 3 + source.below(20) }, () =>
        Uint8Array.from({ length: 6 + source.below(12) }, () => source.below(256)),
      );
      found += findChecksums(frames).findings.length;
    }
    expect(found).toBeLessThanOrEqual(isLong ? 2 : 0);
  });

  it('stops at its limit of work, and says so', () => {
    const source = random(7);
    const frames = Array.from({ length: 16 }, () => Uint8Array.from({ length: 65_000 }, () => source.below(256)));
    expect(findChecksums(frames)).toEqual({ findings: [], frames: 16, isComplete: false });
  });
});

/** Content of a COBS frame, without its escapes. */
function decoded(hex: string): Uint8Array {
  const bytes = bytesOf(hex);
  const content: number[] = [];
  for (let at = 0; at < bytes.length - 1; ) {
    const code = bytes[at] ?? 0;
    content.push(...bytes.subarray(at + 1, at + code));
    at += code;
    if (code !== 0xff && at < bytes.length - 1) {
      content.push(0);
    }
  }
  return Uint8Array.from(content);
}
