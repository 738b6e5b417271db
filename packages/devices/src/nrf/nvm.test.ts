import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { Nvm } from './nvm.ts';

const times = { page: 85, word: 0.041 };
const made = (take = times) => new Nvm(0x10000, take, createRandom(1, 'test'));
const zeros = new Uint8Array(4_096);

describe('the flash of an nRF52', () => {
  it('clears bits when it writes, and sets them only when it erases a page', () => {
    const nvm = made({ page: 0, word: 0 });
    nvm.settle(0);
    nvm.program(0, 0x1000, Uint8Array.of(0x0f, 0xf0, 0xff, 0xff));
    nvm.program(0, 0x1000, Uint8Array.of(0xf3, 0x33, 0xff, 0xff));
    expect(nvm.read(0x1000, 4)).toEqual(Uint8Array.of(0x03, 0x30, 0xff, 0xff));
    nvm.erase(0, 0x1000, 0x1001);
    expect(nvm.read(0x1000, 4)).toEqual(Uint8Array.of(0xff, 0xff, 0xff, 0xff));
    expect([nvm.erasedBytes, nvm.programmedBytes]).toEqual([4_096, 8]);
  });

  it('takes its time, one thing after another', () => {
    const nvm = made();
    nvm.preload(0, zeros);
    nvm.erase(100, 0, 0x2000);
    nvm.program(100, 0, Uint8Array.of(1, 2, 3, 4, 5));
    expect(nvm.busyUntil).toBeCloseTo(270.082);
    nvm.settle(184);
    expect(nvm.read(0, 1)).toEqual(Uint8Array.of(0));
    nvm.settle(186);
    expect(nvm.read(0, 1)).toEqual(Uint8Array.of(0xff));
    nvm.settle(271);
    expect(nvm.read(0, 1)).toEqual(Uint8Array.of(1));
  });

  it('is left half done by a power cut, and forgets what had not begun', () => {
    const nvm = made();
    nvm.preload(0, zeros);
    nvm.erase(0, 0, 0x2000);
    nvm.interrupt(40);
    const page = nvm.read(0, 4_096);
    expect(page.some((byte) => byte !== 0) && page.some((byte) => byte !== 0xff)).toBe(true);
    nvm.program(50, 0x2000, zeros.slice(0, 400));
    nvm.interrupt(50 + 2.06);
    expect(nvm.read(0x2000, 400).indexOf(0xff)).toBe(200);
  });

  it('ends what runs at a reset of the processor, and forgets the rest', () => {
    const nvm = made();
    nvm.preload(0, new Uint8Array(0x2000));
    nvm.erase(0, 0, 0x2000);
    nvm.abandon(10);
    expect(nvm.busyUntil).toBe(85);
    nvm.settle(500);
    expect(nvm.read(0, 1)).toEqual(Uint8Array.of(0xff));
    expect(nvm.read(0x1000, 1)).toEqual(Uint8Array.of(0));
  });
});
