/** FTDI FT232 to FT4232 and FT-X (libftdi 1.5, `ftdi.h`; FTDI AN232B-05 for divisors). */
import type { UsbControlSetup } from '../../usb-device.ts';
import { bitsOf, type ChipError, parityNames, UartChip } from './uart-chip.ts';

/** Eighths by the code in bits 14 to 16 of a divisor. */
const eighths = [0, 4, 2, 1, 3, 5, 6, 7];
const errorBits = { overrun: 2, parity: 4, framing: 8, break: 0x10 } satisfies Record<ChipError, number>;

export interface FtdiFacts {
  /** True: FT2232H, FT4232H and FT232H, with a second clock and the upper bits of a divisor in the high byte. */
  readonly isHigh?: boolean;
  /** True: each request names its UART, from 1. */
  readonly isNumbered?: boolean;
}

export class FakeFtdi extends UartChip {
  readonly #facts: FtdiFacts;

  constructor(endpoints: readonly { readonly in: number; readonly out: number }[], facts: FtdiFacts = {}) {
    super(endpoints);
    this.#facts = facts;
  }

  out({ requestType, recipient, request, value, index }: UsbControlSetup): 'stall' | undefined {
    const uart = this.#uart(index);
    if (requestType !== 'vendor' || recipient !== 'device' || this.refused.has(request)) {
      return 'stall';
    }
    switch (request) {
      case 0:
        if (value === 0) {
          this.change(uart, { isEnabled: true });
        } else {
          this.discarded.push(value === 1 ? 'unsent' : 'received');
        }
        return undefined;
      case 1:
        this.change(uart, {
          ...((value & 0x100) !== 0 && { dtr: (value & 1) !== 0 }),
          ...((value & 0x200) !== 0 && { rts: (value & 2) !== 0 }),
        });
        return undefined;
      case 2:
        this.change(uart, { flow: (index & 0x100) !== 0 ? 'hardware' : (index & 0x400) !== 0 ? 'software' : 'none' });
        return undefined;
      case 3:
        this.change(uart, { rate: this.#rate(value, index) });
        return undefined;
      case 4:
        this.change(uart, {
          dataBits: value & 0xff,
          parity: parityNames[(value >> 8) & 7] ?? 'none',
          stopBits: ((value >> 11) & 3) === 2 ? 2 : 1,
          break: (value & 0x4000) !== 0,
        });
        return undefined;
      case 9:
        this.change(uart, { latency: value });
        return undefined;
      default:
        return 'stall';
    }
  }

  in({ request, index }: UsbControlSetup): Uint8Array<ArrayBuffer> | 'stall' {
    switch (request) {
      case 5:
        return Uint8Array.of(this.#modem(this.#uart(index)), 0x60);
      case 10:
        return Uint8Array.of(this.state(this.#uart(index)).latency ?? 16);
      default:
        return 'stall';
    }
  }

  /** Each packet begins with two bytes of status. */
  override packets(uart: number, bytes: Uint8Array, packetSize: number): Uint8Array[] {
    const packets = super.packets(uart, bytes, packetSize - 2);
    return (packets.length === 0 ? [new Uint8Array()] : packets).map((data) =>
      Uint8Array.of(this.#modem(uart), 0x60, ...data),
    );
  }

  report(uart: number, error: ChipError) {
    // An overrun has no byte of its own. Without any byte, the host takes the status for an idle one.
    return { bulk: Uint8Array.of(this.#modem(uart), 0x60 | errorBits[error], 0) };
  }

  #modem(uart: number): number {
    return 1 | bitsOf(this.inputs(uart), { cts: 0x10, dsr: 0x20, ri: 0x40, dcd: 0x80 });
  }

  #uart(index: number): number {
    return this.#facts.isNumbered ? Math.max(1, index & 0xff) - 1 : 0;
  }

  #rate(value: number, index: number): number {
    const { isNumbered = false, isHigh = false } = this.#facts;
    const high = isNumbered ? index >> 8 : index;
    const whole = value & 0x3fff;
    const code = (value >> 14) | ((high & 1) << 2);
    const base = isHigh && (high & 2) !== 0 ? 12_000_000 : 3_000_000;
    if (code === 0 && whole < 2) {
      return whole === 0 ? base : base / 1.5;
    }
    // Between 1 and 2 the fraction is not used (AN232B-05): the divisor is 1.5.
    return whole === 1 ? base / 1.5 : (base * 8) / (whole * 8 + (eighths[code] ?? 0));
  }
}
