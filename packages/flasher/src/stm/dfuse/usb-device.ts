/**
 * The part of a W3C `USBDevice` (WebUSB, "Device Usage") that the client uses. Browser devices and simulated devices
 * both have this type.
 */
interface UsbControlSetup {
  readonly requestType: 'standard' | 'class' | 'vendor';
  readonly recipient: 'device' | 'interface' | 'endpoint' | 'other';
  readonly request: number;
  readonly value: number;
  readonly index: number;
}

export interface UsbInResult {
  readonly data?: DataView | undefined;
  readonly status?: 'ok' | 'stall' | 'babble' | undefined;
}

export interface UsbOutResult {
  readonly bytesWritten: number;
  readonly status?: 'ok' | 'stall' | 'babble' | undefined;
}

export interface UsbAlternate {
  readonly alternateSetting: number;
  readonly interfaceClass: number;
  readonly interfaceSubclass: number;
  readonly interfaceProtocol: number;
  readonly interfaceName?: string | null | undefined;
}

export interface UsbInterface {
  readonly interfaceNumber: number;
  readonly alternates: readonly UsbAlternate[];
}

export interface UsbConfiguration {
  readonly configurationValue: number;
  readonly interfaces: readonly UsbInterface[];
}

export interface UsbDevice {
  readonly vendorId: number;
  readonly productId: number;
  readonly deviceVersionMajor: number;
  readonly deviceVersionMinor: number;
  readonly deviceVersionSubminor: number;
  readonly serialNumber?: string | null | undefined;
  readonly configuration?: UsbConfiguration | null | undefined;
  readonly configurations: readonly UsbConfiguration[];
  readonly opened: boolean;
  open(): Promise<void>;
  close(): Promise<void>;
  selectConfiguration(configurationValue: number): Promise<void>;
  claimInterface(interfaceNumber: number): Promise<void>;
  selectAlternateInterface(interfaceNumber: number, alternateSetting: number): Promise<void>;
  controlTransferIn(setup: UsbControlSetup, length: number): Promise<UsbInResult>;
  controlTransferOut(setup: UsbControlSetup, data?: BufferSource): Promise<UsbOutResult>;
}

/** Filter for the browser's device picker: ST's bootloader (AN3156 section 1; USB vendor 0483, product DF11). */
export const stmUsbFilter = { vendorId: 0x0483, productId: 0xdf11 } as const;
