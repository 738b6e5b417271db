/** Tests of the breadboard's parts against their data sheets. Each part's file names the sections. */
import { describe, expect, it } from 'vitest';
import type { I2cTarget } from '../buses.ts';
import { Net } from '../net.ts';
import { SignalSource } from '../wave.ts';
import { Bme280, compensatedHumidity, compensatedPressure, compensatedTemperature } from './bme280.ts';
import { Eeprom24c32 } from './eeprom-24c32.ts';
import { Gnss } from './gnss.ts';
import { Mpu6050 } from './mpu6050.ts';
import { Ssd1306 } from './ssd1306.ts';
import { Tmp105 } from './tmp105.ts';

function write(target: I2cTarget, time: number, ...bytes: number[]): boolean[] {
  const answers = [target.select(false, time), ...bytes.map((byte) => target.write(byte, time))];
  target.stop?.(time);
  return answers;
}

function read(target: I2cTarget, time: number, register: number, count: number): number[] {
  target.select(false, time);
  target.write(register, time);
  target.select(true, time);
  const bytes = Array.from({ length: count }, () => target.read(time));
  target.stop?.(time);
  return bytes;
}

describe('BME280', () => {
  it('compensates the worked example of the BMP280 data sheet, section 3.12', () => {
    expect(compensatedTemperature(519_888)).toBeCloseTo(25.08, 2);
    expect(compensatedPressure(415_148, 519_888)).toBeCloseTo(100_653.27, 0);
  });

  it('gives after a measurement what its formulas turn into the climate around it', () => {
    const sensor = new Bme280();
    sensor.climate = () => ({ temperature: 21.5, pressure: 99_800, humidity: 52 });
    expect(read(sensor, 0, 0xd0, 1)).toEqual([0x60]);
    write(sensor, 0, 0xf2, 1);
    write(sensor, 0, 0xf4, 0x25);
    expect(read(sensor, 1, 0xf3, 1)).toEqual([8]);
    expect(read(sensor, 1, 0xf7, 8)).toEqual([0x80, 0, 0, 0x80, 0, 0, 0x80, 0]);
    expect(read(sensor, 20, 0xf3, 2)).toEqual([0, 0x24]);
    const [p0 = 0, p1 = 0, p2 = 0, t0 = 0, t1 = 0, t2 = 0, h0 = 0, h1 = 0] = read(sensor, 20, 0xf7, 8);
    const temperature = (t0 << 12) | (t1 << 4) | (t2 >> 4);
    expect(compensatedTemperature(temperature)).toBeCloseTo(21.5, 1);
    expect(compensatedPressure((p0 << 12) | (p1 << 4) | (p2 >> 4), temperature) / 100).toBeCloseTo(998, 0);
    expect(compensatedHumidity((h0 << 8) | h1, temperature)).toBeCloseTo(52, 1);
  });

  it('drifts slowly in normal mode, sleeps after power-on, and forgets at a reset', () => {
    const sensor = new Bme280();
    expect(read(sensor, 5_000, 0xfa, 2)).toEqual([0x80, 0]);
    write(sensor, 5_000, 0xf4, 0x27);
    const early = read(sensor, 6_000, 0xfa, 3);
    expect(read(sensor, 200_000, 0xfa, 3)).not.toEqual(early);
    write(sensor, 200_000, 0xe0, 0xb6);
    expect(read(sensor, 200_100, 0xf4, 1)).toEqual([0]);
  });

  it('has its trimming parameters where the memory map says', () => {
    const low = read(new Bme280(), 0, 0x88, 26);
    expect([(low[0] ?? 0) | ((low[1] ?? 0) << 8), low[25]]).toEqual([27_504, 75]);
    const [h2 = 0, h2High = 0, , h4 = 0, shared = 0, h5 = 0, h6] = read(new Bme280(), 0, 0xe1, 7);
    expect([h2 | (h2High << 8), (h4 << 4) | (shared & 15), (h5 << 4) | (shared >> 4), h6]).toEqual([370, 313, 50, 30]);
  });
});

describe('24C32', () => {
  it('wraps writes in a page of 32 bytes, does not acknowledge for 5 ms, and reads on and on', () => {
    const memory = new Eeprom24c32();
    expect(write(memory, 0, 0x01, 0x1e, 1, 2, 3, 4)).toEqual([true, true, true, true, true, true, true]);
    expect(memory.select(false, 4.9)).toBe(false);
    expect(memory.select(false, 5)).toBe(true);
    expect([...memory.content.slice(0x11e, 0x120), ...memory.content.slice(0x100, 0x102)]).toEqual([1, 2, 3, 4]);
    memory.write(0x0f);
    memory.write(0xff);
    memory.select(true, 6);
    expect([memory.read(), memory.read()]).toEqual([0xff, memory.content[0]]);
  });
});

describe('MPU-6050', () => {
  it('sleeps after power-on, and awake gives 1 g in the range that is set', () => {
    const sensor = new Mpu6050();
    expect(read(sensor, 0, 0x75, 1)).toEqual([0x68]);
    expect(read(sensor, 0, 0x6b, 1)).toEqual([0x40]);
    expect(read(sensor, 0, 0x3f, 2)).toEqual([0, 0]);
    write(sensor, 0, 0x6b, 0);
    expect(read(sensor, 0, 0x3f, 2)).toEqual([0x40, 0]);
    write(sensor, 0, 0x1c, 0x08);
    expect(read(sensor, 0, 0x3f, 2)).toEqual([0x20, 0]);
    const [high = 0, low = 0] = read(sensor, 0, 0x41, 2);
    expect((((high << 24) >> 16) | low) / 340 + 36.53).toBeCloseTo(27, 1);
  });
});

describe('SSD1306', () => {
  const on = [0x8d, 0x14, 0xa1, 0xc8, 0xaf];

  it('shows nothing before its charge pump and panel are on', () => {
    const display = new Ssd1306();
    write(display, 0, 0x40, 0xff);
    expect(display.pixels.includes(1)).toBe(false);
    write(display, 0, 0x00, ...on);
    expect(display.pixels.includes(1)).toBe(true);
  });

  it('fills column by column and page by page in horizontal mode, with bit 0 on top', () => {
    const display = new Ssd1306();
    write(display, 0, 0x00, ...on, 0x20, 0, 0x21, 126, 127, 0x22, 1, 2);
    write(display, 0, 0x40, 0x01, 0x80, 0xff);
    const { pixels } = display;
    const lit = [...pixels.keys()].filter((at) => pixels[at] === 1).map((at) => [at % 128, Math.floor(at / 128)]);
    expect(lit).toEqual([[126, 8], [127, 15], ...Array.from({ length: 8 }, (_, row) => [126, 16 + row])]);
  });

  it('begins at column 0 again in page mode, and inverts', () => {
    const display = new Ssd1306();
    write(display, 0, 0x00, ...on, 0xb3, 0x0f, 0x17, 0xa7);
    write(display, 0, 0x40, 0x01, 0x01);
    const dark = [...display.pixels.keys()].filter((at) => display.pixels[at] === 0);
    expect(dark).toEqual([24 * 128, 24 * 128 + 127]);
  });

  it('takes commands byte by byte with their control byte', () => {
    const display = new Ssd1306();
    write(display, 0, 0x80, 0x81, 0x80, 0x42);
    expect(display.contrast).toBe(0x42);
  });
});

describe('TMP105', () => {
  it.each([
    [25, 0, [0x19, 0]],
    [-10.0625, 0x60, [0xf5, 0xf0]],
    [127.9375, 0x60, [0x7f, 0xf0]],
    [0.5, 0, [0x00, 0x80]],
    [-0.5, 0, [0xff, 0x80]],
  ])('gives %f °C with configuration %i as in table 4', (temperature, config, bytes) => {
    const sensor = new Tmp105();
    sensor.powerUp();
    sensor.temperature = temperature;
    write(sensor, 0, 1, config);
    expect(read(sensor, 0, 0, 2)).toEqual(bytes);
    expect(read(sensor, 0, 2, 2)).toEqual([0x4b, 0]);
  });
});

describe('the GNSS receiver', () => {
  it('changes only at its bits and says the same however often it is asked', () => {
    const receiver = new Gnss();
    const edges: number[] = [];
    for (let at = receiver.next(2_000); at < 3_000; at = receiver.next(at)) {
      edges.push(at);
    }
    expect(edges.length).toBeGreaterThan(1_000);
    expect(edges.every((at, index) => at > (edges[index - 1] ?? 0))).toBe(true);
    expect(receiver.level(1_999.9)).toBe(1);
    expect(receiver.level(2_000)).toBe(0);
  });
});

describe('GNSS receiver', () => {
  it('loses no edge to a listener that settles within rounding of a bit', () => {
    const gnss = new Gnss();
    const wanted: number[] = [];
    let level = gnss.level(0);
    for (let time = gnss.next(0); time < 1_500; time = gnss.next(time)) {
      if (gnss.level(time) !== level) {
        wanted.push(time);
        level = gnss.level(time);
      }
    }
    const net = new Net('GPIO16');
    net.add(new SignalSource(new Gnss()), 0);
    const heard: number[] = [];
    net.listen(0, (time) => heard.push(time));
    for (const time of wanted) {
      net.settle(time - 1e-9);
    }
    net.settle(1_500);
    expect(wanted.length).toBeGreaterThan(500);
    expect(heard).toEqual(wanted);
  });
});
