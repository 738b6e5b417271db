/**
 * Simulated readings of the board's sensors: slow waves with a little noise. They depend only on the seed and the
 * time since start.
 */
import type { Random } from '../random.ts';

export const adcChannels = 8;

/** Returns the raw value of a 12-bit converter, 0 to 4095, `time` milliseconds after start. */
export function adcReading(channel: number, time: number, random: Random): number {
  const period = 4_000 + channel * 1_300;
  const wave = Math.sin((time / period) * 2 * Math.PI + channel);
  return Math.round(2_048 + wave * (400 + channel * 180) + (random.next() - 0.5) * 24);
}

/** Converts a raw value to millivolts at 11 dB attenuation, where full scale is about 3.1 V. */
export function millivolts(raw: number): number {
  return Math.round((raw * 3_100) / 4_095);
}

/** Returns one line of readings as `name:value` pairs, the form that a plotter parses. */
export function climateReading(time: number, random: Random): string {
  const wave = (period: number) => Math.sin((time / period) * 2 * Math.PI);
  const temperature = 22.5 + wave(180_000) * 1.5 + (random.next() - 0.5) * 0.1;
  const humidity = 43 + wave(240_000) * 4 + (random.next() - 0.5) * 0.4;
  const pressure = 1_013.2 + wave(600_000) * 0.8 + (random.next() - 0.5) * 0.1;
  return `temperature:${temperature.toFixed(2)} humidity:${humidity.toFixed(1)} pressure:${pressure.toFixed(1)}`;
}

/** Names of the devices on the board's I²C bus, by address. */
export const i2cDevices: ReadonlyMap<number, string> = new Map([
  [0x3c, 'SSD1306 display'],
  [0x68, 'DS3231 clock'],
  [0x76, 'BME280 climate sensor'],
]);
