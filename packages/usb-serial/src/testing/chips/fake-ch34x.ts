/** CH340 and CH341 (registers as in the Linux driver ch341, and as recorded). */
import type { UsbControlSetup } from '../../usb-device.ts';
import { bitsOf, type Inputs, UartChip, type UartState } from './uart-chip.ts';

export class FakeCh34x extends UartChip {
  readonly #version: number;
  readonly #hasBreak: boolean;
  readonly #registers = new Map<number, number>([
    [0x05, 0x01],
    [0x18, 0xc3],
  ]);
  /** Bytes that wait for a full packet, on a chip that was not set to send them at once. */
  #stuck: number[] = [];

  constructor(
    endpoints: readonly { readonly in: number; readonly out: number }[],
    { version = 0x31, hasBreak = true }: { readonly version?: number; readonly hasBreak?: boolean } = {},
  ) {
    super(endpoints);
    this.#version = version;
    this.#hasBreak = hasBreak;
  }

  out({ requestType, recipient, request, value, index }: UsbControlSetup): 'stall' | undefined {
    if (requestType !== 'vendor' || recipient !== 'device' || this.refused.has(request)) {
      return 'stall';
    }
    switch (request) {
      case 0xa1:
        this.change(0, { isEnabled: true });
        return undefined;
      case 0xa4:
        // Active low: bit 5 is DTR, bit 6 RTS.
        this.change(0, { dtr: (value & 0x20) === 0, rts: (value & 0x40) === 0 });
        return undefined;
      case 0x9a:
        this.#write(value & 0xff, index & 0xff);
        this.#write(value >> 8, index >> 8);
        return undefined;
      default:
        return 'stall';
    }
  }

  in({ request, value }: UsbControlSetup): Uint8Array<ArrayBuffer> | 'stall' {
    switch (request) {
      case 0x5f:
        return Uint8Array.of(this.#version, 0);
      case 0x95:
        if (value === 0x0706) {
          return Uint8Array.of(inputBits(this.inputs()), 0xee);
        }
        return value === 5 && !this.#hasBreak
          ? 'stall'
          : Uint8Array.of(this.#registers.get(value & 0xff) ?? 0, this.#registers.get(value >> 8) ?? 0);
      default:
        return 'stall';
    }
  }

  override packets(uart: number, bytes: Uint8Array, packetSize: number): Uint8Array[] {
    const isAtOnce = ((this.#registers.get(0x12) ?? 0) & 0x80) !== 0 || this.#version < 0x27;
    const all = [...this.#stuck, ...bytes];
    const count = isAtOnce ? all.length : all.length - (all.length % packetSize);
    this.#stuck = all.slice(count);
    return super.packets(uart, Uint8Array.from(all.slice(0, count)), packetSize);
  }

  /** The chip reports no errors (Linux reads none). */
  report() {
    return {};
  }

  override notification(): Uint8Array {
    return Uint8Array.of(0x08, 0x3f, inputBits(this.inputs()), 0xee);
  }

  #write(register: number, value: number): void {
    this.#registers.set(register, value);
    const line = this.#registers.get(0x18) ?? 0xc3;
    const divided = this.#registers.get(0x12) ?? 0;
    // Linux goes no lower than 2, which is 3 MHz.
    const divisor = Math.max(2, 256 - (this.#registers.get(0x13) ?? 0));
    const prescaler = divided & 3;
    const fact = (divided >> 2) & 1;
    this.change(0, {
      rate: 48_000_000 / (2 ** (12 - 3 * prescaler - fact) * divisor),
      dataBits: 5 + (line & 3),
      stopBits: (line & 4) === 0 ? 1 : 2,
      parity: parityOf(line),
      // A break pulls the line low by bit 0 of register 5 and bit 6 of register 0x18, which enables the transmitter.
      break: ((this.#registers.get(0x05) ?? 1) & 1) === 0,
      flow: this.#registers.get(0x27) === 1 ? 'hardware' : 'none',
    });
  }
}

function parityOf(line: number): UartState['parity'] {
  if ((line & 0x08) === 0) {
    return 'none';
  }
  const isStick = (line & 0x20) !== 0;
  return (line & 0x10) === 0 ? (isStick ? 'mark' : 'odd') : isStick ? 'space' : 'even';
}

/** Active low. */
const inputBits = (inputs: Inputs): number => ~bitsOf(inputs, { cts: 1, dsr: 2, ri: 4, dcd: 8 }) & 0xff;
