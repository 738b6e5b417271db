/** PL2303 (registers as in the Linux driver pl2303, and as recorded). */
import type { UsbControlSetup } from '../../usb-device.ts';
import { bitsOf, type ChipError, fromLineCoding, UartChip } from './uart-chip.ts';

export type Pl2303Name = 'H' | 'HX' | 'HXD' | 'TA' | 'TB' | 'G';

/** Rates that all types but G take as they are. */
const plain = [
  75, 150, 300, 600, 1_200, 1_800, 2_400, 3_600, 4_800, 7_200, 9_600, 14_400, 19_200, 28_800, 38_400, 57_600, 115_200,
  230_400, 460_800, 614_400, 921_600, 1_228_800, 2_457_600, 3_000_000, 6_000_000,
];
const maxRates = { H: 1_228_800, HX: 6_000_000, HXD: 12_000_000, TA: 6_000_000, TB: 12_000_000, G: 12_000_000 };
const errorBits = { break: 4, framing: 0x10, parity: 0x20, overrun: 0x40 } satisfies Record<ChipError, number>;

export class FakePl2303 extends UartChip {
  readonly #type: Pl2303Name;
  readonly #registers = new Map<number, number>();

  constructor(endpoints: readonly { readonly in: number; readonly out: number }[], type: Pl2303Name) {
    super(endpoints);
    this.#type = type;
  }

  out(setup: UsbControlSetup, data: Uint8Array): 'stall' | undefined {
    const { requestType, recipient, request, value, index } = setup;
    if (this.refused.has(request)) {
      return 'stall';
    }
    if (requestType === 'class' && recipient === 'interface') {
      return this.#line(request, value, data);
    }
    if (requestType !== 'vendor' || recipient !== 'device' || request !== (this.#type === 'G' ? 0x80 : 1)) {
      return 'stall';
    }
    this.#write(value, index);
    return undefined;
  }

  in({ requestType, request, value }: UsbControlSetup): Uint8Array<ArrayBuffer> | 'stall' {
    if (requestType === 'class') {
      return request === 0x21 ? Uint8Array.of(0x80, 0x25, 0, 0, 0, 0, 8) : 'stall';
    }
    if (request !== (this.#type === 'G' ? 0x81 : 1)) {
      return 'stall';
    }
    switch (value) {
      case 0x8080:
        return this.#type === 'H' ? 'stall' : Uint8Array.of(0);
      case 0x87:
        return Uint8Array.of(~bitsOf(this.inputs(), { cts: 8, dsr: 4, dcd: 2, ri: 1 }) & 0x0f);
      case 0x80:
        return Uint8Array.of(
          this.#type === 'G'
            ? ~bitsOf(this.inputs(), { cts: 8, dsr: 0x20, dcd: 0x40, ri: 0x80 }) & 0xff
            : (this.#registers.get(0) ?? 1),
        );
      default:
        return Uint8Array.of(value === 0x8484 ? 2 : value === 0x0a ? 0xff : 0);
    }
  }

  report(_uart: number, error: ChipError) {
    return { notification: this.#notification(errorBits[error]) };
  }

  override notification(): Uint8Array {
    return this.#notification(0);
  }

  #notification(errors: number): Uint8Array {
    const state = bitsOf(this.inputs(), { cts: 0x80, dsr: 2, ri: 8, dcd: 1 }) | errors;
    return Uint8Array.of(0xa1, 0x20, 0, 0, 0, 0, 2, 0, state, 0);
  }

  #line(request: number, value: number, data: Uint8Array): 'stall' | undefined {
    switch (request) {
      case 0x20:
        this.change(0, { ...fromLineCoding(data), rate: this.#rate(data), isEnabled: true });
        return undefined;
      case 0x22:
        this.change(0, { dtr: (value & 1) !== 0, rts: (value & 2) !== 0 });
        return undefined;
      case 0x23:
        this.change(0, { break: value !== 0 });
        return undefined;
      default:
        return 'stall';
    }
  }

  #write(register: number, value: number): void {
    this.#registers.set(register, value);
    if (this.#type === 'G') {
      if (register === 7) {
        this.discarded.push(
          ...((value & 1) !== 0 ? (['unsent'] as const) : []),
          ...((value & 2) !== 0 ? (['received'] as const) : []),
        );
      } else if (register === 0x0a) {
        // Active low: bit 2 is RTS and CTS (bit 0 with it, as the Android library sets it), bit 4 XON and XOFF.
        this.change(0, {
          flow: (value & 4) === 0 || (value & 1) === 0 ? 'hardware' : (value & 0x10) === 0 ? 'software' : 'none',
        });
      }
    } else if (register === 8 || register === 9) {
      this.discarded.push(register === 8 ? 'unsent' : 'received');
    } else if (register === 0) {
      const mode = value & 0xf0;
      this.change(0, { flow: mode === 0x60 || mode === 0x40 ? 'hardware' : mode === 0xc0 ? 'software' : 'none' });
    }
  }

  /** Bit 31 marks a divisor. The types but G make 9,600 of a plain rate that they do not know. */
  #rate(data: Uint8Array): number {
    const word = new DataView(data.buffer, data.byteOffset).getUint32(0, true);
    const most = maxRates[this.#type];
    if (this.#type === 'G') {
      return Math.min(word, most);
    }
    if (word < 2 ** 31) {
      return plain.includes(word) && word <= most ? word : 9_600;
    }
    const isT = this.#type === 'TA' || this.#type === 'TB';
    const divisor = isT
      ? (word & 0x7ff) * 2 ** ((((word >> 13) & 7) << 1) | ((word >> 16) & 1))
      : (word & 0x1ff) * 4 ** ((word >> 9) & 7);
    return Math.min(most, 384_000_000 / divisor);
  }
}
