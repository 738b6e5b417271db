/** Lists the facts of a board with an AVR for its card. */
import { deviceName } from '@wirebench/boards/device-name';
import type { AvrFuses } from '@wirebench/flasher/avr';
import type { AvrFacts } from '../../../../../protocol/avr-types.ts';
import { memoryText, sizeText } from '../../../../../shared/format/bytes.ts';
import { hexNumber } from '../../../../../shared/format/hex.ts';
import type { ConnectedBoard } from '../../../../../workbench/families.ts';
import type { BoardDescription, BoardFact } from '../../../board/board-description.ts';

export function describeAvr(board: ConnectedBoard): BoardDescription {
  if (board.family !== 'avr') {
    return { subtitle: board.model, print: [board.name, ''], facts: [] };
  }
  const { part, signature, isOldBootloader } = board.info;
  // Printed like ATMEGA 328P: the family in the first line, the number in the second.
  const [, series = 'AVR', number = ''] = /^(ATmega)(\w+)$/.exec(part) ?? [];
  const subtitle = `Signature ${signature}${isOldBootloader ? ', old bootloader' : ''}`;
  return { subtitle, print: [series.toUpperCase(), number], facts: avrFacts(board) };
}

function avrFacts({ info, baudRate, port, demo }: AvrFacts): BoardFact[] {
  const { application, eepromSize, flashSize, fuses, hasEeprom, link } = info;
  const facts: (BoardFact | null)[] = [
    flashSize === 0
      ? null
      : { name: 'Flash', value: `${memoryText(flashSize)}, ${memoryText(application.length)} for the sketch` },
    eepromSize === 0
      ? null
      : { name: 'EEPROM', value: `${memoryText(eepromSize)}${hasEeprom ? '' : ', not through this bootloader'}` },
    { name: 'Bootloader', value: bootloaderText(info) },
    { name: 'Connection', value: demo ? 'Simulated' : link === 'usb' ? 'Built-in USB' : deviceName(port) },
    baudRate === null ? null : { name: 'Baud', value: `${baudRate}${info.isOldBootloader ? ', old bootloader' : ''}` },
    fuses === null ? null : fusesFact(fuses),
    fuses === null || fuses.lock === null ? null : { name: 'Lock', value: hexNumber(fuses.lock) },
  ];
  return facts.filter((fact) => fact !== null);
}

/** Returns name, version and size: `optiboot 4.4, 512 B`. A size that no fuse told is that of such bootloaders. */
function bootloaderText({ bootloaderName, bootloaderVersion, bootloaderRange, bootloaderRangeFrom }: AvrFacts['info']) {
  const name = bootloaderVersion === null ? bootloaderName : `${bootloaderName} ${bootloaderVersion}`;
  if (bootloaderRange === null) {
    return name;
  }
  return `${name}, ${bootloaderRangeFrom === 'usual' ? 'usually ' : ''}${sizeText(bootloaderRange.length)}`;
}

/** Lists only fuses that the bootloader has read. */
function fusesFact({ low, high, extended }: AvrFuses): BoardFact | null {
  const read = [
    ['low', low],
    ['high', high],
    ['extended', extended],
  ] as const;
  const told = read.flatMap(([name, value]) => (value === null ? [] : [`${name} ${hexNumber(value)}`]));
  return told.length === 0 ? null : { name: 'Fuses', value: told.join(', ') };
}
