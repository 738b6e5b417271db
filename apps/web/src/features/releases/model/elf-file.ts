/** Checks an ELF file before its upload. The server checks it again. */
import { type DeviceFamily, elfText } from '@wirebench/contract';

const ELF_MAGIC = [0x7f, 0x45, 0x4c, 0x46];
/** `e_type` (System V ABI, "ELF Header"). */
const CORE_FILE = 4;
/** `e_machine`: Xtensa and RISC-V, Arm. Crashes of an AVR are not decoded. */
const machines: Readonly<Record<DeviceFamily, readonly number[]>> = { esp: [94, 243], stm: [40], nrf: [40], avr: [] };
const machineNames: Readonly<Record<number, string>> = { 94: 'Xtensa', 243: 'RISC-V', 40: 'Arm' };
const AVR_MACHINE = 83;

/**
 * Returns the server's text of a refusal; null if it would accept the file.
 * @param most Limit in bytes.
 */
export async function elfFault(file: File, family: DeviceFamily, most: number): Promise<string | null> {
  if (file.size > most) {
    return elfText.tooLarge(file.name, most);
  }
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, 20).arrayBuffer());
  } catch {
    return `"${file.name}" could not be read. Choose it again.`;
  }
  if (head.length < 20 || ELF_MAGIC.some((byte, index) => head[index] !== byte)) {
    return elfText.notElf(file.name);
  }
  if (head[16] === CORE_FILE) {
    return elfText.coreFile(file.name);
  }
  const machine = head[18] ?? 0;
  if (machine === AVR_MACHINE) {
    return elfText.avr(file.name);
  }
  return machines[family].includes(machine)
    ? null
    : elfText.notForDevice(file.name, machineNames[machine] ?? 'another processor');
}
