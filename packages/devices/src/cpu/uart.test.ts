import { describe, expect, it } from 'vitest';
import { programChips } from './chips.ts';
import { Uart } from './uart.ts';

const base = 0x60000000;
const at = { fifo: base, raw: base + 4, state: base + 8, enable: base + 0xc, clear: base + 0x10, divider: base + 0x14 };
const status = base + 0x1c;
const conf0 = base + 0x20;
/** Cycles of one byte at 115,200 baud and 40 MHz. */
const byteCycles = 3_473;

function rig() {
  const layout = programChips.get('esp32c3')?.uart;
  if (layout === undefined) {
    throw new Error('The chip is gone.');
  }
  let now = 0;
  const sent: number[] = [];
  const rates: number[] = [];
  const uart = new Uart(layout, {
    cycles: () => now,
    crystal: 40,
    baudRate: 115_200,
    rateChanged: (rate) => rates.push(Math.round(rate)),
    transmit: (bytes) => sent.push(...bytes),
  });
  const pass = (cycles: number) => {
    now += cycles;
  };
  return { uart, sent, rates, pass, now: () => now };
}

const bytes = (count: number) => Uint8Array.from({ length: count }, (_, index) => index);

describe('UART0', () => {
  it('receives bytes one after the other at its rate', () => {
    const { uart, pass, now } = rig();
    uart.receive(bytes(10), now());
    expect(uart.read(status) & 0x3ff).toBe(1);
    pass(4 * byteCycles);
    expect(uart.read(status) & 0x3ff).toBe(5);
    expect([uart.read(at.fifo), uart.read(at.fifo)]).toEqual([0, 1]);
    expect(uart.read(status) & 0x3ff).toBe(3);
  });

  it('takes a chunk that was on its way for as long as it is as having arrived', () => {
    const { uart, pass } = rig();
    pass(20 * byteCycles);
    uart.receive(bytes(1), 20 * byteCycles);
    expect(uart.read(status) & 0x3ff).toBe(1);
  });

  it('loses what comes while 128 bytes wait, and says so', () => {
    const { uart, pass, now } = rig();
    uart.receive(bytes(140), now());
    pass(200 * byteCycles);
    expect(uart.read(status) & 0x3ff).toBe(128);
    expect(uart.read(at.raw) & (1 << 4)).not.toBe(0);
    uart.write(at.clear, 1 << 4);
    expect(uart.read(at.raw) & (1 << 4)).toBe(0);
    expect(Array.from({ length: 128 }, () => uart.read(at.fifo))).toEqual([...bytes(128)]);
    expect(uart.read(at.fifo)).toBe(0);
  });

  it('sends at its rate, and drops what does not fit', () => {
    const { uart, sent, pass } = rig();
    for (const byte of bytes(200)) {
      uart.write(at.fifo, byte);
    }
    // One more byte is in the shift register.
    expect((uart.read(status) >> 16) & 0x3ff).toBe(128);
    pass(10 * byteCycles);
    uart.flush();
    expect(sent).toEqual([...bytes(11)]);
    expect(uart.isIdle).toBe(false);
    pass(200 * byteCycles);
    uart.flush();
    expect(sent).toEqual([...bytes(129)]);
    expect((uart.read(status) >> 16) & 0x3ff).toBe(0);
    expect(uart.isIdle).toBe(true);
  });

  it('changes its rate by the divider, with what was sent before at the old one', () => {
    const { uart, sent, rates } = rig();
    expect(uart.read(at.divider)).toBe((3 << 20) | 347);
    uart.write(at.fifo, 1);
    uart.write(at.divider, (6 << 20) | 43);
    expect(rates).toEqual([922_190]);
    expect(sent).toEqual([1]);
  });

  it('ignores a divider of 0', () => {
    const { uart, rates } = rig();
    uart.write(at.divider, 0);
    expect(rates).toEqual([]);
  });

  it('shows enabled interrupts alone in their state', () => {
    const { uart, pass, now } = rig();
    uart.receive(bytes(100), now());
    pass(200 * byteCycles);
    expect(uart.read(at.raw) & 0x103).toBe(0x103);
    expect(uart.read(at.state)).toBe(0);
    uart.write(at.enable, 1);
    expect(uart.read(at.state)).toBe(1);
  });

  it('empties its FIFOs when they are reset', () => {
    const { uart, sent, pass, now } = rig();
    uart.receive(bytes(5), now());
    uart.write(at.fifo, 1);
    uart.write(at.fifo, 2);
    pass(10 * byteCycles);
    uart.write(conf0, 3 << 17);
    expect(uart.read(status)).toBe(0);
    uart.flush();
    expect(sent).toEqual([]);
  });
});
