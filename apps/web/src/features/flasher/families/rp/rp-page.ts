/** Defaults, tables and words of the Raspberry Pi flasher's page. */
import { rpBoardFacts } from '@wirebench/flasher/release/builds';
import { rpFailureText, rpUsbFilters } from '@wirebench/flasher/rp';
import { canPickDrive, pickDrive } from '../../../../hardware/drive-picker.ts';
import { rpSettings } from '../../../../protocol/rp-types.ts';
import type { PageFamily } from '../../page-family.ts';
import { readPlainStart } from '../../read-plain-start.ts';
import { connectSteps } from './board/connect-steps.ts';
import { failureTopics, findingTopics } from './failures/guidance-topics.ts';

export const rpPage: PageFamily = {
  name: 'rp',
  restore: 'file',
  settings: rpSettings,
  settingTags: (own) => (own.family === 'rp' && own.eraseAll ? ['Erase whole flash'] : []),
  erasing: {
    isAll: (own) => own.family === 'rp' && own.eraseAll,
    choose: (own, eraseAll) => (own.family === 'rp' ? { ...own, eraseAll } : own),
  },
  // USB has no rate. Programs that print on a UART use 115,200 by default (pico-sdk, `PICO_DEFAULT_UART_BAUD_RATE`).
  baudRates: [115_200],
  baudRate: 115_200,
  monitorBaudRates: [9_600, 57_600, 115_200, 230_400, 460_800, 921_600],
  demos: [
    { label: 'Demo Pico', source: { kind: 'demo', model: 'pico' } },
    { label: 'Demo Pico 2', source: { kind: 'demo', model: 'pico2' } },
    { label: 'Demo Pico, drive only', source: { kind: 'demo', model: 'pico-drive' } },
  ],
  demoFirmware: async (board) => {
    const { rpDemoFirmware } = await import('../../../../hardware/rp-demo.ts');
    return rpDemoFirmware(board.family === 'rp' && board.info.chip === 'RP2350' ? 'pico2' : 'pico');
  },
  tellsContents: (board) => board.family !== 'rp' || board.info.link !== 'drive',
  savesFiles: true,
  usbDevices: rpUsbFilters,
  get pickDrive() {
    return canPickDrive() ? pickDrive : undefined;
  },
  buildFacts: (board) => (board.family === 'rp' ? rpBoardFacts(board.info) : { family: board.family, model: null }),
  starts: [
    {
      by: 'usb',
      title: 'In BOOTSEL',
      step: 'A new board: hold its button while you plug it in, then pick “RP2 Boot” or “RP2350 Boot”.',
    },
    {
      by: 'port',
      title: 'Runs a program already',
      step: 'Plug it in and pick the port of its program, which is asked to start BOOTSEL.',
    },
  ],
  addresses: { word: 'address', start: 0x1000_0000, multipleOf: 256, example: '0x10000000' },
  failures: rpFailureText,
  topics: { ...findingTopics, ...failureTopics },
  steps: connectSteps,
  readStart: readPlainStart,
  words: {
    besides:
      'Besides flashing: open the files of MicroPython and CircuitPython, read what its program is, back it up and restore it.',
    connect: 'Choose the way by what the board does when it is plugged in.',
    adapters: 'Works with Pico, Pico W, Pico 2 and other boards with an RP2040 or RP2350, over their own USB.',
    drop: 'Drop a .uf2, .elf, .hex or .bin file here',
    dropHint:
      'UF2, ELF and Intel HEX files contain their addresses; a .bin is written to 0x10000000 unless you enter another address.',
    accept: '.uf2,.elf,.hex,.bin,.zip',
    folders: true,
    id: 'Unique ID',
    restart: 'Press its reset button, or unplug it and plug it in again.',
    otherPort:
      'In BOOTSEL the board is a USB device, and a program can be another port than the one before. The browser asks once for each.',
    notCompared: 'Over USB, sectors that are already up to date are skipped.',
    proof: 'verified by reading them back',
    proven: 'read back',
    erased: 'Erased and checked',
    bootloader: 'Hold BOOTSEL while you plug it in.',
  },
};
