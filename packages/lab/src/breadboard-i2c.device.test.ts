/**
 * I2C on the simulated chips with their breadboard: finding, scanning, registers, memories, displays, and a blocked
 * bus.
 */
import { describe, expect, it } from 'vitest';
import { i2cTransfer, i2cUp } from './instruments/i2c.ts';
import { findBuses, i2cRecover } from './instruments/i2c-lines.ts';
import { scan } from './instruments/i2c-scan.ts';
import { type Bench, busClock, busUp, onBench } from './testing/bench.ts';
import { i2cReadRegister, i2cWriteRegister } from './testing/instruments.ts';

const chips = ['esp32', 'esp32c3'] as const;
/** Addresses of SSD1306, TMP105, 24C32, MPU-6050 and BME280. */
const parts = [0x3c, 0x48, 0x50, 0x68, 0x76];

const read = async ({ lab, run }: Bench, address: number, register: number, length: number) => {
  const result = await run(lab.run(i2cReadRegister(lab.chip, { address, register, clock: busClock }, length)));
  return result.answer === 'present' ? [...result.read] : result.answer;
};

const write = async ({ lab, run }: Bench, address: number, bytes: readonly number[]) =>
  (await run(lab.run(i2cTransfer(lab.chip, { address, write: Uint8Array.from(bytes), read: 0, clock: busClock }))))
    .answer;

describe.each(chips)('the bus of %s', (chip) => {
  it('is found among all pins, with everything on it, and the pins are released', () =>
    onBench(chip, async ({ lab, board, run }) => {
      const { sda, scl } = board.pins;
      const { buses, pulledUp } = await run(findBuses(lab));
      expect(pulledUp).toEqual(expect.arrayContaining([sda, scl]));
      expect(buses).toEqual([{ sda, scl, addresses: parts }]);
    }));

  it.each([10_000, 100_000, 400_000])('has exactly the parts of the board at %i Hz', (clock) =>
    onBench(chip, async ({ lab, board, run }) => {
      const { sda, scl } = board.pins;
      await run(lab.run(i2cUp(lab.chip, { sda, scl, clock })));
      expect(await run(scan(lab, { clock }))).toEqual({ found: parts, stuckAt: null });
      // All 128 addresses, the reserved ones included.
      expect(await run(scan(lab, { clock, first: 0, last: 127 }))).toEqual({ found: parts, stuckAt: null });
    }),
  );

  it('identifies BME280, MPU-6050 and TMP105 by their registers', () =>
    onBench(chip, async (bench) => {
      await busUp(bench);
      expect(await read(bench, 0x76, 0xd0, 1)).toEqual([0x60]);
      expect(await read(bench, 0x68, 0x75, 1)).toEqual([0x68]);
      bench.board.tmp105.temperature = 31.5;
      expect(await read(bench, 0x48, 0, 2)).toEqual([0x1f, 0x80]);
      expect(await read(bench, 0x48, 3, 2)).toEqual([80, 0]);
      expect(await read(bench, 0x49, 0, 2)).toBe('absent');
    }));

  it('takes the longest transfers each way', () =>
    onBench(chip, async (bench) => {
      await busUp(bench);
      const { lab, run, rig } = bench;
      const bytes = Array.from({ length: 28 }, (_, index) => index ^ 0xa5);
      expect(await write(bench, 0x50, [0x01, 0x00, ...bytes])).toBe('present');
      await rig.clock.advance(6);
      const at = { address: 0x50, register: 0x100, registerSize: 2, clock: busClock } as const;
      const back = await run(lab.run(i2cReadRegister(lab.chip, at, 31)));
      expect([...back.read]).toEqual([...bytes, 0xff, 0xff, 0xff]);
    }));

  it('keeps what was written to the 24C32, which is away while it writes', () =>
    onBench(chip, async (bench) => {
      await busUp(bench);
      const { lab, run, board, rig } = bench;
      const at = { address: 0x50, register: 0x0123, registerSize: 2, clock: busClock } as const;
      const bytes = Uint8Array.of(1, 2, 3, 250);
      const [written, meanwhile] = await run(
        Promise.all([lab.run(i2cWriteRegister(lab.chip, at, bytes)), lab.run(i2cReadRegister(lab.chip, at, 4))]),
      );
      expect(written.answer).toBe('present');
      expect(meanwhile.answer).toBe('absent');
      await rig.clock.advance(5);
      expect([...(await run(lab.run(i2cReadRegister(lab.chip, at, 4)))).read]).toEqual([...bytes]);
      expect(board.eeprom.content.subarray(0x123, 0x127)).toEqual(bytes);
    }));

  it('shows what is written on the SSD1306', () =>
    onBench(chip, async (bench) => {
      await busUp(bench);
      const { board } = bench;
      // Left to right and top to bottom, charge pump, on, horizontal addressing, columns 0 to 127, pages 0 to 7.
      const setUp = [0x00, 0xa1, 0xc8, 0x8d, 0x14, 0xaf, 0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7];
      expect(await write(bench, 0x3c, setUp)).toBe('present');
      const letter = [0x7e, 0x11, 0x11, 0x11, 0x7e];
      expect(await write(bench, 0x3c, [0x40, ...letter])).toBe('present');
      expect(board.ssd1306.lit).toBe(true);
      const lit = [...board.ssd1306.pixels.entries()].flatMap(([at, pixel]) => (pixel === 0 ? [] : [at]));
      const wanted = letter.flatMap((bits, x) =>
        [0, 1, 2, 3, 4, 5, 6, 7].flatMap((y) => ((bits >> y) & 1 ? [y * 128 + x] : [])),
      );
      expect(lit).toEqual(wanted.toSorted((one, other) => one - other));
    }));

  it('is found stuck, and free after a recovery', () =>
    onBench(chip, async (bench) => {
      await busUp(bench);
      const { lab, board, run } = bench;
      const { sda, scl } = board.pins;
      board.stickBus();
      expect(await run(scan(lab, { clock: busClock }))).toEqual({ found: [], stuckAt: 0x08 });
      expect(await run(lab.run(i2cRecover(lab.chip, { sda, scl })))).toEqual({ sda: true, scl: true });
      await busUp(bench);
      expect(await run(scan(lab, { clock: busClock }))).toEqual({ found: parts, stuckAt: null });
    }));

  it('stays stuck when a wire leads to ground, and says so', () =>
    onBench(chip, async (bench) => {
      const { lab, board, run } = bench;
      const { sda, scl } = board.pins;
      board.shortToGround(sda);
      expect(await run(lab.run(i2cRecover(lab.chip, { sda, scl })))).toEqual({ sda: false, scl: true });
      await busUp(bench);
      expect((await run(scan(lab, { clock: busClock }))).stuckAt).toBe(0x08);
      board.open(sda);
      await busUp(bench);
      expect((await run(scan(lab, { clock: busClock }))).found).toEqual(parts);
    }));

  it('is stuck while its clock is held low', () =>
    onBench(chip, async (bench) => {
      const { lab, board, run } = bench;
      await busUp(bench);
      board.shortToGround(board.pins.scl);
      expect((await run(scan(lab, { clock: busClock }))).stuckAt).toBe(0x08);
      board.open(board.pins.scl);
      await busUp(bench);
      expect((await run(scan(lab, { clock: busClock }))).found).toEqual(parts);
    }));
});
