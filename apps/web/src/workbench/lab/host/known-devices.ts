/**
 * What commonly stands at an I2C address, and the register that tells it from others. Sources: Bosch BST-BME280-DS002, 5.4.1, and
 * BST-BMP280-DS001, 4.3.1; InvenSense RM-MPU-6000A, WHO_AM_I; Solomon Systech SSD1306, 8.1.5; Texas Instruments SBOS231 (TMP105);
 * Microchip DS20001713 (24C32).
 */
import type { FoundDevice } from '../lab-protocol.ts';
import { hexNumber } from './bus-log.ts';

interface KnownDevice {
  readonly name: string;
  /** First and last address. */
  readonly addresses: readonly [first: number, last: number];
  /** Left out: nothing in the device tells what it is. */
  readonly id?: { readonly register: number; readonly value: number; readonly certainty: 'likely' | 'register' };
}

/** Where several stand at one address, the most common first. */
const devices: readonly KnownDevice[] = [
  { name: 'SSD1306', addresses: [0x3c, 0x3d] },
  { name: 'TMP105', addresses: [0x48, 0x4f] },
  { name: '24C32', addresses: [0x50, 0x57] },
  // Its successors answer with the address of the first as well.
  { name: 'MPU6050', addresses: [0x68, 0x69], id: { register: 0x75, value: 0x68, certainty: 'likely' } },
  { name: 'DS3231', addresses: [0x68, 0x68] },
  { name: 'BME280', addresses: [0x76, 0x77], id: { register: 0xd0, value: 0x60, certainty: 'register' } },
  { name: 'BMP280', addresses: [0x76, 0x77], id: { register: 0xd0, value: 0x58, certainty: 'register' } },
];

const at = (address: number) => devices.filter(({ addresses: [first, last] }) => address >= first && address <= last);

/** By address alone: a guess. */
export function nameAt(address: number): string | null {
  return at(address)[0]?.name ?? null;
}

/** The registers to ask at an address, with who may answer. */
export function knownDevices(
  address: number,
): readonly { readonly register: number; readonly known: readonly KnownDevice[] }[] {
  const known = at(address);
  const registers = [...new Set(known.flatMap(({ id }) => id?.register ?? []))];
  return registers.map((register) => ({ register, known: known.filter(({ id }) => id?.register === register) }));
}

/** Undefined when the value is nobody's. */
export function certaintyOf(
  known: readonly KnownDevice[],
  register: number,
  value: number,
): Omit<FoundDevice, 'address'> | undefined {
  const device = known.find(({ id }) => id?.value === value);
  if (device?.id === undefined) {
    return undefined;
  }
  const others = device.id.certainty === 'likely' ? ' (other chips give the same answer)' : '';
  return {
    name: device.name,
    certainty: device.id.certainty,
    evidence: `register ${hexNumber(register)} = ${hexNumber(value)}${others}`,
  };
}
