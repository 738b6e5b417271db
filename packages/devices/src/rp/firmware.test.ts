import { describe, expect, it } from 'vitest';
import { rpFirmware, rpFirmwareUf2, rpProgramIn } from './firmware.ts';

const info = { name: 'blink', version: '1.2' };

describe('firmware of simulated Picos', () => {
  it.each(['rp2040', 'rp2350'] as const)(
    'has its binary info within the 256 bytes that tools search, on an %s',
    (chip) => {
      const image = rpFirmware({ text: 'hi', chip, info, size: 1_024 });
      const view = new DataView(image.buffer);
      const from = chip === 'rp2040' ? 256 : 0;
      const at = Array.from({ length: 64 }, (_, index) => from + 4 * index).find(
        (offset) => view.getUint32(offset, true) === 0x7188_ebf2,
      );
      expect(at).toBeDefined();
      expect(view.getUint32((at ?? 0) + 16, true)).toBe(0xe71a_a390);
      const entry = view.getUint32(view.getUint32((at ?? 0) + 4, true) - 0x1000_0000, true) - 0x1000_0000;
      const text = view.getUint32(entry + 8, true) - 0x1000_0000;
      expect(new TextDecoder().decode(image.subarray(text, text + 6))).toBe('blink\0');
      expect(rpProgramIn(image)).toEqual({ kind: 'sdk', text: 'hi' });
    },
  );

  it('is marked for demo boards only if it is asked to be', () => {
    const has = (demoOnly: boolean) =>
      Buffer.from(rpFirmware({ text: 'hi', demoOnly })).includes('wirebench-boot-text:');
    expect([has(true), has(false)]).toEqual([true, false]);
  });

  it('is in UF2 blocks of its family, in the order of addresses', () => {
    const file = rpFirmwareUf2({ text: 'hi', chip: 'rp2350', architecture: 'riscv', size: 1_024 });
    const view = new DataView(file.buffer);
    expect(file.length).toBe(4 * 512);
    expect([0, 1, 2, 3].map((block) => view.getUint32(block * 512 + 12, true))).toEqual([
      0x1000_0000, 0x1000_0100, 0x1000_0200, 0x1000_0300,
    ]);
    expect(view.getUint32(28, true)).toBe(0xe48b_ff5a);
    expect(file.subarray(32, 288)).toEqual(
      rpFirmware({ text: 'hi', chip: 'rp2350', architecture: 'riscv', size: 1_024 }).subarray(0, 256),
    );
  });
});
