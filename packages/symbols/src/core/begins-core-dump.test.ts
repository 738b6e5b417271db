import { describe, expect, it } from 'vitest';
import { beginsCoreDump } from './core-header.ts';

const room = 0x1_0000;
const head = (...words: number[]) => new Uint8Array(Uint32Array.from(words).buffer);

describe('a partition begins like a core dump', () => {
  it.each([
    ['a binary dump', head(0x2000, 0x0003)],
    ['an ELF dump of an ESP32-C3', head(0x2000, 0x0005_0103)],
    ['a version that is newer than those that are known', head(0x2000, 0x0005_0105)],
    ['a dump that fills its partition', head(room, 0x0003)],
    ['a bare ELF core file', head(0x464c_457f, 0x0101_0101)],
  ])('for %s', (_what, bytes) => {
    expect(beginsCoreDump(bytes, room)).toBe(true);
  });

  it.each([
    ['erased flash', head(0xffff_ffff, 0xffff_ffff)],
    ['zeros', head(0, 0)],
    ['a length without content', head(8, 0x0003)],
    ['a length that is larger than the partition', head(room + 1, 0x0003)],
    ['a version that cannot be', head(0x2000, 0x0400)],
    ['a chip that cannot be', head(0x2000, 0x0100_0103)],
    ['encrypted flash', head(0x83a7_19c4, 0x5b1e_07d2)],
    ['too few bytes', head(0x2000)],
  ])('not for %s', (_what, bytes) => {
    expect(beginsCoreDump(bytes, room)).toBe(false);
  });
});
