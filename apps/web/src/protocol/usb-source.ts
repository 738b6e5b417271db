/** Sources of a board, including USB devices that are not serial ports. */
import type { DemoUsbModel } from '../hardware/demo-device.ts';
import type { UsbPlace } from '../hardware/web-usb.ts';
import type { PortSource } from './bench/port-part.ts';

/** A USB device named by its place in the browser's list, or a simulated one. */
export type UsbSource =
  | { readonly kind: 'usb'; readonly place: UsbPlace }
  | { readonly kind: 'demo-usb'; readonly model: DemoUsbModel };

/** The device that the port had before. */
export type SameSource = Extract<PortSource, { kind: 'same' }>;

/** The drive of a board in its bootloader, as a folder that a person has chosen. Null: that of the demo board of this port. */
interface DriveSource {
  readonly kind: 'drive';
  readonly folder: FileSystemDirectoryHandle | null;
}

export type FlashSource = PortSource | UsbSource | DriveSource;
