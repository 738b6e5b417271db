/**
 * The part of WebUSB (WICG, "WebUSB API", sections 5 and 6) that serial adapters need. A browser's `USBDevice` and
 * `navigator.usb` have these types, and so have the fakes of the tests.
 */

export type UsbDirection = 'in' | 'out';

export interface UsbControlSetup {
  readonly requestType: 'standard' | 'class' | 'vendor';
  readonly recipient: 'device' | 'interface' | 'endpoint' | 'other';
  /** `bRequest`, 8 bits. */
  readonly request: number;
  /** `wValue`, 16 bits. */
  readonly value: number;
  /** `wIndex`, 16 bits. */
  readonly index: number;
}

type UsbTransferStatus = 'ok' | 'stall' | 'babble';

export interface UsbInResult {
  readonly data?: DataView | null | undefined;
  readonly status?: UsbTransferStatus | undefined;
}

export interface UsbOutResult {
  readonly bytesWritten: number;
  readonly status?: UsbTransferStatus | undefined;
}

export interface UsbEndpoint {
  /** Without the bit of the direction. */
  readonly endpointNumber: number;
  readonly direction: UsbDirection;
  readonly type: 'bulk' | 'interrupt' | 'isochronous';
  /** Most bytes of one packet. */
  readonly packetSize: number;
}

export interface UsbAlternate {
  readonly alternateSetting: number;
  readonly interfaceClass: number;
  readonly interfaceSubclass: number;
  readonly endpoints: readonly UsbEndpoint[];
}

export interface UsbInterface {
  readonly interfaceNumber: number;
  readonly alternates: readonly UsbAlternate[];
}

interface UsbConfiguration {
  readonly configurationValue: number;
  readonly interfaces: readonly UsbInterface[];
}

export interface UsbDevice {
  readonly vendorId: number;
  readonly productId: number;
  readonly deviceClass: number;
  readonly usbVersionMajor: number;
  readonly usbVersionMinor: number;
  readonly deviceVersionMajor: number;
  readonly deviceVersionMinor: number;
  readonly deviceVersionSubminor: number;
  readonly configuration?: UsbConfiguration | null | undefined;
  readonly configurations: readonly UsbConfiguration[];
  readonly opened: boolean;
  open(): Promise<void>;
  close(): Promise<void>;
  /** Missing before Chromium 101. */
  forget?(): Promise<void>;
  selectConfiguration(configurationValue: number): Promise<void>;
  claimInterface(interfaceNumber: number): Promise<void>;
  releaseInterface(interfaceNumber: number): Promise<void>;
  selectAlternateInterface(interfaceNumber: number, alternateSetting: number): Promise<void>;
  controlTransferIn(setup: UsbControlSetup, length: number): Promise<UsbInResult>;
  controlTransferOut(setup: UsbControlSetup, data?: ArrayBufferView<ArrayBuffer>): Promise<UsbOutResult>;
  clearHalt(direction: UsbDirection, endpointNumber: number): Promise<void>;
  transferIn(endpointNumber: number, length: number): Promise<UsbInResult>;
  transferOut(endpointNumber: number, data: ArrayBufferView<ArrayBuffer>): Promise<UsbOutResult>;
}

/** A filter of `navigator.usb.requestDevice`. A class matches a device and each of its interfaces. */
export type UsbSerialFilter = { readonly vendorId: number } | { readonly classCode: number };

/** The part of `navigator.usb` that is used. Its `connect` and `disconnect` events have a `device`. */
export interface UsbBus {
  getDevices(): Promise<readonly UsbDevice[]>;
  requestDevice?(options: { filters: UsbSerialFilter[] }): Promise<UsbDevice>;
  addEventListener(type: 'connect' | 'disconnect', listener: (event: Event) => void): void;
}
