/** Information about boards, as a connection reports it. */
import type { AvrInfo } from '../avr-board.ts';
import { infoOf } from '../connect/board-facts.ts';

/** An Arduino Uno with optiboot 4.4. */
export const unoInfo: AvrInfo = infoOf({
  driver: { protocol: 'stk500v1', writesInOrder: false },
  facts: { bootloader: 'optiboot', name: 'optiboot', version: '4.4', signature: 0x1e950f, fuses: null },
  hasEeprom: false,
  link: 'uart',
  entered: 'lines',
  baudRate: 115_200,
});

/** An Arduino Mega 2560. */
export const megaInfo: AvrInfo = infoOf({
  driver: { protocol: 'stk500v2', writesInOrder: true },
  facts: {
    bootloader: 'stk500boot',
    name: 'stk500boot_v2',
    version: '2.10',
    signature: 0x1e9801,
    fuses: { low: 0xff, high: 0xd8, extended: 0xfd, lock: 0xcf },
  },
  hasEeprom: true,
  link: 'uart',
  entered: 'lines',
  baudRate: 115_200,
});
