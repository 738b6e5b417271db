/**
 * The descriptors of the USB bootloader as bytes: device, configuration with an alternate setting for each memory,
 * and strings. USB 2.0, section 9.6; DFU 1.1, sections 4.2.3 and 4.1.3 (functional descriptor); UM0424, section
 * 4.3.2.
 */
import type { StmUsbFacts } from '../parts/part.ts';

export const vendorId = 0x0483;
export const productId = 0xdf11;
/** USB 1.0, the version that the bootloaders report. */
export const usbVersion = 0x0100;
/** DFU class, DFU mode with DfuSe. */
export const interfaceCodes = { class: 0xfe, subclass: 0x01, protocol: 0x02 } as const;
export const names = { manufacturer: 'STMicroelectronics', product: 'STM32  BOOTLOADER' } as const;

const descriptorType = { device: 1, configuration: 2, string: 3, interface: 4, dfu: 0x21 } as const;
/** Index of the first alternate setting's string. Before it: manufacturer, product and serial number. */
const firstAlternateString = 4;
/** Can download, can upload, is not manifestation tolerant, will detach. */
const dfuAttributes = 0x0b;
/** Version of DfuSe: DFU 1.1a. */
const dfuVersion = 0x011a;
const detachTimeout = 255;
const englishUnitedStates = 0x0409;

/** Returns the descriptor for the value of a GET_DESCRIPTOR request; null if it does not exist. */
export function descriptorOf(facts: StmUsbFacts, serial: string, value: number): Uint8Array<ArrayBuffer> | null {
  const index = value & 0xff;
  switch (value >> 8) {
    case descriptorType.device:
      return deviceDescriptor(facts);
    case descriptorType.configuration:
      return index === 0 ? configurationDescriptor(facts) : null;
    case descriptorType.string:
      return index === 0 ? languages() : stringDescriptor(facts, serial, index);
    default:
      return null;
  }
}

function deviceDescriptor({ release }: StmUsbFacts): Uint8Array<ArrayBuffer> {
  const ids = [usbVersion, vendorId, productId, release].map(lowHigh);
  const [version = [], ...others] = ids;
  const classes = [0, 0, 0];
  const packetSize = 64;
  return Uint8Array.from([18, descriptorType.device, ...version, ...classes, packetSize, ...others.flat(), 1, 2, 3, 1]);
}

function configurationDescriptor({ alternates, transferSize }: StmUsbFacts): Uint8Array<ArrayBuffer> {
  const { class: code, subclass, protocol } = interfaceCodes;
  const interfaces = alternates.flatMap((_, alternate) => {
    const name = firstAlternateString + alternate;
    return [9, descriptorType.interface, 0, alternate, 0, code, subclass, protocol, name];
  });
  const sizes = [detachTimeout, transferSize, dfuVersion].flatMap(lowHigh);
  const functional = [9, descriptorType.dfu, dfuAttributes, ...sizes];
  const length = lowHigh(9 + interfaces.length + functional.length);
  // One interface, self powered, 100 mA.
  return Uint8Array.from([9, descriptorType.configuration, ...length, 1, 1, 0, 0xc0, 50, ...interfaces, ...functional]);
}

function languages(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from([4, descriptorType.string, ...lowHigh(englishUnitedStates)]);
}

function stringDescriptor({ alternates }: StmUsbFacts, serial: string, index: number): Uint8Array<ArrayBuffer> | null {
  const text = [undefined, names.manufacturer, names.product, serial, ...alternates][index];
  if (text === undefined) {
    return null;
  }
  const units = Array.from({ length: text.length }, (_, at) => lowHigh(text.charCodeAt(at))).flat();
  return Uint8Array.from([2 + units.length, descriptorType.string, ...units]);
}

function lowHigh(value: number): number[] {
  return [value & 0xff, value >> 8];
}
