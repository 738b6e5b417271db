/** Lists the facts of a Nordic board for its card. */
import { deviceName } from '@wirebench/boards/device-name';
import type { NrfBootloader } from '@wirebench/flasher/nrf';
import type { NrfFacts } from '../../../../../protocol/nrf-types.ts';
import { memoryText, sizeText } from '../../../../../shared/format/bytes.ts';
import type { ConnectedBoard } from '../../../../../workbench/families.ts';
import type { BoardDescription, BoardFact } from '../../../board/board-description.ts';

const bootloaderText = {
  'secure-dfu': 'Secure DFU (nRF5 SDK)',
  'adafruit-dfu': 'Adafruit nRF52',
  mcuboot: 'MCUboot (nRF Connect SDK)',
} satisfies Record<NrfBootloader, string>;

export function describeBoard(board: ConnectedBoard): BoardDescription {
  if (board.family !== 'nrf') {
    return { subtitle: board.model, print: [board.name, ''], facts: [] };
  }
  const { part, bootloader } = board.info;
  // Printed like nRF52840: the series in the first line, the number in the second.
  const print = part === null ? (['nRF', '52'] as const) : ([part.slice(0, 3), part.slice(3)] as const);
  return { subtitle: bootloaderText[bootloader], print, facts: boardFacts(board) };
}

export function boardFacts({ info, baudRate, port, demo }: NrfFacts): BoardFact[] {
  const { bootloader, part, flashSize, ramSize, room, link, unfinished } = info;
  const facts: (BoardFact | null)[] = [
    { name: 'Bootloader', value: bootloaderText[bootloader] },
    { name: 'Part', value: part ?? 'unknown' },
    flashSize === null ? null : { name: 'Flash', value: memoryText(flashSize) },
    ramSize === null ? null : { name: 'RAM', value: memoryText(ramSize) },
    room === null ? null : { name: 'Largest image', value: sizeText(room) },
    { name: 'Connection', value: demo ? 'Simulated' : link === 'usb' ? 'Built-in USB' : deviceName(port) },
    baudRate === null ? null : { name: 'Baud', value: String(baudRate) },
    unfinished === null
      ? null
      : { name: 'Unfinished', value: `${sizeText(unfinished.offset)} received, can be resumed`, tone: 'warning' },
  ];
  return facts.filter((fact) => fact !== null);
}
