/** How a board is plugged in: the ids that its port shows, the link, and what DTR and RTS do to its chip. */
import type { Clock } from '@wirebench/clock';
import type { ControlLines } from '../wire/device.ts';
import { type Link, uartLink } from '../wire/link.ts';
import type { EspConnection } from './options.ts';
import { type ChipPins, ResetCircuit } from './reset-circuit.ts';
import { UsbJtagLines } from './usb-jtag-lines.ts';

/** What drives EN and IO0, or does what they would do. */
export interface ResetLines {
  readonly bootStrap: 'flash' | 'download';
  setLines(lines: ControlLines): void;
  cancel(): void;
}

/** USB ids of a CP2102 bridge, and of Espressif's USB Serial/JTAG unit. */
const bridgeIds = { usbVendorId: 0x10c4, usbProductId: 0xea60 } as const;
const usbJtagIds = { usbVendorId: 0x303a, usbProductId: 0x1001 } as const;
/** What USB Serial/JTAG carries. */
const usbLink: Link = { kind: 'usb', bytesPerSecond: 800_000 };

export function usbIdsOf(connection: EspConnection) {
  return connection === 'usb-jtag' ? usbJtagIds : bridgeIds;
}

/** The link at a start, at `baudRate` where that means something. */
export function linkOf(connection: EspConnection, baudRate: number): Link {
  return connection === 'usb-jtag' ? usbLink : uartLink(baudRate);
}

/** Null where DTR and RTS do nothing. */
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
