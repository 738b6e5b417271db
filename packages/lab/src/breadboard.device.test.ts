/** The instruments on the simulated chips with their breadboard: pins, analog levels, PWM, SPI, UART, and leaving. */
import { SpiFlash } from '@wirebench/devices';
import { describe, expect, it } from 'vitest';
import { labChip } from './chips/lab-chips.ts';
import { adcSample, adcUp } from './instruments/adc.ts';
import {
  beginPeriod,
  countEdges,
  countRound,
  type EdgePeriod,
  edgeCount,
  edgesBetween,
  periodRanges,
  resetEdgeCount,
  stopCounting,
  takePeriod,
} from './instruments/edges.ts';
import { inputPin, isHigh, outputPin, readPin, releasePin, watchPins } from './instruments/pins.ts';
import { pwmOn, pwmTiming } from './instruments/pwm.ts';
import { spiTransfer, spiUp } from './instruments/spi.ts';
import { clearUartFaults, receiveWaiting, sendThrough, takeUartFaults, uartUp } from './instruments/uart-bridge.ts';
import { onBench } from './testing/bench.ts';
import { setLevel } from './testing/instruments.ts';

const chips = ['esp32', 'esp32c3'] as const;
/** Pins that need no warning and that no part drives. */
const free = { esp32: [25, 32, 33, 18], esp32c3: [1, 3, 10, 7] } as const;

describe.each(chips)('pins of %s', (chip) => {
  it('see the button through the pull-up of the chip, and float or fall without it', () =>
    onBench(chip, async ({ lab, board, run }) => {
      const { button } = board.pins;
      const level = async () => isHigh(lab.chip, await run(lab.run(watchPins(lab.chip))), button);
      await run(lab.run(inputPin(lab.chip, button, 'up')));
      expect(await level()).toBe(true);
      board.button.press();
      expect(await level()).toBe(false);
      board.button.press(false);
      expect(await level()).toBe(true);
      await run(lab.run(inputPin(lab.chip, button, 'down')));
      expect(await level()).toBe(false);
      expect(await run(lab.run(readPin(lab.chip, button)))).toMatchObject({ output: false, pull: 'down' });
    }));

  it('light the LED and read back the level at the pin, not the requested level', () =>
    onBench(chip, async ({ lab, board, run }) => {
      const { led } = board.pins;
      await run(lab.run(outputPin(lab.chip, led, { high: false })));
      expect(board.led.brightness).toBe(0);
      await run(lab.run(setLevel(lab.chip, led, true)));
      expect(board.led.brightness).toBe(1);
      expect(await run(lab.run(readPin(lab.chip, led)))).toMatchObject({ output: true, high: true, level: true });
      board.shortToGround(led);
      expect(await run(lab.run(readPin(lab.chip, led)))).toMatchObject({ output: true, high: true, level: false });
      board.open(led);
      await run(lab.run(releasePin(lab.chip, led)));
      expect(board.led.brightness).toBe(0);
    }));

  it('pull down and release as open drains', () =>
    onBench(chip, async ({ lab, board, run }) => {
      const { sda } = board.pins;
      await run(lab.run(outputPin(lab.chip, sda, { high: true, openDrain: true })));
      const level = async () => (await run(lab.run(readPin(lab.chip, sda)))).level;
      expect(await level()).toBe(true);
      await run(lab.run(setLevel(lab.chip, sda, false)));
      expect(await level()).toBe(false);
      await run(lab.run(setLevel(lab.chip, sda, true)));
      expect(await level()).toBe(true);
      board.hold(sda, 'low');
      expect(await level()).toBe(false);
      board.hold(sda, null);
    }));
});

describe.each(chips)('instruments of %s', (chip) => {
  it('measure the potentiometer from end to end', () =>
    onBench(chip, async ({ lab, board, run }) => {
      const { potentiometer } = board.pins;
      await run(lab.run(adcUp(lab.chip, potentiometer)));
      const measured: number[] = [];
      for (const position of [0, 0.2, 0.4, 0.6, 0.8]) {
        board.potentiometer.turn(position);
        const sample = await run(lab.run(adcSample(lab.chip, potentiometer)));
        measured.push(sample?.volts ?? Number.NaN);
        // At 11 dB the full scale of the C3 is 2.5 V.
        const full = lab.chip.adc.fullScale;
        expect(Math.abs((sample?.volts ?? Number.NaN) - Math.min(position * 3.3, full))).toBeLessThan(0.1);
      }
      expect(measured).toEqual(measured.toSorted((one, other) => one - other));
    }));

  it('dim the LED', () =>
    onBench(chip, async ({ lab, board, run, rig }) => {
      const { led } = board.pins;
      await run(lab.run(pwmOn(lab.chip, { pin: led, frequency: 1_000, duty: 0.25 })));
      await rig.clock.advance(50);
      expect(board.led.brightness).toBeCloseTo(0.25, 2);
      await run(lab.run(pwmOn(lab.chip, { pin: led, frequency: 1_000, duty: 0.9 })));
      await rig.clock.advance(50);
      expect(board.led.brightness).toBeCloseTo(0.9, 2);
      const edges = board.capture(led);
      await rig.clock.advance(10);
      const rising = edges.edges().filter(({ level }) => level === 1);
      expect((rising.at(-1)?.time ?? 0) - (rising[0]?.time ?? 0)).toBeCloseTo(rising.length - 1, 3);
      expect(rising.length).toBeGreaterThanOrEqual(9);
      edges.stop();
      await run(lab.run(releasePin(lab.chip, led)));
      await rig.clock.advance(50);
      expect(board.led.brightness).toBe(0);
    }));

  it('read the JEDEC id of a flash chip on SPI, in modes 0 and 3', () =>
    onBench(chip, async ({ lab, board, run }) => {
      const [clk, mosi, miso, cs] = free[chip];
      board.addSpi({ clock: clk, out: mosi, in: miso, select: cs }, new SpiFlash([0xef, 0x40, 0x16]));
      await run(lab.run(spiUp(lab.chip, { clk, mosi, miso, cs })));
      for (const mode of [0, 3] as const) {
        for (const clock of [100_000, 1_000_000, 10_000_000]) {
          const id = await run(lab.run(spiTransfer(lab.chip, { bytes: Uint8Array.of(0x9f, 0, 0, 0), clock, mode })));
          expect({ ...id, bytes: [...id.bytes].slice(1) }).toEqual({ finished: true, bytes: [0xef, 0x40, 0x16] });
        }
      }
    }));

  it('read whole sentences of the GNSS receiver', () =>
    onBench(chip, async ({ lab, board, run, rig }) => {
      const [tx] = free[chip];
      await run(lab.run(uartUp(lab.chip, { tx, rx: board.pins.gnss, baudRate: 9_600 })));
      let text = '';
      for (let turn = 0; turn < 120; turn++) {
        text += new TextDecoder().decode(await run(receiveWaiting(lab)));
        await rig.clock.advance(25);
      }
      const lines = text.split('\r\n').slice(1, -1);
      expect(lines.length).toBeGreaterThanOrEqual(4);
      expect(lines.map((line) => line.slice(0, 6))).toContain('$GPGGA');
      for (const line of lines) {
        const [, content = '', sum = ''] = /^\$(.*)\*(..)$/.exec(line) ?? [];
        const own = [...content].reduce((all, character) => all ^ character.charCodeAt(0), 0);
        expect(Number.parseInt(sum, 16)).toBe(own);
      }
    }));

  it('report once that the bridge lost bytes because they were not read in time', () =>
    onBench(chip, async ({ lab, board, run, rig }) => {
      const [tx] = free[chip];
      await run(lab.run(uartUp(lab.chip, { tx, rx: board.pins.gnss, baudRate: 9_600 })));
      await run(lab.run(clearUartFaults(lab.chip)));
      expect(await run(takeUartFaults(lab))).toEqual([]);
      await rig.clock.advance(3_000);
      expect(await run(receiveWaiting(lab))).toHaveLength(lab.chip.uart.fifo);
      expect(await run(takeUartFaults(lab))).toEqual(['overrun']);
      expect(await run(takeUartFaults(lab))).toEqual([]);
    }));

  it('report framing errors at a wrong rate', () =>
    onBench(chip, async ({ lab, board, run, rig }) => {
      const [tx] = free[chip];
      await run(lab.run(uartUp(lab.chip, { tx, rx: board.pins.gnss, baudRate: 115_200 })));
      await rig.clock.advance(1_000);
      expect(await run(takeUartFaults(lab))).toContain('framing');
    }));

  it('send through the bridge and receive it over a wire', () =>
    onBench(chip, async ({ lab, board, run, rig }) => {
      const [tx, rx] = free[chip];
      board.short(tx, rx);
      await run(lab.run(uartUp(lab.chip, { tx, rx, baudRate: 9_600 })));
      const bytes = Uint8Array.from({ length: 40 }, (_, index) => index * 6);
      const early = await run(sendThrough(lab, bytes));
      await rig.clock.advance(60);
      const late = await run(receiveWaiting(lab));
      expect([...early, late].flatMap((part) => [...part])).toEqual([...bytes]);
    }));
});

describe('the pulse counter of the ESP32', () => {
  it.each([
    ['rising', 3],
    ['falling', 3],
    ['both', 6],
  ] as const)('counts %s edges at a pin until it is stopped, and from 0 after a reset', (edges, counted) =>
    onBench('esp32', async ({ lab, board, run, rig }) => {
      const [pin] = free.esp32;
      const count = () => run(lab.run(edgeCount(lab.chip)));
      const pulse = async () => {
        board.hold(pin, 'high');
        await rig.clock.advance(1);
        board.hold(pin, 'low');
        await rig.clock.advance(1);
      };
      board.hold(pin, 'low');
      await run(lab.run(countEdges(lab.chip, { pin, edges, isShared: false })));
      for (let pulses = 1; pulses <= 3; pulses++) {
        await pulse();
      }
      expect(await count()).toBe(counted);
      await run(lab.run(resetEdgeCount(lab.chip)));
      expect(await count()).toBe(0);
      await run(lab.run(stopCounting(lab.chip)));
      await pulse();
      expect(await count()).toBe(0);
      board.hold(pin, null);
    }),
  );

  it('wraps after 32,767 edges without losing any', () =>
    onBench('esp32', async ({ lab, run, rig }) => {
      const [pin] = free.esp32;
      await run(lab.run(pwmOn(lab.chip, { pin, frequency: 200_000, duty: 0.5 })));
      await run(lab.run(countEdges(lab.chip, { pin, edges: 'rising', isShared: true })));
      const from = rig.clock.now();
      let [before, counted] = [0, 0];
      while (counted < 2 * countRound(lab.chip)) {
        const now = await run(lab.run(edgeCount(lab.chip)));
        expect(now).toBeLessThan(countRound(lab.chip));
        counted += edgesBetween(lab.chip, before, now);
        before = now;
        await rig.clock.advance(50);
      }
      expect(Math.abs(counted - (rig.clock.now() - 50 - from) * 200)).toBeLessThan(1_000);
    }));
});

describe('period at a pin of the ESP32', () => {
  const periodAt = async (frequency: number): Promise<readonly (EdgePeriod | null)[]> => {
    const periods: (EdgePeriod | null)[] = [];
    await onBench('esp32', async ({ lab, run, rig }) => {
      const [pin] = free.esp32;
      await run(lab.run(pwmOn(lab.chip, { pin, frequency, duty: 0.3 })));
      for (const range of periodRanges) {
        await run(lab.run(beginPeriod(lab.chip, pin, range)));
        await rig.clock.advance(range.gate);
        periods.push(await run(lab.run(takePeriod(lab.chip, range))));
      }
    });
    return periods;
  };

  it.each([
    [5_000_000, 0],
    [1_234_567, 0],
    [50_000, 0],
    [1_000, 0],
    [100, 1],
    [7, 2],
  ])('at %s Hz lies within its stated resolution, in the first range that is slow enough', async (hertz, first) => {
    const periods = await periodAt(hertz);
    expect(periods.findIndex((period) => period !== null)).toBe(first);
    const { mean = 0, resolution = 0 } = periods[first] ?? {};
    expect(Math.abs(mean - 1e9 / pwmTiming(labChip('esp32'), hertz).frequency)).toBeLessThanOrEqual(resolution);
  });

  it.each(['taken', 'given up'] as const)('contains nothing of an earlier one that was %s', (end) =>
    onBench('esp32', async ({ lab, board, run, rig }) => {
      const [pin, quiet] = free.esp32;
      const [range] = periodRanges;
      const begin = (gpio: number) => run(lab.run(beginPeriod(lab.chip, gpio, range)));
      const take = () => run(lab.run(takePeriod(lab.chip, range)));
      await run(lab.run(pwmOn(lab.chip, { pin, frequency: 50_000, duty: 0.3 })));
      await begin(pin);
      await rig.clock.advance(range.gate);
      if (end === 'taken') {
        expect(await take()).not.toBeNull();
      }
      board.hold(quiet, 'high');
      await run(lab.run(countEdges(lab.chip, { pin: quiet, edges: 'both', isShared: false })));
      await begin(quiet);
      await rig.clock.advance(range.gate);
      expect(await take()).toBeNull();
      board.hold(quiet, null);
    }),
  );

  it('is unknown for a constant level', async () => {
    await onBench('esp32', async ({ lab, board, run, rig }) => {
      const [pin] = free.esp32;
      board.hold(pin, 'high');
      const [range] = periodRanges;
      await run(lab.run(countEdges(lab.chip, { pin, edges: 'both', isShared: false })));
      await run(lab.run(beginPeriod(lab.chip, pin, range)));
      await rig.clock.advance(range.gate);
      expect(await run(lab.run(takePeriod(lab.chip, range)))).toBeNull();
      board.hold(pin, null);
    });
  });
});
