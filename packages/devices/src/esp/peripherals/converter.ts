/**
 * One-shot conversions of SAR ADC1. ESP32 Technical Reference Manual, section 29.3 "SAR ADC" (registers of SENS);
 * ESP32-C3, section 34.2. Full scale by attenuation: ESP-IDF's `esp_adc_cal`, slope of ADC1 at a reference of 1,100
 * mV (ESP32); ESP32-C3 Series data sheet, section 4.6 "ADC Characteristics". The converter is ideal: without noise or
 * error.
 */
import type { RegisterBlock } from '../memory.ts';
import { gateBit } from './clock-gates.ts';
import type { ChipContext } from './context.ts';

/** Full scale in volts, for 0, 2.5, 6 and 11 or 12 dB. */
const esp32Ranges = [0.96, 1.28, 1.77, 3.3] as const;
const esp32c3Ranges = [0.75, 1.05, 1.3, 2.5] as const;
const highest = 4_095;
/** Length of a conversion in milliseconds: an assumption, not measured. */
const conversionTime = 0.01;
/** Pins of channels 0 to 7. */
const esp32Channels = [36, 37, 38, 39, 32, 33, 34, 35] as const;

/** Converts volts to a result of 12 bits. */
function converted(volts: number, range: number): number {
  return Math.max(0, Math.min(highest, Math.round((volts / range) * highest)));
}

const sens = { readControl: 0x00, wait: 0x0c, startForce: 0x2c, attenuation: 0x34, measure: 0x54 } as const;
const sensBits = {
  inverts: 1 << 28,
  digital: 1 << 27,
  powered: 3 << 18,
  start: 1 << 17,
  done: 1 << 16,
  force: 1 << 18,
} as const;

/** SENS of the ESP32, at 0x3ff48800. */
export class SensConverter implements RegisterBlock {
  readonly #context: ChipContext;
  /** Registers after a reset. READ_CTRL selects 12 bits. */
  readonly #words = new Map<number, number>([
    [sens.readControl, 3 << 16],
    [sens.startForce, 3],
  ]);
  #result: { readonly at: number; readonly value: number } | null = null;

  constructor(context: ChipContext) {
    this.#context = context;
  }

  /** Reads a register. The pads and the start bit do not read back, as on the recorded chip. */
  read(offset: number): number {
    if (offset !== sens.measure) {
      return this.#words.get(offset) ?? 0;
    }
    const result = this.#result;
    return result !== null && result.at <= this.#context.memory.now ? sensBits.done | result.value : 0;
  }

  write(offset: number, value: number): void {
    const before = this.#words.get(offset) ?? 0;
    this.#words.set(offset, value);
    if (offset === sens.measure && (value & ~before & sensBits.start) !== 0) {
      this.#convert(value);
    }
  }

  #convert(word: number): void {
    const settings = this.#words.get(sens.readControl) ?? 0;
    const forced = (word & sensBits.force) !== 0 && word >= 2 ** 31;
    const powered = ((this.#words.get(sens.wait) ?? 0) & sensBits.powered) === sensBits.powered;
    if (!forced || !powered || (settings & sensBits.digital) !== 0) {
      return;
    }
    const channel = esp32Channels.findIndex((_, index) => ((word >>> (19 + index)) & 1) === 1);
    const attenuation = ((this.#words.get(sens.attenuation) ?? 0) >>> (Math.max(0, channel) * 2)) & 3;
    const pin = esp32Channels[channel];
    const { pins, memory } = this.#context;
    const volts = pin !== undefined && pins.isAnalog(pin) ? pins.volts(pin) : 0;
    const value = converted(volts, esp32Ranges[attenuation] ?? 1);
    const inverted = (settings & sensBits.inverts) !== 0 ? value : highest - value;
    const missing = 3 - ((this.#words.get(sens.startForce) ?? 0) & 3);
    this.#result = { at: memory.now + conversionTime, value: inverted >> missing };
  }
}

const apb = { control: 0x00, sample: 0x20, data: 0x2c, raw: 0x44, clear: 0x4c, clock: 0x54 } as const;
const apbBits = {
  powered: 3 << 27,
  adc1: 2 ** 31,
  start: 1 << 29,
  done: 2 ** 31,
  clockOn: 1 << 20,
  clockSelect: 3 << 21,
} as const;

/** APB_SARADC of the ESP32-C3, at 0x60040000. */
export class ApbConverter implements RegisterBlock {
  readonly #context: ChipContext;
  readonly #words = new Map<number, number>();
  #result: { readonly at: number; readonly value: number } | null = null;
  #data = 0;
  #done = false;

  constructor(context: ChipContext) {
    this.#context = context;
  }

  reset(): void {
    this.#words.clear();
    this.#result = null;
    this.#data = 0;
    this.#done = false;
  }

  read(offset: number): number {
    this.#advance();
    return offset === apb.data
      ? this.#data
      : offset === apb.raw
        ? this.#done
          ? apbBits.done
          : 0
        : (this.#words.get(offset) ?? 0);
  }

  write(offset: number, value: number): void {
    this.#advance();
    const before = this.#words.get(offset) ?? 0;
    this.#words.set(offset, value);
    if (offset === apb.clear && value >= apbBits.done) {
      this.#done = false;
    } else if (offset === apb.sample && (value & ~before & apbBits.start) !== 0 && value >= apbBits.adc1) {
      this.#convert(value);
    }
  }

  #advance(): void {
    const result = this.#result;
    if (result !== null && result.at <= this.#context.memory.now) {
      this.#data = result.value;
      this.#done = true;
      this.#result = null;
    }
  }

  #convert(word: number): void {
    const clock = this.#words.get(apb.clock) ?? 0;
    const powered = ((this.#words.get(apb.control) ?? 0) & apbBits.powered) === apbBits.powered;
    if (!powered || (clock & apbBits.clockOn) === 0 || (clock & apbBits.clockSelect) === 0) {
      return;
    }
    const channel = (word >>> 25) & 7;
    const volts = channel <= 4 ? this.#context.pins.volts(channel) : 0;
    const value = converted(volts, esp32c3Ranges[(word >>> 23) & 3] ?? 1);
    this.#result = { at: this.#context.memory.now + conversionTime, value };
  }
}

/** Addresses of the two converters. */
export const converterBase = { sens: 0x3ff48800, apb: 0x60040000, apbGate: gateBit.converter } as const;
