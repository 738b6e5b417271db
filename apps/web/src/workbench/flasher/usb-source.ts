/** What is behind a board that is not a serial port. */
import type { DemoUsbModel } from '../../hardware/demo-device.ts';
import type { UsbPlace } from '../../hardware/web-usb.ts';
import type { PortSource } from '../bench-protocol.ts';

/** A USB device named by its place in the browser's list, or a simulated one. */
export type UsbSource =
  | { readonly kind: 'usb'; readonly place: UsbPlace }
  | { readonly kind: 'demo-usb'; readonly model: DemoUsbModel };

/** What was there before. */
export type SameSource = Extract<PortSource, { kind: 'same' }>;

export type FlashSource = PortSource | UsbSource;
