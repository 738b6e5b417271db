/** TMP105, a thermometer. Texas Instruments SBOS648, section 7.5 "Register Map". */
import { RegisterTarget } from './register-target.ts';

const shutdown = 1;
const oneShot = 0x80;
/** Alert limits after power-on, in °C. */
const [lowLimit, highLimit] = [75, 80];
/** One step of the 12-bit result, in °C. */
const step = 0.0625;

export class Tmp105 extends RegisterTarget {
  readonly address: number;
  /** Temperature around the part, in °C. */
  temperature = 25;
  #config = 0;
  #result = 0;
  readonly #limits = [lowLimit * 256, highLimit * 256];
  #low = false;

  /** @param address 0x48 to 0x4f, set by three pins. */
  constructor(address = 0x48) {
    super();
    this.address = address;
  }

  powerUp(): void {
    this.pointer = 0;
    this.#config = 0;
    this.#limits.splice(0, 2, lowLimit * 256, highLimit * 256);
    this.#convert();
  }

  protected override beginAt(): void {
    this.#low = false;
  }

  override select(reading: boolean): boolean {
    this.#low = false;
    return super.select(reading);
  }

  protected writeByte(byte: number): void {
    const register = this.pointer & 3;
    if (register === 1) {
      this.#config = byte & ~oneShot;
      if ((byte & oneShot) !== 0) {
        this.#convert();
      }
    } else if (register !== 0) {
      const was = this.#limits[register - 2] ?? 0;
      this.#limits[register - 2] = this.#low ? (was & 0xff00) | byte : (was & 0xff) | (byte << 8);
    }
    this.#low = !this.#low;
  }

  protected readByte(): number {
    const register = this.pointer & 3;
    if (register === 1) {
      return this.#config;
    }
    if (register === 0 && !this.#low && (this.#config & shutdown) === 0) {
      this.#convert();
    }
    const word = register === 0 ? this.#result : (this.#limits[register - 2] ?? 0);
    const byte = this.#low ? word & 0xff : word >> 8;
    this.#low = !this.#low;
    return byte;
  }

  /** Stores the temperature with 9 to 12 bits (R1 and R0), left-justified in 16. */
  #convert(): void {
    const steps = Math.max(-2_048, Math.min(2_047, Math.round(this.temperature / step)));
    const missing = 3 - ((this.#config >> 5) & 3);
    this.#result = ((steps >> missing) << (4 + missing)) & 0xffff;
  }
}
