/** A board or chip of the USB class CDC (PSTN Subclass 1.2, sections 6.3 and 6.5.4). */
import type { UsbControlSetup } from '../../usb-device.ts';
import { bitsOf, type ChipError, fromLineCoding, UartChip } from './uart-chip.ts';

const errorBits = { break: 4, framing: 0x10, parity: 0x20, overrun: 0x40 } satisfies Record<ChipError, number>;

export class FakeCdc extends UartChip {
  readonly #interfaces: readonly number[];

  /** @param interfaces Number of the interface that takes the requests of each UART. */
  constructor(endpoints: readonly { readonly in: number; readonly out: number }[], interfaces: readonly number[]) {
    super(endpoints);
    this.#interfaces = interfaces;
  }

  out({ requestType, recipient, request, value, index }: UsbControlSetup, data: Uint8Array): 'stall' | undefined {
    const uart = this.#interfaces.indexOf(index);
    if (requestType !== 'class' || recipient !== 'interface' || uart < 0 || this.refused.has(request)) {
      return 'stall';
    }
    switch (request) {
      case 0x20:
        this.change(uart, { ...fromLineCoding(data), isEnabled: true });
        return undefined;
      case 0x22:
        this.change(uart, { dtr: (value & 1) !== 0, rts: (value & 2) !== 0 });
        return undefined;
      case 0x23:
        this.change(uart, { break: value !== 0 });
        return undefined;
      default:
        return 'stall';
    }
  }

  in(): 'stall' {
    return 'stall';
  }

  report(uart: number, error: ChipError) {
    return { notification: this.#notification(uart, errorBits[error]) };
  }

  override notification(uart: number): Uint8Array {
    return this.#notification(uart, 0);
  }

  #notification(uart: number, errors: number): Uint8Array {
    const state = bitsOf(this.inputs(uart), { cts: 0, dsr: 2, ri: 8, dcd: 1 }) | errors;
    return Uint8Array.of(0xa1, 0x20, 0, 0, this.#interfaces[uart] ?? 0, 0, 2, 0, state, 0);
  }
}
