/**
 * The part of WebUSB (WICG, "WebUSB API", sections 6 and 7) that the simulated devices implement. A
 * `SimulatedUsbDevice` can replace a `USBDevice`, and a `SimulatedUsb` can replace `navigator.usb`.
 */
export type UsbDirection = 'in' | 'out';

type UsbTransferStatus = 'ok' | 'stall' | 'babble';

export interface UsbControlSetup {
  readonly requestType: 'standard' | 'class' | 'vendor';
  readonly recipient: 'device' | 'interface' | 'endpoint' | 'other';
  readonly request: number;
  readonly value: number;
  readonly index: number;
}

export interface UsbInResult {
  readonly data?: DataView<ArrayBuffer>;
  readonly status?: UsbTransferStatus;
}

export interface UsbOutResult {
  readonly bytesWritten: number;
  readonly status?: UsbTransferStatus;
}

export interface UsbEndpointFacts {
  readonly endpointNumber: number;
  readonly direction: UsbDirection;
  readonly type: 'bulk' | 'interrupt' | 'isochronous';
  readonly packetSize: number;
}

export interface UsbAlternate {
  readonly alternateSetting: number;
  readonly interfaceClass: number;
  readonly interfaceSubclass: number;
  readonly interfaceProtocol: number;
  readonly interfaceName?: string;
  readonly endpoints: UsbEndpointFacts[];
}

export interface UsbInterface {
  readonly interfaceNumber: number;
  readonly alternate: UsbAlternate;
  readonly alternates: UsbAlternate[];
  readonly claimed: boolean;
}

export interface UsbConfiguration {
  readonly configurationValue: number;
  readonly configurationName?: string;
  readonly interfaces: UsbInterface[];
}

export interface UsbFilter {
  readonly vendorId?: number;
  readonly productId?: number;
  readonly classCode?: number;
  readonly subclassCode?: number;
  readonly protocolCode?: number;
  readonly serialNumber?: string;
}

/** Returns an error with Chromium's message. */
export function usbError(name: string, text: string, method: string, on = 'USBDevice'): DOMException {
  return new DOMException(`Failed to execute '${method}' on '${on}': ${text}`, name);
}
