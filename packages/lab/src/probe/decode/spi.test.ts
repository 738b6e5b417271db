import { describe, expect, it } from 'vitest';
import { decodeSpi, type SpiFormat } from '../index.ts';
import { WaveDrawing } from '../testing/waves.ts';

/** Draws one selection: bits of both directions, most significant first, as a master of that mode drives them. */
function transfer(mode: SpiFormat['mode'], mosi: string, miso: string) {
  const idle = mode >= 2;
  const second = mode % 2 === 1;
  const [clock, out, back, select] = [idle, false, false, true].map((level) => new WaveDrawing(level)) as [
    WaveDrawing,
    WaveDrawing,
    WaveDrawing,
    WaveDrawing,
  ];
  let at = 1_000;
  select.set(false, at);
  for (const [index, level] of [...mosi].entries()) {
    at += 500;
    if (second) {
      clock.set(!idle, at);
    }
    out.set(level === '1', at + 10);
    back.set(miso[index] === '1', at + 20);
    at += 500;
    clock.set(second ? idle : !idle, at);
    if (!second) {
      clock.set(idle, at + 250);
    }
  }
  select.set(true, at + 600);
  const end = at + 2_000;
  return { clock: clock.wave(end), mosi: out.wave(end), miso: back.wave(end), select: select.wave(end) };
}

const bits = (...bytes: number[]) => bytes.map((byte) => byte.toString(2).padStart(8, '0')).join('');

describe('SPI from levels', () => {
  it.each([0, 1, 2, 3] as const)('reads both directions in mode %i', (mode) => {
    const lines = transfer(mode, bits(0x9f, 0x00, 0xa5), bits(0xff, 0xc2, 0x3c));
    const items = decodeSpi(lines, { mode, bitOrder: 'msb-first', wordBits: 8 });
    expect(items.map(({ mosi, miso }) => [mosi, miso])).toEqual([
      [0x9f, 0xff],
      [0x00, 0xc2],
      [0xa5, 0x3c],
    ]);
  });

  it('reads words of another length and order', () => {
    const lines = transfer(0, '0000000000000001', '1000000000000000');
    expect(decodeSpi(lines, { mode: 0, bitOrder: 'lsb-first', wordBits: 16 })).toMatchObject([
      { mosi: 0x8000, miso: 1, bits: 16 },
    ]);
  });

  it('says how many bits a word has that the device was deselected in', () => {
    expect(decodeSpi(transfer(0, '10110', '00000'), { mode: 0, bitOrder: 'msb-first', wordBits: 8 })).toMatchObject([
      { mosi: 0b10110, bits: 5 },
    ]);
  });

  it('takes no clocks for a device that is not selected', () => {
    const { clock, mosi, miso } = transfer(0, bits(0x12), bits(0x34));
    const never = { isHighAtFirst: true, edges: [], end: clock.end };
    expect(decodeSpi({ clock, mosi, miso, select: never }, { mode: 0, bitOrder: 'msb-first', wordBits: 8 })).toEqual(
      [],
    );
    expect(
      decodeSpi({ clock, mosi, miso: null, select: null }, { mode: 0, bitOrder: 'msb-first', wordBits: 8 }),
    ).toMatchObject([{ mosi: 0x12, miso: null }]);
  });
});
