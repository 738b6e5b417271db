import { describe, expect, it } from 'vitest';
import { labChip } from '../chips/lab-chips.ts';
import { policyOf } from '../policy/policy.ts';
import { fakeLab, reasonOf } from '../testing/fake-lab.ts';
import { beginPeriod, countEdges, countRound, edgesBetween, periodRanges, stopCounting, takePeriod } from './edges.ts';
import { inputPin, outputPin, pinRule, readPin } from './pins.ts';
import { pwmOn, pwmTiming } from './pwm.ts';
import { spiTransfer } from './spi.ts';
import { receiveWaiting, sendThrough, uartUp } from './uart-bridge.ts';

const esp32 = labChip('esp32');
const c3 = labChip('esp32c3');
const chips = [esp32, c3];

describe('pins', () => {
  it('state why they are locked, and restrictions of the others', () => {
    expect(pinRule(esp32, 6)).toEqual({ kind: 'locked', reason: 'GPIO 6 is connected to the flash chip.' });
    expect(pinRule(esp32, 1).kind).toBe('locked');
    expect(pinRule(esp32, 12).reason).toContain('1.8 V');
    expect(pinRule(esp32, 34).kind).toBe('input-only');
    expect(pinRule(esp32, 20).kind).toBe('absent');
    expect(pinRule(esp32, 4)).toEqual({ kind: 'free', reason: '' });
    expect(pinRule(c3, 9).kind).toBe('warn');
  });

  it('are narrowed by the package and by the connection', () => {
    expect(pinRule(esp32, 16).kind).toBe('warn');
    expect(pinRule(labChip('esp32', { packageName: 'ESP32-PICO-D4' }), 16).kind).toBe('locked');
    expect(pinRule(labChip('esp32', { packageName: 'ESP32-D0WD-V3' }), 16).kind).toBe('warn');
    const overUsb = labChip('esp32c3', { link: 'usb-jtag' });
    expect([18, 20].map((gpio) => pinRule(c3, gpio).kind)).toEqual(['warn', 'locked']);
    expect([18, 20].map((gpio) => pinRule(overUsb, gpio).kind)).toEqual(['locked', 'free']);
  });

  it('refuse unsupported modes', () => {
    expect(reasonOf(() => outputPin(esp32, 6, { high: true }))).toBe('GPIO 6 is connected to the flash chip.');
    expect(reasonOf(() => outputPin(esp32, 34, { high: true }))).toBe('GPIO 34 is input only.');
    expect(reasonOf(() => inputPin(esp32, 34, 'up'))).toBe('GPIO 34 has no pull resistors.');
    expect(reasonOf(() => inputPin(esp32, 24))).toBe('This chip has no GPIO 24.');
  });

  it('have a level before they are outputs', () => {
    for (const chip of chips) {
      const [bank] = chip.gpio.banks;
      const [step] = outputPin(chip, 4, { high: false }).steps;
      const addresses = step?.kind === 'write' ? step.entries.map(({ address }) => address) : [];
      expect(addresses[0]).toBe(bank?.outClear);
      expect(addresses.at(-1)).toBe(bank?.enableSet);
    }
  });

  it('report how they are set', () => {
    const bit = 1 << 4;
    // ENABLE, OUT, IN, PIN, IO_MUX, output select, pad.
    const words = [bit, bit, 0, 1 << 2, (2 << 12) | (1 << 9), 0x100, 1 << 27];
    expect(readPin(esp32, 4).value(words)).toEqual({
      output: true,
      high: true,
      level: false,
      openDrain: true,
      pull: 'up',
      signal: null,
      ioMuxFunction: 2,
      inputEnabled: true,
    });
  });
});

describe('the UART bridge', () => {
  it('reads waiting bytes before it sends, in pieces that fit', async () => {
    const sent: number[] = [];
    let waiting = 3;
    const { base, fifoWrite } = esp32.uart;
    const { lab } = fakeLab(
      esp32,
      (address) => {
        waiting -= address === base ? 1 : 0;
        return address === base ? 0x41 : address === base + 0x1c ? (28 << 16) | waiting : 0;
      },
      (address, value) => address === fifoWrite && sent.push(value),
    );
    const received = await sendThrough(lab, new Uint8Array(250).fill(7));
    expect(received).toEqual([Uint8Array.of(0x41, 0x41, 0x41)]);
    expect(sent).toHaveLength(250);
    expect(await receiveWaiting(lab)).toEqual(new Uint8Array());
  });
});

describe('a slow UART on the C3', () => {
  it('divides its clock first where the divider has too few bits', () => {
    const wordsOf = (baudRate: number) => {
      const [step] = uartUp(c3, { tx: 6, rx: 7, baudRate }).steps;
      const entries = step?.kind === 'write' ? step.entries : [];
      const wordAt = (offset: number) => entries.find(({ address }) => address === c3.uart.base + offset)?.value ?? 0;
      return { predivider: ((wordAt(0x78) >>> 12) & 0xff) + 1, divider: wordAt(0x14) };
    };
    expect(wordsOf(115_200).predivider).toBe(1);
    for (const baudRate of [300, 1_200, 9_600, 9_768, 9_769, 19_200]) {
      const { predivider, divider } = wordsOf(baudRate);
      const whole = divider & 0xf_ffff;
      expect(whole).toBeLessThanOrEqual(0xfff);
      const rate = 40e6 / predivider / (whole + (divider >>> 20) / 16);
      expect(Math.abs(rate / baudRate - 1)).toBeLessThan(0.001);
    }
  });
});

describe('PWM', () => {
  it('has fewer steps above 4.8 kHz, and never a divisor that the timer cannot hold', () => {
    expect(pwmTiming(esp32, 1_000)).toEqual({ resolution: 13, divisor: 1_250, frequency: 1_000 });
    for (const frequency of [5, 4_800, 5_000, 20_000, 1_000_000, 5_000_000]) {
      const { resolution, divisor } = pwmTiming(esp32, frequency);
      expect(divisor).toBeGreaterThanOrEqual(0x100);
      expect(divisor).toBeLessThanOrEqual(0x3_ffff);
      expect(resolution).toBeGreaterThanOrEqual(1);
    }
    expect(reasonOf(() => pwmOn(esp32, { pin: 4, frequency: 1, duty: 0.5 }))).toContain('5 Hz');
    expect(reasonOf(() => pwmOn(esp32, { pin: 4, frequency: 1_000, duty: 1.1 }))).toContain('100 %');
  });
});

describe('SPI', () => {
  it.each([0, 1, 2, 3] as const)('mode %s sets the idle level and the edge', (mode) => {
    const { spi } = esp32;
    const [step] = spiTransfer(esp32, { bytes: Uint8Array.of(1, 2, 3, 4, 5), clock: 1_000_000, mode }).steps;
    const valueAt = (offset: number) =>
      step?.kind === 'write' ? step.entries.find(({ address }) => address === spi.base + offset)?.value : undefined;
    expect(((valueAt(spi.pin.offset) ?? 0) >>> spi.idleHigh) & 1).toBe(mode >>> 1);
    expect(((valueAt(spi.user.offset) ?? 0) >>> spi.outEdge) & 1).toBe(mode === 1 || mode === 2 ? 1 : 0);
    expect(valueAt(spi.data)).toBe(0x0403_0201);
    expect(valueAt(spi.lengths[0] ?? 0)).toBe(39);
  });

  it('reports a transfer that has not ended', () => {
    const { value } = spiTransfer(c3, { bytes: Uint8Array.of(1), clock: 1_000_000, mode: 0 });
    expect(value([1 << c3.spi.start, 0])).toEqual({ finished: false, bytes: new Uint8Array() });
  });

  it('refuses nothing, and 65 bytes', () => {
    const transfer = (length: number) =>
      reasonOf(() => spiTransfer(c3, { bytes: new Uint8Array(length), clock: 1_000_000, mode: 0 }));
    expect([1, 64].map(transfer)).toEqual([null, null]);
    expect([0, 65].map(transfer)).toEqual(Array(2).fill('An SPI transfer has 1 to 64 bytes.'));
  });
});

describe('edges', () => {
  const [finest, , slowest] = periodRanges;
  const high = (ticks: number) => 0x8000 | ticks;
  const pair = (low: number, ticks: number) => ((high(ticks) << 16) | low) >>> 0;

  it('have the mean period between rising edges, known to a tick, and its spread', () => {
    const { value } = takePeriod(esp32, finest);
    expect(value([pair(60, 40), pair(60, 40), pair(62, 40), 0])).toEqual({
      mean: 2_525,
      resolution: 12.5,
      shortest: 2_500,
      longest: 2_550,
      tick: 25,
    });
  });

  it('have no period with fewer than two rising edges, nor from the initial level', () => {
    const { value } = takePeriod(esp32, finest);
    expect(value([0, 0])).toBeNull();
    expect(value([pair(60, 40), 0])).toBeNull();
    expect(value([((60 << 16) | high(40)) >>> 0, high(40), 0])).toBeNull();
  });

  it('are timed from a cleared memory, for as long as the slowest range takes', () => {
    const [step] = beginPeriod(esp32, 4, slowest).steps;
    const entries = step?.kind === 'write' ? step.entries : [];
    const memory = esp32.rmt?.memory ?? 0;
    expect(entries.filter(({ address, value }) => address >= memory && value === 0)).toHaveLength(32);
    expect(entries.length).toBeLessThanOrEqual(esp32.limits.list);
  });

  it('are counted across the wrap of the counter', () => {
    expect(edgesBetween(esp32, 100, 350)).toBe(250);
    expect(edgesBetween(esp32, countRound(esp32) - 1, 2)).toBe(3);
  });

  it('leave a pin of another instrument as it is', () => {
    const writesTo = (isShared: boolean) => {
      const [step] = countEdges(esp32, { pin: 25, edges: 'both', isShared }).steps;
      return step?.kind === 'write' ? step.entries.flatMap((one) => policyOf(esp32).pinsMovedBy(one)) : [];
    };
    expect(writesTo(false)).toContain(25);
    expect(writesTo(true)).toEqual([]);
  });

  it('are refused at a locked pin, shared or not, and by a chip without a counter', () => {
    for (const isShared of [true, false]) {
      expect(reasonOf(() => countEdges(esp32, { pin: 6, edges: 'rising', isShared }))).toContain('GPIO 6');
    }
    expect(reasonOf(() => beginPeriod(esp32, 6, finest))).toContain('GPIO 6');
    const source = { pin: 4, edges: 'rising', isShared: false } as const;
    expect(reasonOf(() => countEdges(c3, source))).toBe('The ESP32-C3 has no pulse counter.');
    expect(reasonOf(() => beginPeriod(c3, 4, finest))).toBe('The lab cannot time edges on the ESP32-C3.');
    expect(reasonOf(() => stopCounting(c3))).toBe('The ESP32-C3 has no pulse counter.');
  });
});

describe.each(chips)('named registers of $label', (chip) => {
  it('can all be read, and have fields within 32 bits', () => {
    const policy = policyOf(chip);
    for (const { registers } of chip.registers) {
      for (const { address, fields } of registers) {
        expect(policy.readRefusal(address)).toBeNull();
        expect(fields.every(({ from, bits }) => from + bits <= 32)).toBe(true);
      }
    }
  });
});
