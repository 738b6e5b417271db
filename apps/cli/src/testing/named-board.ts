/** A board that answers each line with its name and the line. */
import type { Device } from '@wirebench/devices';
import type { DeviceLine } from '../../../../packages/devices/src/wire/device.ts';
import { type Link, uartLink } from '../../../../packages/devices/src/wire/link.ts';
import type { PluggedBoard } from './simulated-machine.ts';

class NamedBoard implements Device {
  readonly link: Link = uartLink(115_200);
  readonly #name: string;
  #line: DeviceLine | null = null;
  #typed = '';

  constructor(name: string) {
    this.#name = name;
  }

  attach(line: DeviceLine): void {
    this.#line = line;
  }

  detach(): void {
    this.#line = null;
  }

  receive(bytes: Uint8Array): void {
    this.#typed += new TextDecoder().decode(bytes);
    const lines = this.#typed.split('\n');
    this.#typed = lines.pop() ?? '';
    for (const line of lines) {
      this.#line?.write(new TextEncoder().encode(`${this.#name} got <${line}>\n`));
    }
  }
}

/** Returns the board behind an adapter. @param serial Serial number of the adapter, and name of the board. */
export const namedBoard = (serial: string): PluggedBoard => ({
  device: new NamedBoard(serial),
  usb: { vendor: '0403', product: '6001', serial, maker: 'FTDI', title: 'FT232R USB UART' },
});
