/**
 * MPU-6050, accelerometer and gyroscope. InvenSense RM-MPU-6000A-00, "Register Map and Descriptions". It lies still
 * on the table.
 */
import { RegisterTarget } from './register-target.ts';

const reg = {
  config: 0x1a,
  gyroConfig: 0x1b,
  accelConfig: 0x1c,
  status: 0x3a,
  data: 0x3b,
  power: 0x6b,
  whoAmI: 0x75,
} as const;
const dataEnd = 0x48;
const sleep = 0x40;
const deviceReset = 0x80;
/** Counts for 1 g and for 1 °/s at the smallest ranges (sections 4.17 and 4.19). */
const [countsPerG, countsPerDegree] = [16_384, 131];
/** Temperature in °C = counts / 340 + 36.53 (section 4.18). */
const [countsPerKelvin, zeroCounts] = [340, 36.53];

export class Mpu6050 extends RegisterTarget {
  readonly address: number;
  /** Along x, y and z, in g. `rotation` is in °/s around the same axes, `temperature` in °C. */
  acceleration: readonly [number, number, number] = [0.02, -0.01, 1];
  rotation: readonly [number, number, number] = [0, 0, 0];
  temperature = 27;
  readonly #registers = new Uint8Array(128);

  /** @param address 0x68, or 0x69 with AD0 high. */
  constructor(address = 0x68) {
    super();
    this.address = address;
    this.powerUp();
  }

  powerUp(): void {
    this.#registers.fill(0);
    this.#registers[reg.power] = sleep;
    this.#registers[reg.whoAmI] = 0x68;
    this.pointer = 0;
  }

  protected writeByte(byte: number): void {
    const register = this.pointer++ & 0x7f;
    if (register === reg.power && (byte & deviceReset) !== 0) {
      const next = this.pointer;
      this.powerUp();
      this.pointer = next;
    } else if (register !== reg.whoAmI && register !== reg.status && (register < reg.data || register > dataEnd)) {
      this.#registers[register] = byte;
    }
  }

  protected readByte(): number {
    const register = this.pointer & 0x7f;
    if (register === reg.data || (register > reg.data && register <= dataEnd && (register - reg.data) % 2 === 0)) {
      this.#measure();
    }
    this.pointer++;
    const awake = ((this.#registers[reg.power] ?? 0) & sleep) === 0;
    return register === reg.status ? (awake ? 1 : 0) : (this.#registers[register] ?? 0);
  }

  /**
   * Writes 14 bytes, big-endian: acceleration, temperature, rotation. During sleep the registers keep their content.
   */
  #measure(): void {
    if (((this.#registers[reg.power] ?? 0) & sleep) !== 0) {
      return;
    }
    const range = (register: number) => 1 << (((this.#registers[register] ?? 0) >> 3) & 3);
    const values = [
      ...this.acceleration.map((g) => (g * countsPerG) / range(reg.accelConfig)),
      (this.temperature - zeroCounts) * countsPerKelvin,
      ...this.rotation.map((degrees) => (degrees * countsPerDegree) / range(reg.gyroConfig)),
    ];
    const view = new DataView(this.#registers.buffer);
    for (const [index, value] of values.entries()) {
      view.setInt16(reg.data + index * 2, Math.max(-32_768, Math.min(32_767, Math.round(value))));
    }
  }
}
