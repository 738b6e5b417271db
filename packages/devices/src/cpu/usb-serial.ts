/**
 * The ESP32-C3's USB Serial/JTAG unit as a program sees it ("ESP32-C3 Technical Reference Manual", chapter "USB
 * Serial/JTAG Controller", registers EP1_REG and EP1_CONF_REG). It carries bytes to and from the host, which waits if
 * there is no room. Other registers are not simulated.
 */

/** Most bytes in one packet. */
const packetSize = 64;
const sendNow = 1 << 0;
const hasRoom = 1 << 1;
const hasByte = 1 << 2;

export class UsbSerial {
  readonly #base: number;
  readonly #transmit: (bytes: Uint8Array) => void;
  #received: number[] = [];
  #packet: number[] = [];

  constructor(base: number, transmit: (bytes: Uint8Array) => void) {
    this.#base = base;
    this.#transmit = transmit;
  }

  get isIdle(): boolean {
    return this.#received.length === 0 && this.#packet.length === 0;
  }

  has(address: number): boolean {
    return address === this.#base || address === this.#base + 4;
  }

  receive(bytes: Uint8Array): void {
    this.#received.push(...bytes);
  }

  read(address: number): number {
    if (address === this.#base) {
      return this.#received.shift() ?? 0;
    }
    return hasRoom | (this.#received.length > 0 ? hasByte : 0);
  }

  write(address: number, value: number): void {
    if (address === this.#base) {
      this.#packet.push(value & 0xff);
    }
    if (this.#packet.length === packetSize || (address !== this.#base && (value & sendNow) !== 0)) {
      this.#transmit(Uint8Array.from(this.#packet));
      this.#packet = [];
    }
  }
}
