/** A host for the tests of the boards that speaks PICOBOOT by hand, from the RP2040 datasheet, section 2.8.5. */
import type { VirtualClock } from '@wirebench/clock';
import type { SimulatedUsbDevice } from '../../usb/usb-device.ts';

export interface CommandStatus {
  readonly token: number;
  readonly code: number;
  readonly id: number;
  readonly isInProgress: boolean;
}

/** A command or its data ended with a stall. */
class Stalled extends Error {
  override readonly name = 'Stalled';
}

export class Picotool {
  readonly #device: SimulatedUsbDevice;
  readonly #clock: VirtualClock | null;
  #token = 0;

  private constructor(device: SimulatedUsbDevice, clock: VirtualClock | null) {
    this.#device = device;
    this.#clock = clock;
  }

  static async open(device: SimulatedUsbDevice, clock: VirtualClock | null = null): Promise<Picotool> {
    await device.open();
    await device.claimInterface(1);
    return new Picotool(device, clock);
  }

  /** Waits for a command on a board that takes time: advances the clock until it ends. */
  async run<T>(command: Promise<T>): Promise<T> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    command.then(end, end);
    await this.#clock?.settle();
    while (!isOver && this.#clock !== null) {
      await this.#clock.advance(0.02);
    }
    return command;
  }

  exclusive(mode: number): Promise<void> {
    return this.#simple(0x01, [mode]);
  }

  exitXip(): Promise<void> {
    return this.#simple(0x06, []);
  }

  erase(address: number, size: number): Promise<void> {
    return this.#simple(0x03, words(address, size));
  }

  reboot(pc: number, sp: number, delay: number): Promise<void> {
    return this.#simple(0x02, words(pc, sp, delay));
  }

  /** REBOOT2 of an RP2350. @param flags Type of the restart. */
  reboot2(flags: number, delay: number): Promise<void> {
    return this.#simple(0x0a, words(flags, delay, 0, 0));
  }

  /** GET_INFO of an RP2350. @returns The words of the answer. */
  async info(type: number, parameter: number, length: number): Promise<number[]> {
    const data = await this.#receive(0x8b, words(type, parameter, 0, 0), length);
    const view = new DataView(data.buffer);
    return Array.from({ length: data.length / 4 }, (_, index) => view.getUint32(index * 4, true));
  }

  /** Reads rows of OTP with error correction: 16 bits each. */
  async otpRead(row: number, count: number): Promise<number[]> {
    const data = await this.#receive(0x8c, [...words(row | (count << 16)), 1], count * 2);
    return Array.from(new Uint16Array(data.buffer));
  }

  async otpWrite(row: number, values: readonly number[]): Promise<void> {
    await this.command(0x0d, [...words(row | (values.length << 16)), 1], values.length * 2);
    check((await this.#device.transferOut(3, Uint16Array.from(values))).status);
    check((await this.#device.transferIn(4, 64)).status);
  }

  async read(address: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#receive(0x84, words(address, length), length);
  }

  async #receive(id: number, args: readonly number[], length: number): Promise<Uint8Array<ArrayBuffer>> {
    await this.command(id, args, length);
    const { status, data } = await this.#device.transferIn(4, length);
    check(status);
    check((await this.#device.transferOut(3, new Uint8Array())).status);
    return new Uint8Array(data?.buffer ?? new ArrayBuffer(0));
  }

  async write(address: number, data: Uint8Array): Promise<void> {
    await this.command(0x05, words(address, data.length), data.length);
    check((await this.#device.transferOut(3, data.slice())).status);
    check((await this.#device.transferIn(4, 64)).status);
  }

  async reset(): Promise<void> {
    await this.#device.controlTransferOut({
      requestType: 'vendor',
      recipient: 'interface',
      request: 0x41,
      value: 0,
      index: 1,
    });
  }

  async status(): Promise<CommandStatus> {
    const setup = { requestType: 'vendor', recipient: 'interface', request: 0x42, value: 0, index: 1 } as const;
    const { data } = await this.#device.controlTransferIn(setup, 16);
    if (data === undefined) {
      throw new Stalled();
    }
    return {
      token: data.getUint32(0, true),
      code: data.getUint32(4, true),
      id: data.getUint8(8),
      isInProgress: data.getUint8(9) !== 0,
    };
  }

  async command(id: number, args: readonly number[], length: number): Promise<void> {
    const view = new DataView(new ArrayBuffer(32));
    this.#token++;
    view.setUint32(0, 0x431f_d10b, true);
    view.setUint32(4, this.#token, true);
    view.setUint8(8, id);
    view.setUint8(9, args.length);
    view.setUint32(12, length, true);
    new Uint8Array(view.buffer).set(args, 16);
    check((await this.#device.transferOut(3, view.buffer)).status);
  }

  async #simple(id: number, args: readonly number[]): Promise<void> {
    await this.command(id, args, 0);
    check((await this.#device.transferIn(4, 64)).status);
  }
}

function check(status: string | undefined): void {
  if (status !== 'ok') {
    throw new Stalled();
  }
}

function words(...values: readonly number[]): number[] {
  return values.flatMap((value) => [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24]);
}
