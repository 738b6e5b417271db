/** Saves the flash or the EEPROM of a board with an AVR as Intel HEX, the format in which the Arduino tools write both. */
import { writeIntelHex } from '@wirebench/flasher/images';
import type { PortNumber } from '@wirebench/serial';
import { type AvrFacts, EEPROM_START } from '../../../../../protocol/avr-types.ts';
import { saveFile } from '../../../../../shared/files/save-file.ts';
import { toast } from '../../../../../shared/ui/toast.ts';
import { readRange } from '../../../store/contents-actions.ts';

/** Saves the flash below the bootloader, without the erased bytes at its end. */
export async function saveSketch(port: PortNumber, { info }: AvrFacts): Promise<void> {
  const bytes = await readRange(port, 'Reading the sketch', info.application);
  if (bytes !== null) {
    save(`${nameOf(info)}-sketch.hex`, info.application.offset, withoutErasedEnd(bytes), 'The flash is erased');
  }
}

/** Saves the whole EEPROM. Its first byte has the address 0 in the file, as avr-objcopy writes it. */
export async function saveEeprom(port: PortNumber, { info }: AvrFacts): Promise<void> {
  const bytes = await readRange(port, 'Reading the EEPROM', { offset: EEPROM_START, length: info.eepromSize });
  if (bytes !== null) {
    save(`${nameOf(info)}-eeprom.eep`, 0, bytes, 'The EEPROM is empty');
  }
}

function save(name: string, address: number, bytes: Uint8Array, emptyText: string): void {
  if (bytes.length === 0) {
    toast(`${emptyText}: there is nothing to save`);
    return;
  }
  saveFile(new Blob([writeIntelHex([{ address, bytes }])], { type: 'text/plain' }), name);
  toast(`${name} was sent to your downloads`);
}

const nameOf = ({ model }: AvrFacts['info']): string => model ?? 'avr';

function withoutErasedEnd(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0xff) + 1);
}
