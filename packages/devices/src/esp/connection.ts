/** The connection of a board: the ids of its port, the link, and the effect of DTR and RTS on its chip. */
import type { Clock } from '@wirebench/clock';
import type { ControlLines } from '../wire/device.ts';
import { type Link, uartLink } from '../wire/link.ts';
import type { EspConnection } from './options.ts';
import { type ChipPins, ResetCircuit } from './reset-circuit.ts';
import { UsbJtagLines } from './usb-jtag-lines.ts';

/** The circuit or unit that turns DTR and RTS into EN and IO0, or into their effect. */
export interface ResetLines {
  readonly bootStrap: 'flash' | 'download';
  setLines(lines: ControlLines): void;
  cancel(): void;
}

/** USB ids of a CP2102 bridge, and of Espressif's USB Serial/JTAG unit. */
const bridgeIds = { usbVendorId: 0x10c4, usbProductId: 0xea60 } as const;
const usbJtagIds = { usbVendorId: 0x303a, usbProductId: 0x1001 } as const;
/** Link of USB Serial/JTAG. */
const usbLink: Link = { kind: 'usb', bytesPerSecond: 800_000 };

export function usbIdsOf(connection: EspConnection) {
  return connection === 'usb-jtag' ? usbJtagIds : bridgeIds;
}

/** Returns the link at a start. `baudRate` has no effect on USB. */
export function linkOf(connection: EspConnection, baudRate: number): Link {
  return connection === 'usb-jtag' ? usbLink : uartLink(baudRate);
}

/** Returns null if DTR and RTS have no effect. */
export function resetLinesOf(
  connection: EspConnection,
  clock: Clock,
  pins: ChipPins,
  enRiseTime?: number,
): ResetLines | null {
  if (connection === 'uart-no-reset') {
    return null;
  }
  return connection === 'uart' ? new ResetCircuit(clock, pins, enRiseTime) : new UsbJtagLines(pins);
}
