import { describe, expect, it } from 'vitest';
import { inspectorValues } from './inspector-strip.tsx';

const values = (...bytes: number[]) => Object.fromEntries(inspectorValues({ offset: 0x24, bytes }));

describe('the inspector', () => {
  it('reads bytes as text and as numbers, from the first one on', () => {
    expect(values(0x30, 0x30, 0x30, 0x41, 0x30, 0x30, 0x30, 0x30)).toEqual({
      Selection: '8 B at 0x0024',
      ASCII: '000A0000',
      u8: '48',
      i8: '48',
      'u16 LE': '12\u2009336',
      'u16 BE': '12\u2009336',
      'u32 LE': '1\u2009093\u2009677\u2009104',
      'u32 BE': '808\u2009464\u2009449',
      'f32 LE': '11.0118',
      Bits: '0011 0000',
    });
    expect(values(0xfe, 0xff)).toMatchObject({ u8: '254', i8: '−2', 'u16 LE': '65\u2009534', Bits: '1111 1110' });
  });

  it('says nothing where there are too few bytes, and shows what has no character', () => {
    expect(values(0x0a)).toMatchObject({ ASCII: '·', u8: '10', 'u16 LE': '–', 'u32 BE': '–', 'f32 LE': '–' });
    expect(values(...Array.from({ length: 17 }, () => 0x41))['ASCII']).toBe(`${'A'.repeat(16)}…`);
  });
});
