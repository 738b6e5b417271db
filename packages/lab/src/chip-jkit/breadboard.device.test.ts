/**
 * The shipped descriptions of chips on the breadboard: readings over the bus equal the values of the simulated parts.
 */
import { allChips } from '@wirebench/contract/chip-library';
import { checkChip } from '@wirebench/contract/chips';
import { describe, expect, it } from 'vitest';
import { i2cTransfer } from '../instruments/i2c.ts';
import { type Bench, busClock, busUp, onBench } from '../testing/bench.ts';
import { describedChip } from './chip-jkit.ts';
import { pictureTransfers } from './ssd1306-picture.ts';
import type { ChipJob, ChipTransfer } from './transfers.ts';

const chips = ['esp32', 'esp32c3'] as const;

function chipNamed(name: string, address: number) {
  const found = allChips.find(({ content }) => content.name === name);
  const { content } = checkChip(JSON.stringify(found?.content));
  if (content === null) {
    throw new Error(`No description of ${name}.`);
  }
  return describedChip(content, address);
}

async function transfers({ lab, run, rig }: Bench, list: readonly ChipTransfer[]): Promise<Uint8Array[]> {
  const answers: Uint8Array[] = [];
  for (const { address, write, read, delay } of list) {
    await rig.clock.advance(delay / 1_000);
    const done = await run(lab.run(i2cTransfer(lab.chip, { address: address ?? -1, write, read, clock: busClock })));
    expect(done.answer).toBe('present');
    answers.push(done.read);
  }
  return answers;
}

const jobOn = async <Result>(bench: Bench, job: ChipJob<Result>) => job.value(await transfers(bench, job.transfers));

/** Identifies the chip, sets it up, waits, and reads one cycle. */
async function readingsOf(bench: Bench, name: string, address: number, certainty: string, wait = 500) {
  await busUp(bench);
  const chip = chipNamed(name, address);
  expect(await jobOn(bench, chip.identify)).toBe(certainty);
  await transfers(bench, chip.initialise);
  const calibration = await jobOn(bench, chip.calibrate);
  await bench.rig.clock.advance(wait);
  const results = await jobOn(bench, chip.cycle(calibration));
  return Object.fromEntries(
    results.map((result) => {
      expect(result).not.toHaveProperty('failure');
      return [result.reading.name, 'value' in result ? result.value : Number.NaN];
    }),
  );
}

describe.each(chips)('over the bus of %s', (chip) => {
  it.each([
    { temperature: 23.4, pressure: 100_650, humidity: 45 },
    { temperature: -12.5, pressure: 85_000, humidity: 88 },
    { temperature: 41, pressure: 103_000, humidity: 12 },
  ])('the BME280 reads $temperature °C, $pressure Pa, $humidity %', (climate) =>
    onBench(chip, async (bench) => {
      bench.board.bme280.climate = () => climate;
      const {
        Temperature = 0,
        Pressure = 0,
        Humidity = 0,
      } = await readingsOf(bench, 'BME280', 0x76, 'identified', 2_000);
      expect(Math.abs(Temperature - climate.temperature)).toBeLessThanOrEqual(0.02);
      expect(Math.abs(Pressure * 100 - climate.pressure)).toBeLessThanOrEqual(10);
      expect(Math.abs(Humidity - climate.humidity)).toBeLessThanOrEqual(0.1);
    }),
  );

  it('a BMP280 is not taken for the BME280', () =>
    onBench(chip, async (bench) => {
      await busUp(bench);
      expect(await jobOn(bench, chipNamed('BMP280', 0x76).identify)).toBe('unlikely');
    }));

  it('the MPU-6050 reads acceleration, rotation and temperature', () =>
    onBench(chip, async (bench) => {
      bench.board.mpu6050.acceleration = [0.25, -0.5, 0.97];
      bench.board.mpu6050.rotation = [10, -20, 0];
      bench.board.mpu6050.temperature = 31;
      const readings = await readingsOf(bench, 'MPU-6050', 0x68, 'identified');
      expect(readings['Acceleration x']).toBeCloseTo(0.25, 3);
      expect(readings['Acceleration y']).toBeCloseTo(-0.5, 3);
      expect(readings['Acceleration z']).toBeCloseTo(0.97, 3);
      expect(readings['Rotation x']).toBeCloseTo(10, 1);
      expect(readings['Rotation y']).toBeCloseTo(-20, 1);
      expect(readings['Temperature']).toBeCloseTo(31, 1);
    }));

  it.each([25, -10.25, 127.9375])('the TMP105 reads %d °C', (temperature) =>
    onBench(chip, async (bench) => {
      bench.board.tmp105.temperature = temperature;
      const readings = await readingsOf(bench, 'TMP105', 0x48, 'possible');
      expect(readings['Temperature']).toBe(temperature);
      expect(readings['Upper limit']).toBe(80);
    }),
  );

  it('the 24C32 shows its first bytes', () =>
    onBench(chip, async (bench) => {
      expect((await readingsOf(bench, 'AT24C32', 0x50, 'possible'))['First 16 bytes are blank']).toBe(1);
      bench.board.eeprom.content.set([0x57, 0x42]);
      const readings = await readingsOf(bench, 'AT24C32', 0x50, 'possible');
      expect([readings['Byte 0'], readings['Byte 1'], readings['First 16 bytes are blank']]).toEqual([0x57, 0x42, 0]);
    }));

  it('the SSD1306 is on after its set-up', () =>
    onBench(chip, async (bench) => {
      expect((await readingsOf(bench, 'SSD1306', 0x3c, 'possible'))['Display on']).toBe(1);
      expect(bench.board.ssd1306.lit).toBe(true);
    }));

  it('a picture stands on the SSD1306 point by point, whatever was there before', () =>
    onBench(chip, async (bench) => {
      await busUp(bench);
      await transfers(bench, chipNamed('SSD1306', 0x3c).initialise);
      const points = Uint8Array.from({ length: 128 * 64 }, (_, index) => ((index * 7) % 11 < 4 ? 1 : 0));
      await transfers(bench, pictureTransfers(0x3c, new Uint8Array(128 * 64).fill(1)));
      await transfers(bench, pictureTransfers(0x3c, points));
      expect(bench.board.ssd1306.pixels).toEqual(points);
    }));
});
