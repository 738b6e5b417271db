/**
 * The committed RAM program, run instruction by instruction on the simulated chips with their breadboard. Its most
 * expensive tests are repeated on the ESP32 in the long run: both chips run the same source.
 */
import { SpiFlash } from '@wirebench/devices';
import { isLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { adcUp } from '../instruments/adc.ts';
import { i2cUp } from '../instruments/i2c.ts';
import { inputPin, outputPin, watchPins } from '../instruments/pins.ts';
import { readRegisters, writeRegister } from '../instruments/registers.ts';
import { spiTransfer, spiUp } from '../instruments/spi.ts';
import { uartUp } from '../instruments/uart-bridge.ts';
import { type Bench, type BenchOptions, busClock, busUp, onBench } from '../testing/bench.ts';
import { decodeI2c } from './decode/i2c.ts';
import { vcdOf } from './decode/vcd.ts';
import { waveOf } from './decode/wave.ts';
import type { BridgeReport } from './operations.ts';
import { type Probe, startProbe } from './start-probe.ts';
import { BridgeOutput } from './streams.ts';

const chips = ['esp32', 'esp32c3'] as const;
const free = { esp32: [25, 32, 33, 18], esp32c3: [1, 3, 10, 7] } as const;
const parts = [0x3c, 0x48, 0x50, 0x68, 0x76];

/** Runs `work` while the program runs and answers the runner's registers. */
function withProbe(
  chip: 'esp32' | 'esp32c3',
  work: (bench: Bench, probe: Probe) => Promise<void>,
  options: BenchOptions = {},
) {
  return onBench(
    chip,
    async (bench) => {
      const probe = await bench.run(startProbe(bench.lab));
      await work(bench, probe);
    },
    { isUnwatched: true, ...options },
  );
}

describe.each(chips)('the program on %s', (chip) => {
  const isDecisive = isLong || chip === 'esp32c3';

  it('says what it can do', () =>
    withProbe(chip, async ({ rig }, probe) => {
      expect(probe.capabilities).toMatchObject({
        version: 1,
        chip: chip === 'esp32' ? 0 : 5,
        crystal: 40_000_000,
        longestI2c: 254,
        longestSpi: 64,
        linkRing: 8_192,
      });
      expect(rig.device.state).toBe('program');
      expect(rig.device.programFault).toBeNull();
    }));

  it('answers the register frames of the runner, many at once', () =>
    withProbe(chip, async ({ lab, run, board, rig }) => {
      const { led } = board.pins;
      await run(lab.run(outputPin(lab.chip, led, { high: true })));
      expect(board.led.brightness).toBe(1);
      expect((await run(lab.run(watchPins(lab.chip)))).words[0]).toBeGreaterThan(0);
      const words = Array.from({ length: 60 }, () =>
        lab.run(readRegisters(lab.chip, [lab.chip.gpio.outputSelect + 4 * led])),
      );
      expect(new Set((await run(Promise.all(words))).flat()).size).toBe(1);
      expect(rig.traffic.filter(({ kind }) => kind === 'resynchronised')).toEqual([]);
    }));

  it('scans the bus, and moves more bytes than the controller has room for', () =>
    withProbe(chip, async (bench, probe) => {
      await busUp(bench);
      const { run, rig, board } = bench;
      expect(await run(probe.i2cScan(1_000))).toEqual(parts);
      const page = Array.from({ length: 32 }, (_, index) => index ^ 0x5a);
      await run(
        probe.i2cTransfer({ address: 0x50, write: Uint8Array.of(2, 0, ...page), read: 0, stretchLimit: 1_000 }),
      );
      await rig.clock.advance(6);
      const whole = { address: 0x50, write: Uint8Array.of(2, 0), read: 254, stretchLimit: 1_000 };
      expect([...(await run(probe.i2cTransfer(whole)))]).toEqual([...page, ...new Array(222).fill(0xff)]);
      const all = Uint8Array.of(0x40, ...new Array(253).fill(0x81));
      await run(
        probe.i2cTransfer({
          address: 0x3c,
          write: Uint8Array.of(0, 0x8d, 0x14, 0x20, 0, 0xaf),
          read: 0,
          stretchLimit: 1_000,
        }),
      );
      await run(probe.i2cTransfer({ address: 0x3c, write: all, read: 0, stretchLimit: 1_000 }));
      expect(board.ssd1306.pixels.reduce<number>((sum, pixel) => sum + pixel, 0)).toBe(253 * 2);
      const nobody = { address: 0x10, write: Uint8Array.of(1), read: 0, stretchLimit: 1_000 };
      await expect(run(probe.i2cTransfer(nobody))).rejects.toMatchObject({ code: 'i2c-no-acknowledge' });
    }));

  it.runIf(isDecisive)('says that a bus hangs, and goes on when it is free', () =>
    withProbe(chip, async (bench, probe) => {
      await busUp(bench);
      const { run, board } = bench;
      board.shortToGround(board.pins.scl);
      await expect(run(probe.i2cScan(2_000))).rejects.toMatchObject({ code: expect.stringMatching(/^i2c-/) });
      board.open(board.pins.scl);
      await busUp(bench);
      expect(await run(probe.i2cScan(1_000))).toEqual(parts);
    }),
  );

  it('reads a flash chip on SPI', () =>
    withProbe(chip, async ({ lab, board, run }, probe) => {
      const [clk, mosi, miso, cs] = free[chip];
      board.addSpi({ clock: clk, out: mosi, in: miso, select: cs }, new SpiFlash([0xef, 0x40, 0x16]));
      await run(lab.run(spiUp(lab.chip, { clk, mosi, miso, cs })));
      await run(lab.run(spiTransfer(lab.chip, { bytes: Uint8Array.of(0), clock: 1_000_000, mode: 0 })));
      const read = await run(probe.spiTransfer(Uint8Array.of(0x9f, 0, 0, 0), 10_000));
      expect([...read].slice(1)).toEqual([0xef, 0x40, 0x16]);
    }));

  it.runIf(isDecisive)('bridges four kilobytes both ways without a loss', () =>
    withProbe(chip, async ({ lab, board, run }, probe) => {
      const [tx, rx] = free[chip];
      board.short(tx, rx);
      await run(lab.run(uartUp(lab.chip, { tx, rx, baudRate: 115_200 })));
      const bytes = Uint8Array.from({ length: 4_096 }, (_, index) => (index * 7 + (index >> 8)) & 0xff);
      const output = new BridgeOutput();
      const reports: BridgeReport[] = [];
      const ending = new AbortController();
      output.write(bytes);
      let count = 0;
      const bridging = probe.bridge({
        output,
        signal: ending.signal,
        onReport: (report) => {
          reports.push({ ...report, bytes: report.bytes.slice() });
          count += report.bytes.length;
          if (count >= bytes.length) {
            ending.abort();
          }
        },
      });
      await run(bridging);
      expect(reports.flatMap(({ errors }) => errors)).toEqual([]);
      expect(Buffer.concat(reports.map((report) => report.bytes)).equals(Buffer.from(bytes))).toBe(true);
      expect(reports.at(-1)?.gone).toBe(bytes.length);
      expect(Math.max(...(await run(lab.run(watchPins(lab.chip)))).words)).toBeGreaterThan(0);
    }),
  );

  it.runIf(isDecisive)('streams the potentiometer, and reports the button', () =>
    withProbe(chip, async ({ lab, board, run, rig }, probe) => {
      const { potentiometer, button } = board.pins;
      await run(lab.run(adcUp(lab.chip, potentiometer)));
      await run(lab.run(inputPin(lab.chip, button, 'up')));
      board.potentiometer.turn(0.5);
      const ending = new AbortController();
      const channel = lab.chip.pins.find(({ gpio }) => gpio === potentiometer)?.adcChannel ?? -1;
      const measured: (number | null)[] = [];
      const levels: boolean[] = [];
      const streaming = probe.stream({
        adc: {
          period: 1_000,
          batch: 10,
          channels: [channel],
          onSamples: ({ samples }) => measured.push(...samples.map(({ raw }) => raw)),
        },
        watch: {
          pins: [button],
          interval: 1_000,
          onLevels: ({ levels: [low] }) => levels.push(((low >>> button) & 1) === 1),
        },
        signal: ending.signal,
      });
      await rig.clock.advance(50);
      board.button.press();
      await rig.clock.advance(50);
      board.button.press(false);
      await rig.clock.advance(50);
      ending.abort();
      await run(streaming);
      expect(levels).toEqual([true, false, true]);
      expect(measured.length).toBeGreaterThanOrEqual(100);
      const wanted = Math.round((1.65 / lab.chip.adc.fullScale) * 4_095);
      expect(measured.every((raw) => raw !== null && Math.abs(raw - wanted) <= 2)).toBe(true);
    }),
  );

  it.runIf(isDecisive)('captures the transfer that it starts, from which its bytes are decoded', () =>
    withProbe(chip, async ({ lab, board, run }, probe) => {
      const { sda, scl } = board.pins;
      await run(lab.run(i2cUp(lab.chip, { sda, scl, clock: busClock })));
      board.tmp105.temperature = 31.5;
      // A finished transfer leaves its commands in the controller, so only the bytes and the start are missing.
      await run(probe.i2cTransfer({ address: 0x48, write: Uint8Array.of(0), read: 0, stretchLimit: 1_000 }));
      await run(lab.run(writeRegister(lab.chip.i2c.fifoWrite, 0x48 << 1)));
      await run(lab.run(writeRegister(lab.chip.i2c.fifoWrite, 0)));
      const { samplePeriod, runs, outcome } = await run(
        probe.capture({
          pins: [scl, sda],
          samples: 600,
          before: 0,
          period: 40,
          trigger: { kind: 'immediate' },
          stimulus: { address: lab.chip.i2c.base + 4, value: lab.chip.i2c.control.start },
        }),
      );
      expect(outcome).toMatchObject({ isCancelled: false, samples: 600 });
      const clock = waveOf(runs, 0, samplePeriod ?? 0);
      const data = waveOf(runs, 1, samplePeriod ?? 0);
      expect(decodeI2c(clock, data)).toMatchObject([
        { kind: 'start' },
        { kind: 'address', address: 0x48, direction: 'write', isAcknowledged: true },
        { kind: 'data', value: 0, isAcknowledged: true },
        { kind: 'stop' },
      ]);
      const vcd = vcdOf(
        [
          { name: 'SCL', wave: clock },
          { name: 'SDA', wave: data },
        ],
        'today',
      );
      expect(vcd).toContain('$var wire 1 ! SCL $end');
      expect(vcd.split('\n').filter((line) => line.startsWith('#')).length).toBeGreaterThan(38);
    }),
  );
});

describe('the program on an esp32c3 that is plugged in by its own USB', () => {
  it('is started and scans', () =>
    withProbe(
      'esp32c3',
      async (bench, probe) => {
        await busUp(bench);
        expect(await bench.run(probe.i2cScan(1_000))).toEqual(parts);
      },
      { connection: 'usb-jtag' },
    ));
});

it('has its own idea of the rate where the ROM takes its crystal for another', () =>
  withProbe(
    'esp32',
    async ({ lab, run }) => {
      for (const rate of [460_800, 115_200, 921_600]) {
        await run(lab.setBaudRate(rate));
        expect(lab.baudRate).toBe(rate);
        expect((await run(lab.run(watchPins(lab.chip)))).words).toHaveLength(2);
      }
    },
    { crystalFuse: 'blank' },
  ));
