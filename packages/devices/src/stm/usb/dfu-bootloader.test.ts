import { VirtualClock } from '@wirebench/clock';
import { describe, expect, it } from 'vitest';
import { hexOf } from '../../testing/hex.ts';
import { StmChip } from '../chip/stm-chip.ts';
import type { StmChipOptions, StmUsbPartName } from '../options.ts';
import { DfuBootloader } from './dfu-bootloader.ts';

const flash = 0x0800_0000;
const none = new Uint8Array();

/** A host that sends single requests by hand, from AN3156, Table 3. */
function rig(options: Partial<StmChipOptions<StmUsbPartName>> = {}) {
  const clock = new VirtualClock(1_000);
  const chip = new StmChip({ part: 'stm32f407', content: 'empty', ...options });
  const left: (number | string)[] = [];
  const bootloader = new DfuBootloader({
    chip,
    transferSize: 2_048,
    now: () => clock.now(),
    leave: (at, how) => left.push(at - clock.now(), how === 'options' ? how : how.jump),
  });
  const ask = (request: number, value = 0, data = none, length = data.length) => {
    const answer = bootloader.answer({ request, value, data, length });
    return answer === 'stall' ? answer : hexOf(answer);
  };
  const download = (value: number, ...bytes: readonly number[]) => ask(1, value, Uint8Array.from(bytes));
  return { clock, chip, left, ask, download, status: () => ask(3, 0, none, 6), state: () => ask(5, 0, none, 1) };
}

describe('DFU_UPLOAD', () => {
  it('lists the commands for block 0', () => {
    const { ask, state } = rig();
    expect(ask(2, 0, none, 64)).toBe('00214192');
    expect(state()).toBe('02');
  });

  it('reads blocks of the transfer size from the address on, the last of them shorter', () => {
    const data = Uint8Array.from({ length: 5_000 }, (_, index) => index & 0xff);
    const { ask, state } = rig({ content: [{ address: flash, data }] });
    expect(ask(2, 2, none, 2_048)).toBe(hexOf(data.subarray(0, 2_048)));
    expect(ask(2, 4, none, 904)).toBe(hexOf(data.subarray(4_096)));
    expect(state()).toBe('09');
    expect(ask(6)).toBe('');
    expect(state()).toBe('02');
  });

  it('refuses block 1, more than the transfer size, and absent memory', () => {
    for (const [value, length] of [
      [1, 64],
      [2, 2_049],
      [2, 1],
    ] as const) {
      const { ask, status } = rig();
      expect(ask(2, value, none, length)).toBe('stall');
      expect(status()).toBe('0f0000000a00');
    }
  });

  it('is refused with errVENDOR on a protected part', () => {
    const { ask, status } = rig({ protection: 1 });
    expect(ask(2, 2, none, 2_048)).toBe('stall');
    expect(status()).toBe('0b0000000a00');
    expect(ask(4)).toBe('');
    expect(ask(2, 0, none, 4)).toBe('00214192');
  });
});

describe('DFU_DNLOAD', () => {
  it('sets the address with the first status request, and is done with the second', () => {
    const { ask, download, status, state } = rig({ content: [{ address: flash + 16, data: Uint8Array.of(1, 2) }] });
    expect(download(0, 0x21, 0x10, 0x00, 0x00, 0x08)).toBe('');
    expect(state()).toBe('03');
    expect(status()).toBe('000000000400');
    expect(status()).toBe('000000000500');
    expect(ask(6)).toBe('');
    expect(ask(2, 2, none, 2)).toBe('0102');
  });

  it('says errTARGET for an address that is not the part’s', () => {
    const { ask, download, status } = rig();
    download(0, 0x21, 0, 0, 0, 0x60);
    expect(status()).toBe('010000000a00');
    expect(download(0, 0x21, 0, 0, 0, 0x08)).toBe('stall');
    expect(status()).toBe('010000000a00');
    expect(ask(4)).toBe('');
    expect(status()).toBe('000000000200');
  });

  it('erases the sector of an address within its poll timeout', async () => {
    const data = new Uint8Array(131_072).fill(0x11);
    const { chip, clock, download, status } = rig({ profile: 'real-flash', content: [{ address: flash, data }] });
    download(0, 0x41, 0x00, 0x40, 0x00, 0x08);
    expect(status()).toBe('009001000400');
    await clock.advance(400);
    expect(status()).toBe('000000000500');
    expect(chip.flash.read(0x4000, 0x4000).every((byte) => byte === 0xff)).toBe(true);
    expect(chip.flash.erasedBytes).toBe(16_384);
  });

  it('is stalled for a host that asks before the poll timeout is over', async () => {
    const { clock, download, status } = rig({ profile: 'real-flash' });
    download(0, 0x41, 0x00, 0x00, 0x00, 0x08);
    status();
    await clock.advance(200);
    expect(status()).toBe('stall');
    await clock.advance(300);
    expect(status()).toBe('0f0000000a00');
  });

  it('erases everything for the command alone', async () => {
    const { chip, clock, download, status } = rig({ profile: 'real-flash' });
    download(0, 0x41);
    expect(status()).toBe('00803e000400');
    await clock.advance(16_000);
    expect(status()).toBe('000000000500');
    expect(chip.flash.erasedBytes).toBe(1_048_576);
  });

  it('programs blocks where their numbers say', () => {
    const { chip, download, status } = rig();
    for (const [block, byte] of [
      [2, 0x22],
      [3, 0x33],
    ] as const) {
      expect(download(block, ...new Array<number>(2_048).fill(byte))).toBe('');
      expect([status(), status()]).toEqual(['000000000400', '000000000500']);
    }
    expect([0, 2_047, 2_048, 4_095].map((at) => chip.flash.read(at, 1)[0])).toEqual([0x22, 0x22, 0x33, 0x33]);
  });

  it('reports errPROG if a part refuses to program cells that are not erased', () => {
    const { download, status } = rig({ part: 'stm32l476' });
    const block = new Array<number>(64).fill(1);
    download(2, ...block);
    expect([status(), status()]).toEqual(['000000000400', '000000000500']);
    download(2, ...block);
    expect([status(), status()]).toEqual(['000000000400', '060000000a00']);
  });

  it('stalls unknown commands, block 1, blocks that are too long, and requests in a wrong state', () => {
    const frames: readonly (readonly [block: number, bytes: readonly number[]])[] = [
      [0, [0x63]],
      [0, [0x21, 1]],
      [1, [1, 2]],
      [2, new Array<number>(2_049).fill(0)],
    ];
    for (const [block, bytes] of frames) {
      const { download, status } = rig();
      expect(download(block, ...bytes)).toBe('stall');
      expect(status()).toBe('0f0000000a00');
    }
    const { ask, download } = rig();
    ask(2, 2, none, 64);
    expect(download(2, 1, 2)).toBe('stall');
  });

  it('is refused with errVENDOR on a protected part, except for Set Address', () => {
    const { ask, download, status } = rig({ protection: 1 });
    download(0, 0x21, 0, 0, 0, 0x08);
    expect([status(), status()]).toEqual(['000000000400', '000000000500']);
    download(0, 0x41, 0, 0, 0, 0x08);
    expect(status()).toBe('0b0000000a00');
    ask(4);
    download(2, 1, 2, 3, 4);
    expect(status()).toBe('0b0000000a00');
  });

  it('removes read protection with everything, and restarts the part', async () => {
    const data = new Uint8Array(64);
    const { chip, clock, left, download, status } = rig({
      protection: 1,
      profile: 'real-flash',
      content: [{ address: flash, data }],
    });
    download(0, 0x92);
    expect(status()).toBe('00803e000400');
    expect(left).toEqual([16_002, 'options']);
    await clock.advance(16_000);
    chip.settle(clock.now());
    chip.loadOptions();
    expect([chip.protection, chip.flash.read(0, 1)[0]]).toEqual([0, 0xff]);
  });

  it('restarts an STM32F4 after option bytes, and takes effect at once on an STM32H7', () => {
    const f407 = rig();
    f407.download(0, 0x21, 0x00, 0xc0, 0xff, 0x1f);
    expect([f407.status(), f407.status()]).toEqual(['000000000400', '000000000500']);
    f407.download(2, 0xef, 0x55, 0xff, 0xff);
    expect(f407.status()).toBe('000000000400');
    expect([f407.left, f407.chip.protection]).toEqual([[2, 'options'], 0]);
    const h743 = rig({ part: 'stm32h743' });
    h743.download(0, 0x21, 0x1c, 0x20, 0x00, 0x52);
    expect([h743.status(), h743.status()]).toEqual(['000000000400', '000000000500']);
    h743.download(2, 0xf0, 0x55, 0xc6, 0x13);
    expect(h743.status()).toBe('000000000400');
    expect([h743.left, h743.chip.protection]).toEqual([[], 1]);
  });

  it('leaves for the set address when it is empty, once the status is requested', () => {
    const { left, download, status, state } = rig();
    download(0, 0x21, 0x00, 0x40, 0x00, 0x08);
    status();
    status();
    expect(download(0)).toBe('');
    expect([state(), left]).toEqual(['06', []]);
    expect(status()).toBe('000000000700');
    expect(left).toEqual([2, flash + 0x4000]);
  });
});

describe('other requests', () => {
  it('ABORT cancels a command that has not begun', () => {
    const { chip, ask, download, status } = rig();
    download(0, 0x41);
    expect(ask(6)).toBe('');
    expect(status()).toBe('000000000200');
    expect(chip.flash.erasedBytes).toBe(0);
  });

  it('CLRSTATUS is for errors only, and nothing else helps against one', () => {
    const { ask, state } = rig();
    expect(ask(4)).toBe('stall');
    expect(state()).toBe('0a');
    expect(ask(6)).toBe('stall');
    expect(ask(4)).toBe('');
    expect(state()).toBe('02');
  });

  it('DETACH and unknown ones are stalled', () => {
    expect(rig().ask(0, 1_000)).toBe('stall');
    expect(rig().ask(9)).toBe('stall');
  });
});
