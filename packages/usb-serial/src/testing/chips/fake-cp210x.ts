/** CP210x (Silicon Labs AN571 and AN205). */
import type { UsbControlSetup } from '../../usb-device.ts';
import { bitsOf, type ChipError, parityNames, UartChip, type UartState } from './uart-chip.ts';

/** Rates of CP2101 to CP2103, each with the last request that leads to it (AN205, table 1). */
const ranges: readonly (readonly [rate: number, last: number])[] = [
  [300, 300], [600, 600], [1_200, 1_200], [1_800, 1_800], [2_400, 2_400], [4_000, 4_000], [4_800, 4_803],
  [7_200, 7_207], [9_600, 9_612], [14_400, 14_428], [16_000, 16_062], [19_200, 19_250], [28_800, 28_912],
  [38_400, 38_601], [51_200, 51_558], [56_000, 56_280], [57_600, 58_053], [64_000, 64_111], [76_800, 77_608],
  [115_200, 117_028], [128_000, 129_347], [153_600, 156_868], [230_400, 237_832], [250_000, 254_234],
  [256_000, 273_066], [460_800, 491_520], [500_000, 567_138], [576_000, 670_254], [921_600, Infinity],
]; // biome-ignore format: a table

const errorBits = { overrun: 2, parity: 4, framing: 8, break: 0x10 } satisfies Record<ChipError, number>;

export class FakeCp210x extends UartChip {
  readonly #part: number;
  /** Escape of embedded events of each UART; 0 while they are off. */
  readonly #escapes: number[];

  readonly #firmware: readonly number[];

  /**
   * @param part First byte of the part number: 2 for CP2102, 5 for CP2105, 0x20 for CP2102N.
   * @param firmware Version of a CP2102N: major, minor, build.
   */
  constructor(
    endpoints: readonly { readonly in: number; readonly out: number }[],
    part: number,
    firmware: readonly number[] = [1, 0, 8],
  ) {
    super(endpoints);
    this.#firmware = firmware;
    this.#part = part;
    this.#escapes = endpoints.map(() => 0);
  }

  out({ requestType, recipient, request, value, index }: UsbControlSetup, data: Uint8Array): 'stall' | undefined {
    if (requestType !== 'vendor' || recipient !== 'interface' || this.refused.has(request)) {
      return 'stall';
    }
    switch (request) {
      case 0x00:
        this.change(index, { isEnabled: value === 1 });
        return undefined;
      case 0x03:
        this.change(index, {
          dataBits: value >> 8,
          parity: parityNames[(value >> 4) & 0xf] ?? 'none',
          stopBits: (value & 0xf) === 2 ? 2 : 1,
        });
        return undefined;
      case 0x05:
        this.change(index, { break: value === 1 });
        return undefined;
      case 0x07:
        this.change(index, {
          ...((value & 0x100) !== 0 && { dtr: (value & 1) !== 0 }),
          ...((value & 0x200) !== 0 && { rts: (value & 2) !== 0 }),
        });
        return undefined;
      case 0x12:
        this.discarded.push(
          ...((value & 5) !== 0 ? (['unsent'] as const) : []),
          ...((value & 10) !== 0 ? (['received'] as const) : []),
        );
        return undefined;
      case 0x13:
        // Errata of CP2102N, E104.
        if (this.#part >= 0x20 && (this.#firmware[2] ?? 0) <= 4) {
          return 'stall';
        }
        this.change(index, flowOf(data));
        return undefined;
      case 0x15:
        // CP2101 to CP2103 pass bytes on as they are (recorded: rx).
        this.#escapes[index] = this.#part < 4 ? 0 : value;
        return undefined;
      case 0x19:
        return undefined;
      case 0x1e:
        this.change(index, { rate: this.#rate(new DataView(data.buffer).getUint32(0, true), index) });
        return undefined;
      default:
        return 'stall';
    }
  }

  in({ recipient, request, value, index }: UsbControlSetup): Uint8Array<ArrayBuffer> | 'stall' {
    if (recipient === 'device') {
      // CP2102N has its firmware version under 0x0010.
      return request === 0xff && value === 0x370b
        ? Uint8Array.of(this.#part)
        : request === 0xff && value === 0x0010 && this.#part >= 0x20
          ? Uint8Array.from(this.#firmware)
          : 'stall';
    }
    switch (request) {
      case 0x08:
        return Uint8Array.of(3 | bitsOf(this.inputs(index), { cts: 0x10, dsr: 0x20, ri: 0x40, dcd: 0x80 }));
      case 0x14:
        return new Uint8Array(16);
      default:
        return 'stall';
    }
  }

  override packets(uart: number, bytes: Uint8Array, packetSize: number): Uint8Array[] {
    const mark = this.#escapes[uart] ?? 0;
    const sent =
      mark === 0 ? bytes : Uint8Array.from([...bytes].flatMap((byte) => (byte === mark ? [byte, 0] : [byte])));
    return super.packets(uart, sent, packetSize);
  }

  report(uart: number, error: ChipError) {
    const mark = this.#escapes[uart] ?? 0;
    // An overrun comes with the byte that arrived when there was room again; without one, it is of no use here.
    return mark === 0 ? {} : { bulk: Uint8Array.of(mark, 1, 0x60 | errorBits[error], 0) };
  }

  #rate(asked: number, uart: number): number {
    if (this.#part === 5 && uart === 1) {
      return Math.min(921_600, Math.max(2_400, ranges.find(([, last]) => asked <= last)?.[0] ?? 0));
    }
    if (this.#part < 4) {
      return ranges.find(([, last]) => asked <= last)?.[0] ?? 0;
    }
    const clock = asked <= 365 ? 6_000_000 : 24_000_000;
    return Math.min(this.#part >= 0x20 ? 3_000_000 : 2_000_000, clock / Math.max(1, Math.round(clock / asked)));
  }
}

/** Words of SET_FLOW: bits 0 and 1 of the first hold DTR, bit 3 heeds CTS; bits 6 and 7 of the second are RTS. */
function flowOf(data: Uint8Array): Pick<UartState, 'dtr' | 'rts' | 'flow'> {
  const [first = 0, , , , second = 0] = data;
  const rts = (second >> 6) & 3;
  return {
    dtr: (first & 3) === 1,
    rts: rts !== 0,
    flow: rts === 2 && (first & 8) !== 0 ? 'hardware' : (second & 3) !== 0 ? 'software' : 'none',
  };
}
