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
    storage: storageOf(name, bytes, binAddress, firmware),
  };
}

/** Names with which interpreters declare their drive (MicroPython, `ports/rp2/rp2_flash.c`; CircuitPython, `internal_flash.c`). */
const systems: Readonly<Record<string, RpSystem>> = { MicroPython: 'micropython', CircuitPython: 'circuitpython' };

/**
 * Returns the drive in the binary info of the first program that states one, as MicroPython and CircuitPython do.
 * CircuitPython states an offset from the start of flash in the place of an address, and the least size: its drive
 * reaches to the end of the flash.
 */
function storageOf(name: string, bytes: Uint8Array, binAddress: number, firmware: RpFirmware): RpFlashUser | null {
  for (const { familyId, memory, start } of partsOfFile(name, bytes, binAddress).parts) {
    const { chips = [] } = firmware.programs.find((program) => program.familyId === familyId) ?? {};
    const info =
      memory === null || start === null
        ? null
        : readBinaryInfo(memory, start, chips.length === 1 ? (chips[0] ?? null) : null);
    const drive = info?.entries.find((entry) => entry.kind === 'drive');
    if (drive?.kind === 'drive') {
      const { address, size } = drive;
      const system = systems[String.fromCharCode(...drive.name)];
      return {
        name: 'the files of the new program',
        offset: address < flashStart ? address : address - flashStart,
        size,
        ...(system !== undefined && { system }),
      };
    }
  }
  return null;
}
