import { describe, expect, it } from 'vitest';
import type { LabChip } from '../chips/lab-chip.ts';
import { labChip } from '../chips/lab-chips.ts';
import type { Lab } from '../lab.ts';
import { LabError } from '../lab-failure.ts';
import type { Macro } from '../macro.ts';
import { policyOf } from '../policy/policy.ts';
import { wireSteps } from '../runner/wire-steps.ts';
import { unescaped } from '../testing/recording.ts';
import { beginPeriod, countEdges, countRound, edgesBetween, periodRanges, stopCounting, takePeriod } from './edges.ts';
import { i2cProbe, i2cTransfer, i2cUp } from './i2c.ts';
import { busCandidates, findBuses, i2cRecover } from './i2c-lines.ts';
import { scan } from './i2c-scan.ts';
import { inputPin, outputPin, pinRule, pulsePin, readPin } from './pins.ts';
import { pwmOn, pwmTiming } from './pwm.ts';
import { fieldMask, fieldOf } from './registers.ts';
import { spiTransfer } from './spi.ts';
import { receiveWaiting, sendThrough, uartUp } from './uart-bridge.ts';

const esp32 = labChip('esp32');
const c3 = labChip('esp32c3');
const chips = [esp32, c3];

const reasonOf = (work: () => unknown): string | null => {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof LabError && error.code === 'refused' ? error.detail : String(error);
  }
};

/** A lab without a link: registers are what `read` says, and what is written goes to `write`. */
function fakeLab(
  chip: LabChip,
  read: (address: number) => number,
  write: (address: number, value: number) => unknown = () => null,
) {
  const titles: string[] = [];
  const policy = policyOf(chip);
  const lab = {
    chip,
    over: new AbortController().signal,
    run: async <T>(macro: Macro<T>): Promise<T> => {
      wireSteps(macro.steps, policy, chip.limits);
      titles.push(macro.title);
      const words: number[] = [];
      for (const step of macro.steps) {
        if (step.kind === 'write') {
          for (const { address, value } of step.entries) {
            write(address, value);
          }
        } else if (step.kind === 'read') {
          words.push(...step.addresses.map(read));
        } else {
          let word = read(step.address);
          for (let tries = 1; tries < step.tries && !step.until(word); tries++) {
            word = read(step.address);
          }
          words.push(word);
        }
      }
      return macro.value(words);
    },
  } as Lab;
  return { lab, titles };
}

describe('pins', () => {
  it('say why they are locked, and what to know of the others', () => {
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

  it('refuse what they cannot do', () => {
    expect(reasonOf(() => outputPin(esp32, 6, { high: true }))).toBe('GPIO 6 is connected to the flash chip.');
    expect(reasonOf(() => outputPin(esp32, 34, { high: true }))).toBe('GPIO 34 is input only.');
    expect(reasonOf(() => inputPin(esp32, 34, 'up'))).toBe('GPIO 34 has no pull resistors.');
    expect(reasonOf(() => inputPin(esp32, 24))).toBe('This chip has no GPIO 24.');
    expect(reasonOf(() => pulsePin(esp32, 4, [{ high: true, duration: 0 }], false))).toContain('1 µs');
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

  it('tell how they are set', () => {
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

describe('I2C', () => {
  it('tells a bus that is stuck from an address that is absent', () => {
    const { value } = i2cProbe(esp32, 0x48);
    expect([0x80, 0x400, 0x480, 0x100, 0x20, 0].map((raw) => value([raw]))).toEqual([
      'present',
      'absent',
      'absent',
      'stuck',
      'stuck',
      'unfinished',
    ]);
  });

  it.each(['esp32', 'esp32c3'] as const)('waits on %s until the bus has carried a transfer', (name) => {
    const chip = labChip(name);
    const transfer = i2cTransfer(chip, { address: 0x48, write: Uint8Array.of(0), read: 31, clock: 100_000 });
    const [list] = wireSteps(transfer.steps, policyOf(chip), chip.limits);
    const frame = list?.kind === 'requests' ? list.requests[0]?.request.frame : undefined;
    // The last entry waits. Its delay is its last word.
    const words = unescaped(Buffer.from(frame ?? []).toString('hex'));
    const units = Buffer.from(words.slice(-8), 'hex').readUInt32LE();
    const bits = (3 + 31) * 9;
    expect(units * chip.limits.delayUnit).toBeGreaterThanOrEqual((bits * 1e6) / 100_000);
  });

  it.each([0, 1, 60])('waits for a device that holds the clock for %i looks', async (looks) => {
    let left = looks;
    const words = new Map([[esp32.i2c.base + 0x08, 1 << 8]]);
    const { lab } = fakeLab(esp32, (register) => {
      if (register === esp32.i2c.base + 0x20) {
        return left-- > 0 ? 0 : 0x80;
      }
      return register === esp32.i2c.base + 0x1c ? 0x60 : (words.get(register) ?? 0);
    });
    const transfer = { address: 0x76, write: Uint8Array.of(0xd0), read: 1, clock: 100_000 };
    expect(await lab.run(i2cTransfer(esp32, transfer))).toEqual({ answer: 'present', read: Uint8Array.of(0x60) });
  });

  it('says that a transfer is unfinished only when the bus stays at work', async () => {
    let looks = 0;
    const { lab } = fakeLab(esp32, (register) => {
      looks += register === esp32.i2c.base + 0x20 ? 1 : 0;
      return 0;
    });
    const transfer = { address: 0x76, write: Uint8Array.of(0xd0), read: 0, clock: 100_000 };
    expect((await lab.run(i2cTransfer(esp32, transfer))).answer).toBe('unfinished');
    expect(looks).toBeGreaterThanOrEqual(100);
  });

  it('does not give bytes that were not received', () => {
    const transfer = i2cTransfer(esp32, { address: 0x48, write: Uint8Array.of(0), read: 2, clock: 100_000 });
    expect(transfer.value([0x80, 1 << 8, 1, 2])).toEqual({ answer: 'unfinished', read: new Uint8Array() });
    expect(transfer.repeatable).toBe(false);
  });

  it('waits longer on a slower bus', () => {
    const delayAt = (clock: number) => {
      const [step] = i2cProbe(esp32, 8, clock).steps;
      return step?.kind === 'write' ? step.entries.at(-1)?.delay : null;
    };
    expect([10_000, 100_000, 400_000].map(delayAt)).toEqual([1_500, 150, 38]);
  });

  it('refuses what the FIFO or the bus cannot', () => {
    const transfer = (write: number, read: number, address = 0x48) =>
      reasonOf(() => i2cTransfer(esp32, { address, write: new Uint8Array(write), read, clock: 100_000 }));
    expect(transfer(31, 0)).toBeNull();
    expect(transfer(32, 0)).toContain('31 bytes');
    expect(transfer(0, 32)).toContain('31 bytes');
    expect(transfer(0, 1, 0x80)).toContain('7 bits');
    expect(reasonOf(() => i2cUp(esp32, { sda: 21, scl: 21, clock: 100_000 }))).toBe('GPIO 21 is chosen twice.');
    expect(reasonOf(() => i2cUp(esp32, { sda: 21, scl: 22, clock: 1_000_000 }))).toContain('400 kHz');
  });

  it('frees a bus by nine clocks and a stop, with SDA let go in the end', () => {
    const [bank] = esp32.gpio.banks;
    const [step] = i2cRecover(esp32, { sda: 21, scl: 22 }).steps;
    const entries = step?.kind === 'write' ? step.entries : [];
    const clocks = entries.filter(
      ({ address, value, delay }) => address === bank?.outSet && value === 1 << 22 && delay > 0,
    );
    expect(clocks).toHaveLength(10);
    expect(entries.at(-1)).toMatchObject({ address: bank?.outSet, value: 1 << 21 });
  });
});

/** A bus with devices: answers INT_RAW by the address that was written last. */
function bus(
  chip: LabChip,
  devices: readonly number[],
  answer: (present: boolean) => number = (present) => (present ? 0x80 : 0x400),
) {
  let address = 0;
  return {
    read: (register: number) => (register === chip.i2c.base + 0x20 ? answer(devices.includes(address)) : 0),
    write: (register: number, value: number) => {
      address = register === chip.i2c.fifoWrite ? value >>> 1 : address;
    },
  };
}

describe.each(chips)('a scan on $label', (chip) => {
  it('finds all that acknowledge, in order', async () => {
    const { read, write } = bus(chip, [0x77, 0x48, 0x08]);
    const found: number[] = [];
    let done = 0;
    const report = await scan(fakeLab(chip, read, write).lab, {
      clock: 100_000,
      onFound: (address) => found.push(address),
      onProgress: (count) => {
        done = count;
      },
    });
    expect(report).toEqual({ found: [0x08, 0x48, 0x77], stuckAt: null });
    expect(found).toEqual([0x08, 0x48, 0x77]);
    expect(done).toBe(0x70);
  });

  it('stops where the bus is stuck', async () => {
    const { read, write } = bus(chip, [], () => 0x100);
    expect(await scan(fakeLab(chip, read, write).lab, { clock: 100_000 })).toEqual({ found: [], stuckAt: 0x08 });
  });

  it('asks again where nothing was seen', async () => {
    let asked = 0;
    const { read, write } = bus(chip, [0x48], (present) => (present ? (asked++ < 1 ? 0 : 0x80) : 0x400));
    expect((await scan(fakeLab(chip, read, write).lab, { clock: 100_000 })).found).toEqual([0x48]);
  });
});

describe('a scan whose probes never end', () => {
  it('does not take the address for absent', async () => {
    const { read, write } = bus(c3, [0x48], (present) => (present ? 0 : 0x400));
    expect(await scan(fakeLab(c3, read, write).lab, { clock: 100_000 })).toEqual({ found: [], stuckAt: 0x48 });
  });
});

describe('finding a bus', () => {
  it('tries the pins that are pulled up both ways round, and releases all of them', async () => {
    // SDA 22 and SCL 21 carry a bus, GPIO 4 only a resistor.
    const selected = new Map<number, number>();
    const { i2c, gpio } = esp32;
    const isRight = () =>
      selected.get(gpio.outputSelect + 4 * 22) === i2c.signals.sda &&
      selected.get(gpio.outputSelect + 4 * 21) === i2c.signals.scl;
    const wires = bus(esp32, [0x76], (present) => (present && isRight() ? 0x80 : 0x400));
    const pulledUp = (1 << 4) | (1 << 21) | (1 << 22);
    const { lab, titles } = fakeLab(
      esp32,
      (address) => (address === gpio.banks[0]?.input ? pulledUp : wires.read(address)),
      (address, value) => {
        selected.set(address, value);
        wires.write(address, value);
      },
    );
    const found = await findBuses(lab);
    expect(found).toEqual({ pulledUp: [4, 21, 22], buses: [{ sda: 22, scl: 21, addresses: [0x76] }] });
    expect(titles.at(-1)).toBe(`GPIO: release ${busCandidates(esp32).length} pins`);
  });

  it('leaves pins alone that need a warning', () => {
    expect(busCandidates(esp32).filter((pin) => [0, 1, 2, 5, 6, 12, 15, 16, 34].includes(pin))).toEqual([]);
  });
});

describe('the UART bridge', () => {
  it('reads what waits before it sends, in pieces that there is room for', async () => {
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

  it('says when a transfer has not ended', () => {
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

  it('have no period with fewer than two rising edges, or a level at first that nobody saw begin', () => {
    const { value } = takePeriod(esp32, finest);
    expect(value([0, 0])).toBeNull();
    expect(value([pair(60, 40), 0])).toBeNull();
    expect(value([((60 << 16) | high(40)) >>> 0, high(40), 0])).toBeNull();
  });

  it('are timed from a memory that held nothing, for as long as the slowest range takes', () => {
    const [step] = beginPeriod(esp32, 4, slowest).steps;
    const entries = step?.kind === 'write' ? step.entries : [];
    const memory = esp32.rmt?.memory ?? 0;
    expect(entries.filter(({ address, value }) => address >= memory && value === 0)).toHaveLength(32);
    expect(entries.length).toBeLessThanOrEqual(esp32.limits.list);
  });

  it('are counted on where the counter starts again at 0', () => {
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

  it('give the bits of a field', () => {
    const field = { name: 'OP_CODE', from: 11, bits: 3 };
    expect(fieldOf(0x1901, field)).toBe(3);
    expect(fieldMask(field)).toBe(0x3800);
    expect(fieldMask({ name: 'DONE', from: 31, bits: 1 })).toBe(0x8000_0000);
  });
});
