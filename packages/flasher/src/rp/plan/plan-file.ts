/** Reads a file for a plan: its programs, and the file system that it states it keeps in flash. */
import { readBinaryInfo } from '../files/binary-info.ts';
import { partsOfFile } from '../files/file-parts.ts';
import { flashStart, type RpFirmware, type RpFlashUser, type RpSystem, readRpFirmware } from '../files/index.ts';
import type { RpPlanFile } from './rp-plan-types.ts';

/**
 * @param binAddress Address of a .bin.
 * @throws ImageError of its format.
 */
export function rpPlanFile(name: string, bytes: Uint8Array, binAddress: number): RpPlanFile {
  const firmware = readRpFirmware(name, bytes, binAddress);
  return {
    name,
    firmware,
    uf2: firmware.format === 'uf2' ? bytes : null,
    storages: storagesOf(name, bytes, binAddress, firmware),
  };
}

/** Names with which interpreters declare their drive (MicroPython, `ports/rp2/rp2_flash.c`; CircuitPython, `internal_flash.c`). */
const systems: Readonly<Record<string, RpSystem>> = { MicroPython: 'micropython', CircuitPython: 'circuitpython' };

/**
 * Returns the drives in the binary info of the programs, as MicroPython and CircuitPython state them. CircuitPython
 * states an offset from the start of flash in the place of an address, and the least size: its drive reaches to the end
 * of the flash.
 */
function storagesOf(name: string, bytes: Uint8Array, binAddress: number, { format, programs }: RpFirmware) {
  const { parts } = partsOfFile(name, bytes, binAddress);
  return programs.map(({ familyId, chips }): RpFlashUser | null => {
    const part = format === 'uf2' ? parts.find((one) => one.familyId === familyId) : parts[0];
    if (part === undefined || part.memory === null || part.start === null) {
      return null;
    }
    const info = readBinaryInfo(part.memory, part.start, chips.length === 1 ? (chips[0] ?? null) : null);
    const drive = info?.entries.find((entry) => entry.kind === 'drive');
    if (drive?.kind !== 'drive') {
      return null;
    }
    const { address, size } = drive;
    const system = systems[String.fromCharCode(...drive.name)];
    return {
      name: 'the files of the new program',
      offset: address < flashStart ? address : address - flashStart,
      size,
      ...(system !== undefined && { system }),
    };
  });
}
