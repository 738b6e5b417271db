/**
 * The chips of fake adapters: registers that requests write, read back as the state of a UART. They follow the makers'
 * documents and the recorded sessions (testing/recorded), and share no code with the drivers.
 */
import type { UsbControlSetup } from '../../usb-device.ts';
import type { FakeChip } from '../fake-usb-device.ts';

/** Settings of one UART, as its registers have them. */
export interface UartState {
  /** Symbols a second that the chip makes of its registers. */
  readonly rate: number;
  readonly dataBits: number;
  readonly parity: 'none' | 'odd' | 'even' | 'mark' | 'space';
  readonly stopBits: number;
  readonly dtr: boolean;
  readonly rts: boolean;
  readonly break: boolean;
  readonly flow: 'none' | 'hardware' | 'software';
  /** False: the UART is off, or no request has set it up. */
  readonly isEnabled: boolean;
  /** Milliseconds until a packet that is not full is sent; undefined for chips without such a timer. */
  readonly latency?: number;
}

export interface Inputs {
  readonly cts: boolean;
  readonly dsr: boolean;
  readonly ri: boolean;
  readonly dcd: boolean;
}

export type ChipError = 'break' | 'framing' | 'parity' | 'overrun';

const reset: UartState = {
  rate: 9_600,
  dataBits: 8,
  parity: 'none',
  stopBits: 1,
  dtr: false,
  rts: false,
  break: false,
  flow: 'none',
  isEnabled: false,
};

export abstract class UartChip implements FakeChip {
  /** Called after a request that changed a UART. */
  onChange: (uart: number, state: UartState) => void = () => undefined;
  /** Takes the bytes of a UART. Default: all at once. */
  onBytes: (uart: number, bytes: Uint8Array, signal: AbortSignal) => Promise<number | 'stall'> | number | 'stall' = (
    _uart,
    { length },
  ) => length;
  /** Called when a transfer begins to wait for the bytes of a UART. */
  onPolled: (uart: number) => void = () => undefined;
  /** Buffers that requests have emptied, in order. */
  readonly discarded: ('unsent' | 'received')[] = [];
  /** Requests that the chip refuses with a stall, by their number. */
  readonly refused = new Set<number>();
  readonly #states: UartState[];
  readonly #inputs: Inputs[];
  /** Endpoints of each UART. */
  protected readonly endpoints: readonly { readonly in: number; readonly out: number }[];

  constructor(endpoints: readonly { readonly in: number; readonly out: number }[]) {
    this.endpoints = endpoints;
    this.#states = endpoints.map(() => reset);
    this.#inputs = endpoints.map(() => ({ cts: false, dsr: false, ri: false, dcd: false }));
  }

  abstract out(setup: UsbControlSetup, data: Uint8Array): 'stall' | undefined;
  abstract in(setup: UsbControlSetup, length: number): Uint8Array<ArrayBuffer> | 'stall';

  /** Returns received bytes as packets of the bulk endpoint. */
  packets(_uart: number, bytes: Uint8Array, packetSize: number): Uint8Array[] {
    const packets: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += packetSize) {
      packets.push(bytes.subarray(at, at + packetSize));
    }
    return packets;
  }

  /** Returns how the chip reports a line error: bytes of the bulk endpoint, or a packet of the interrupt endpoint. */
  abstract report(uart: number, error: ChipError): { readonly bulk?: Uint8Array; readonly notification?: Uint8Array };

  /** Returns the notification of changed inputs; null for a chip that sends none. */
  notification(_uart: number): Uint8Array | null {
    return null;
  }

  take(endpointNumber: number, bytes: Uint8Array, signal: AbortSignal) {
    return this.onBytes(
      this.endpoints.findIndex((one) => one.out === endpointNumber),
      bytes,
      signal,
    );
  }

  polled(endpointNumber: number): void {
    const uart = this.endpoints.findIndex((one) => one.in === endpointNumber);
    if (uart >= 0) {
      this.onPolled(uart);
    }
  }

  state(uart = 0): UartState {
    return this.#states[uart] ?? reset;
  }

  inputs(uart = 0): Inputs {
    return this.#inputs[uart] ?? { cts: false, dsr: false, ri: false, dcd: false };
  }

  setInputs(uart: number, inputs: Partial<Inputs>): void {
    this.#inputs[uart] = { ...this.inputs(uart), ...inputs };
  }

  protected change(uart: number, change: Partial<UartState>): void {
    if (this.#states[uart] === undefined) {
      throw new RangeError(`There is no UART ${uart}.`);
    }
    const state = { ...this.state(uart), ...change };
    this.#states[uart] = state;
    this.onChange(uart, state);
  }
}

/** Parities by their number in CDC, CP210x, FTDI and PL2303. */
export const parityNames = ['none', 'odd', 'even', 'mark', 'space'] as const;

/** Returns the bits of the inputs that are on. */
export const bitsOf = ({ cts, dsr, ri, dcd }: Inputs, bits: Readonly<Record<keyof Inputs, number>>): number =>
  (cts ? bits.cts : 0) | (dsr ? bits.dsr : 0) | (ri ? bits.ri : 0) | (dcd ? bits.dcd : 0);

/** Returns the settings of a line coding of CDC; `rate` may be in a form of the chip's own. */
export function fromLineCoding(data: Uint8Array): Pick<UartState, 'rate' | 'stopBits' | 'parity' | 'dataBits'> {
  const [stop = 0, parity = 0, dataBits = 0] = data.subarray(4);
  return {
    rate: new DataView(data.buffer, data.byteOffset).getUint32(0, true),
    stopBits: stop === 2 ? 2 : 1,
    parity: parityNames[parity] ?? 'none',
    dataBits,
  };
}
