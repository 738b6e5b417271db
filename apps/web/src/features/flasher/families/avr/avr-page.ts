/** Defaults, tables and words of the Arduino flasher's page. */
import { avrFailureText } from '@wirebench/flasher/avr';
import { avrBoardFacts } from '@wirebench/flasher/release/builds';
import { avrDemoFirmware } from '../../../../hardware/demo-device.ts';
import { type AvrSettings, avrSettings, EEPROM_START } from '../../../../protocol/avr-types.ts';
import type { PageFamily } from '../../page-family.ts';
import { readPlainStart } from '../../read-plain-start.ts';
import { connectSteps } from './board/connect-steps.ts';
import { failureTopics, findingTopics } from './failures/guidance-topics.ts';

export const avrPage: PageFamily = {
  name: 'avr',
  restore: 'file',
  settings: avrSettings,
  settingTags: (own) => (own.family === 'avr' ? tagsOf(own) : []),
  erasing: {
    isAll: (own) => own.family === 'avr' && own.eraseAll,
    choose: (own, eraseAll) => (own.family === 'avr' ? { ...own, eraseAll } : own),
  },
  // A bootloader is built for one rate. These are in `boards.txt` of the Arduino AVR core and of MiniCore.
  baudRates: [19_200, 38_400, 57_600, 115_200, 250_000, 500_000, 1_000_000],
  baudRate: 115_200,
  // The rates of the Arduino IDE's serial monitor that are in use. The examples of the IDE print at 9,600 baud.
  monitorBaudRates: [2_400, 9_600, 19_200, 38_400, 57_600, 115_200, 250_000, 500_000, 1_000_000],
  monitorBaudRate: 9_600,
  demos: [
    { label: 'Demo Uno', source: { kind: 'demo', model: 'arduino-uno' } },
    { label: 'Demo Nano, old bootloader', source: { kind: 'demo', model: 'arduino-nano' } },
    { label: 'Demo Mega 2560', source: { kind: 'demo', model: 'arduino-mega' } },
    { label: 'Demo Leonardo', source: { kind: 'demo', model: 'arduino-leonardo' } },
  ],
  demoFirmware: avrDemoFirmware,
  buildFacts: (board) => (board.family === 'avr' ? avrBoardFacts(board.info) : { family: board.family, model: null }),
  starts: [
    {
      by: 'port',
      title: 'By USB',
      step: 'Plug it in, or a Pro Mini by an adapter with DTR, then pick its port.',
    },
    {
      by: 'demo',
      title: 'No board yet',
      step: 'A simulated Uno that behaves like a real one. Its flash is lost with this page.',
    },
  ],
  addresses: {
    word: 'address',
    start: 0,
    multipleOf: 1,
    example: '0x0',
    beside: { name: 'EEPROM', start: EEPROM_START },
  },
  failures: avrFailureText,
  topics: { ...findingTopics, ...failureTopics },
  steps: connectSteps,
  readStart: readPlainStart,
  words: {
    besides: 'Besides flashing: back up its sketch and its EEPROM and restore them, read or erase any range.',
    connect: 'The part, its bootloader and the baud rate are found out.',
    adapters: 'Works with the board’s own adapter, CH340, CP210x and FTDI, and with the USB of an ATmega32U4.',
    drop: 'Drop a .hex, .eep, .elf or .bin file here',
    dropHint:
      'The .ino.hex of arduino-cli or the Arduino IDE (Sketch, Export Compiled Binary), firmware.hex of PlatformIO. A .bin is written to 0x0 unless you enter another address.',
    accept: '.hex,.ihex,.ihx,.eep,.elf,.bin,.srec,.s19,.s28,.mot,.zip',
    folders: true,
    id: 'Unique ID',
    restart: 'Press its reset button once.',
    otherPort:
      'A Leonardo, Micro or Pro Micro shows up as another device in its bootloader. The browser asks once for each; after that the board is found automatically.',
    notCompared: 'Pages that are already up to date are skipped.',
    proof: 'verified by reading them back',
    proven: 'read back',
    erased: 'Erased and checked',
    bootloader: 'Press its reset button.',
  },
};

function tagsOf({ rate, reset, writesEeprom, eraseAll }: AvrSettings): string[] {
  return [
    ...(rate === null ? [] : [`${rate} baud`]),
    ...(reset === 'hand' ? ['Reset by hand'] : []),
    ...(writesEeprom ? [] : ['No EEPROM']),
    ...(eraseAll ? ['Erase all flash'] : []),
  ];
}
