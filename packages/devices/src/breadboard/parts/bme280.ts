/**
 * BME280: temperature, pressure and humidity. Bosch BST-BME280-DS001: sections 3.3 "Sensor modes", 4.2.2 "Trimming
 * parameter readout", 4.2.3 "Compensation formulas", 5.3 "Memory map" and 9.1 "Measurement time". The trimming
 * parameters of temperature and pressure are those of the worked example in BST-BMP280-DS001, section 3.12. Raw
 * values are found by inverting the formulas.
 */
import { RegisterTarget } from './register-target.ts';

const reg = {
  calibration: 0x88,
  id: 0xd0,
  reset: 0xe0,
  moreCalibration: 0xe1,
  humidity: 0xf2,
  status: 0xf3,
  measure: 0xf4,
  config: 0xf5,
  data: 0xf7,
} as const;
const chipId = 0x60;
const resetWord = 0xb6;
const [t1, t2, t3] = [27_504, 26_435, -1_000];
const pressureTrim = [36_477, -10_685, 3_024, 2_855, 140, -7, 15_500, -14_600, 6_000] as const;
const [h1, h2, h3, h4, h5, h6] = [75, 370, 0, 313, 50, 30];
/** Results of skipped measurements, with 20 and 16 bits (section 5.4.7 "Register 0xF7…": 0x80000, 0x8000). */
const [skipped20, skipped16] = [0x80000, 0x8000];
/** Milliseconds between measurements in normal mode, by `t_sb` (table 27). */
const standby = [0.5, 62.5, 125, 250, 500, 1_000, 10, 20];

/** Returns the fine temperature of the compensation formulas. */
function fineTemperature(raw: number): number {
  const one = (raw / 16_384 - t1 / 1_024) * t2;
  const two = (raw / 131_072 - t1 / 8_192) ** 2 * t3;
  return one + two;
}

/** Returns °C. */
export function compensatedTemperature(raw: number): number {
  return fineTemperature(raw) / 5_120;
}

/** Returns Pa. */
export function compensatedPressure(raw: number, rawTemperature: number): number {
  const [p1, p2, p3, p4, p5, p6, p7, p8, p9] = pressureTrim;
  const half = fineTemperature(rawTemperature) / 2 - 64_000;
  const offset = ((half * half * p6) / 32_768 + half * p5 * 2) / 4 + p4 * 65_536;
  const scale = (1 + ((p3 * half * half) / 524_288 + p2 * half) / 524_288 / 32_768) * p1;
  const pressure = ((1_048_576 - raw - offset / 4_096) * 6_250) / scale;
  return pressure + ((p9 * pressure * pressure) / 2_147_483_648 + (pressure * p8) / 32_768 + p7) / 16;
}

/** Returns percent, not limited to 0 to 100. */
export function compensatedHumidity(raw: number, rawTemperature: number): number {
  const fine = fineTemperature(rawTemperature) - 76_800;
  const value =
    (raw - (h4 * 64 + (h5 / 16_384) * fine)) *
    ((h2 / 65_536) * (1 + (h6 / 67_108_864) * fine * (1 + (h3 / 67_108_864) * fine)));
  return value * (1 - (h1 * value) / 524_288);
}

/**
 * Returns the raw value for which `formula` gives `wanted`.
 * @param bits Width of the raw value.
 * @param formula Must be monotonic.
 */
function rawFor(wanted: number, bits: number, formula: (raw: number) => number): number {
  let [low, high] = [0, 2 ** bits - 1];
  const rises = formula(high) > formula(low);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (formula(middle) < wanted === rises) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** Surroundings of the sensor: °C, Pa, percent. */
export interface Climate {
  readonly temperature: number;
  readonly pressure: number;
  readonly humidity: number;
}

/** Returns the climate of a room with a "day" of twenty minutes. `time` is in milliseconds. */
function roomClimate(time: number): Climate {
  const turn = (minutes: number) => Math.sin((time / 60_000 / minutes) * 2 * Math.PI);
  return { temperature: 23.4 + 1.2 * turn(20), pressure: 100_650 + 90 * turn(33), humidity: 45 - 4 * turn(20) };
}

export class Bme280 extends RegisterTarget {
  readonly address: number;
  /** The measured climate, by the breadboard's time in milliseconds. */
  climate: (time: number) => Climate = roomClimate;
  readonly #registers = new Uint8Array(256);
  /** The value of `ctrl_hum` in effect. It takes effect with the next write of `ctrl_meas`. */
  #humidityControl = 0;
  /** Start of the last measurement, or of normal mode. */
  #began = Number.NEGATIVE_INFINITY;
  /**
   * True if the next written byte is a register number. Writes come in pairs of register and value (section 6.2.1
   * "I2C write").
   */
  #expectsRegister = false;
  /** True once the current read has returned a byte. */
  #burst = false;
  /** Index of the measurement in the data registers, in normal mode; -1 before the first. */
  #cycle = -1;

  /** @param address 0x76, or 0x77 with SDO high. */
  constructor(address = 0x76) {
    super();
    this.address = address;
    this.powerUp();
  }

  powerUp(): void {
    const registers = this.#registers;
    const view = new DataView(registers.buffer);
    registers.fill(0);
    this.#humidityControl = 0;
    this.#began = Number.NEGATIVE_INFINITY;
    view.setUint16(reg.calibration, t1, true);
    view.setInt16(reg.calibration + 2, t2, true);
    view.setInt16(reg.calibration + 4, t3, true);
    for (const [index, value] of pressureTrim.entries()) {
      view.setUint16(reg.calibration + 6 + index * 2, value & 0xffff, true);
    }
    registers[reg.calibration + 25] = h1;
    view.setInt16(reg.moreCalibration, h2, true);
    registers[reg.moreCalibration + 2] = h3;
    // `h4` and `h5` have twelve bits each and share a byte.
    registers[reg.moreCalibration + 3] = h4 >> 4;
    registers[reg.moreCalibration + 4] = (h4 & 15) | ((h5 & 15) << 4);
    registers[reg.moreCalibration + 5] = h5 >> 4;
    registers[reg.moreCalibration + 6] = h6;
    registers[reg.id] = chipId;
    this.#store(skipped20, skipped20, skipped16);
  }

  protected override beginAt(): void {
    this.#expectsRegister = false;
  }

  protected writeByte(byte: number, time: number): void {
    if (this.#expectsRegister) {
      this.pointer = byte;
    } else {
      this.#set(this.pointer, byte, time);
    }
    this.#expectsRegister = !this.#expectsRegister;
  }

  override select(reading: boolean): boolean {
    this.#burst = false;
    return super.select(reading);
  }

  /**
   * Returns the next byte. All bytes of one read belong to the same measurement (section 4.1 "Data register
   * shadowing").
   */
  protected readByte(time: number): number {
    const register = this.pointer;
    if (!this.#burst) {
      this.#refresh(time);
      this.#burst = true;
    }
    this.pointer = (this.pointer + 1) & 0xff;
    return this.#registers[register] ?? 0;
  }

  get #mode(): 'sleep' | 'forced' | 'normal' {
    const mode = (this.#registers[reg.measure] ?? 0) & 3;
    return mode === 0 ? 'sleep' : mode === 3 ? 'normal' : 'forced';
  }

  /** Samples for each of the three quantities; 0: skipped. */
  get #oversampling() {
    const times = (bits: number) => (bits === 0 ? 0 : 1 << (Math.min(bits, 5) - 1));
    const control = this.#registers[reg.measure] ?? 0;
    return {
      temperature: times(control >> 5),
      pressure: times((control >> 2) & 7),
      humidity: times(this.#humidityControl & 7),
    };
  }

  /** Typical time of a measurement in milliseconds (section 9.1). */
  get #measurementTime(): number {
    const { temperature, pressure, humidity } = this.#oversampling;
    return 1 + 2 * temperature + (pressure > 0 ? 2 * pressure + 0.5 : 0) + (humidity > 0 ? 2 * humidity + 0.5 : 0);
  }

  #set(register: number, byte: number, time: number): void {
    if (register === reg.reset && byte === resetWord) {
      this.powerUp();
    } else if (register === reg.measure) {
      this.#refresh(time);
      this.#registers[register] = byte;
      this.#humidityControl = this.#registers[reg.humidity] ?? 0;
      this.#began = time;
      this.#cycle = -1;
    } else if (register === reg.humidity) {
      this.#registers[register] = byte & 7;
    } else if (register === reg.config && this.#mode !== 'normal') {
      this.#registers[register] = byte;
    }
  }

  /** Updates the data and status registers to `time`. */
  #refresh(time: number): void {
    const took = this.#measurementTime;
    const since = time - this.#began;
    let measuring = false;
    if (this.#mode === 'forced') {
      measuring = since < took;
      if (!measuring) {
        this.#measure(this.#began + took);
        this.#registers[reg.measure] = (this.#registers[reg.measure] ?? 0) & ~3;
      }
    } else if (this.#mode === 'normal') {
      const period = took + (standby[(this.#registers[reg.config] ?? 0) >> 5] ?? 0);
      const cycle = Math.floor((since - took) / period);
      measuring = since % period < took;
      if (cycle > this.#cycle && cycle >= 0) {
        this.#cycle = cycle;
        this.#measure(this.#began + cycle * period + took);
      }
    }
    this.#registers[reg.status] = measuring ? 8 : 0;
  }

  #measure(time: number): void {
    const { temperature, pressure, humidity } = this.#climateAt(time);
    const rawTemperature = rawFor(temperature, 20, compensatedTemperature);
    const times = this.#oversampling;
    // 16 bits, and one more for each doubling of the samples (section 3.4). The filter is not simulated.
    const cut = (raw: number, count: number) => raw & ~((1 << (4 - Math.min(4, Math.log2(count)))) - 1);
    this.#store(
      times.pressure === 0
        ? skipped20
        : cut(
            rawFor(pressure, 20, (raw) => compensatedPressure(raw, rawTemperature)),
            times.pressure,
          ),
      times.temperature === 0 ? skipped20 : cut(rawTemperature, times.temperature),
      times.humidity === 0 ? skipped16 : rawFor(humidity, 16, (raw) => compensatedHumidity(raw, rawTemperature)),
    );
  }

  #climateAt(time: number): Climate {
    const { temperature, pressure, humidity } = this.climate(time);
    return {
      temperature: Math.max(-40, Math.min(85, temperature)),
      pressure: Math.max(30_000, Math.min(110_000, pressure)),
      humidity: Math.max(0, Math.min(100, humidity)),
    };
  }

  #store(pressure: number, temperature: number, humidity: number): void {
    const bytes = [
      pressure >> 12,
      (pressure >> 4) & 0xff,
      (pressure & 15) << 4,
      temperature >> 12,
      (temperature >> 4) & 0xff,
      (temperature & 15) << 4,
      humidity >> 8,
      humidity & 0xff,
    ];
    this.#registers.set(bytes, reg.data);
  }
}
