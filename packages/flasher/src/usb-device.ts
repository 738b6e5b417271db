/** `BufferSource` of the browsers' types, which programs on a server do not have. */
type UsbData = ArrayBuffer | ArrayBufferView<ArrayBuffer>;

/**
 * The part of a W3C `USBDevice` (WebUSB, "Device Usage") that the clients use. Browser devices and simulated devices
 * both have these types.
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
  /** Missing on a simulated device without endpoints beside that for control. */
  readonly endpoints?: readonly UsbEndpoint[];
}

interface UsbEndpoint {
  /** Without the bit of the direction. */
  readonly endpointNumber: number;
  readonly direction: 'in' | 'out';
  readonly type: 'bulk' | 'interrupt' | 'isochronous';
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
  controlTransferOut(setup: UsbControlSetup, data?: UsbData): Promise<UsbOutResult>;
}

/** A device with bulk transfers. A transfer that the device does not answer settles when the device is closed. */
export interface BulkUsbDevice extends UsbDevice {
  clearHalt(direction: 'in' | 'out', endpointNumber: number): Promise<void>;
  transferIn(endpointNumber: number, length: number): Promise<UsbInResult>;
  transferOut(endpointNumber: number, data: UsbData): Promise<UsbOutResult>;
}

/** Returns true for a device with bulk transfers, as every device of a browser is. */
export const isBulkDevice = (device: UsbDevice): device is BulkUsbDevice => 'transferIn' in device;

/** The USB devices that a page may use, for boards that change between a port and a USB device. */
export interface UsbDevices {
  /** Returns the devices that are connected now. A device keeps its object until it is unplugged or restarts. */
  list(): Promise<readonly UsbDevice[]>;
  /** Resolves when a device connects or disconnects. Rejects with the reason of `signal`. */
  changed(signal: AbortSignal): Promise<void>;
  /** Returns a signal that aborts when the device is unplugged. */
  gone(device: UsbDevice): AbortSignal;
}
