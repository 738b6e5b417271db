/** Backups of a board with an AVR: the sketch and the EEPROM as Intel HEX, the format in which the Arduino tools write both. */
import type { BoardBackup } from '../../family.ts';
import { writeIntelHex } from '../../images/formats/write-intel-hex.ts';
import type { AvrInfo } from '../avr-board.ts';
import { EEPROM_START } from '../family-types.ts';

/** The flash below the bootloader, without the erased bytes at its end. */
export const sketchBackup = ({ application }: Pick<AvrInfo, 'application'>): BoardBackup => ({
  suffix: '-sketch.hex',
  range: application,
  emptyText: 'The flash is erased: there is nothing to save',
  fileOf: (bytes) => {
    const kept = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0xff) + 1);
    return kept.length === 0 ? null : writeIntelHex([{ address: application.offset, bytes: kept }]);
  },
});

/** The whole EEPROM. Its first byte has the address 0 in the file, as avr-objcopy writes it. */
export const eepromBackup = ({ eepromSize }: Pick<AvrInfo, 'eepromSize'>): BoardBackup => ({
  suffix: '-eeprom.eep',
  range: { offset: EEPROM_START, length: eepromSize },
  emptyText: 'The EEPROM is empty: there is nothing to save',
  fileOf: (bytes) => (bytes.length === 0 ? null : writeIntelHex([{ address: 0, bytes }])),
});
