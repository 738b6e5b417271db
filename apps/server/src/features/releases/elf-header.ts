/**
 * Checks the header of an ELF file (System V ABI, "ELF Header"; all Espressif chips, STM32 and Nordic are 32 bits wide and
 * little-endian). It refuses files with which no crash can be decoded. Faults beyond the header are found when the
 * file is read.
 */
import { open } from 'node:fs/promises';
import { elfText } from '@wirebench/contract';
import type { ReleaseDevice } from '@wirebench/flasher/release';
import { refusedField } from '../../api-error.ts';
import { onDisk } from '../../storage/blobs/disk.ts';
import type { SpooledFile } from '../../storage/blobs/spooled-file.ts';

/** `e_type` and `e_machine`. */
const types = { executable: 2, core: 4 } as const;
const machines = { 94: 'Xtensa', 243: 'RISC-V', 40: 'Arm' } as const;
const AVR_MACHINE = 83;

const fitting: Readonly<Record<ReleaseDevice['deviceFamily'], readonly number[]>> = {
  esp: [94, 243],
  stm: [40],
  nrf: [40],
  avr: [],
};

/**
 * Checks that the file can decode crashes of boards of one of the families.
 *
 * @throws ApiError (400) with a sentence otherwise.
 */
export async function checkElf(
  { fileName, bytes }: { readonly fileName: string; readonly bytes: Pick<SpooledFile, 'path'> },
  families: readonly ReleaseDevice['deviceFamily'][],
): Promise<void> {
  const head = await onDisk(() => readHead(bytes.path));
  const [type, machine] = [head.readUInt16LE(16), head.readUInt16LE(18)];
  // 0x7f ELF, 32 bits, little-endian, version 1.
  if (!head.subarray(0, 7).equals(Buffer.from('\x7fELF\x01\x01\x01', 'latin1'))) {
    throw refusedField('elf', elfText.notElf(fileName));
  }
  if (type !== types.executable) {
    throw refusedField('elf', type === types.core ? elfText.coreFile(fileName) : elfText.notElf(fileName));
  }
  if (machine === AVR_MACHINE) {
    throw refusedField('elf', elfText.avr(fileName));
  }
  if (!families.some((family) => fitting[family].includes(machine))) {
    throw refusedField('elf', elfText.notForDevice(fileName, Reflect.get(machines, machine) ?? 'another processor'));
  }
}

/** Returns the first 20 bytes, with zeros after the end of a shorter file. */
async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const head = Buffer.alloc(20);
    await handle.read(head, 0, head.length, 0);
    return head;
  } finally {
    await handle.close();
  }
}
