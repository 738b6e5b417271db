/** Defaults, tables and words of the STM32 flasher's page. */

import { pickedExtensions } from '@wirebench/flasher/images';
import { stmBoardFacts } from '@wirebench/flasher/release/builds';
import { stmFailureText, stmFlashStart, stmUsbFilter } from '@wirebench/flasher/stm';
import { stmDemoFirmware } from '../../../../hardware/demo-device.ts';
import { stmSettings } from '../../../../protocol/stm-types.ts';
import type { PageFamily } from '../../page-family.ts';
import { readPlainStart } from '../../read-plain-start.ts';
import { connectSteps } from './board/connect-steps.ts';
import { failureTopics, findingTopics } from './failures/guidance-topics.ts';

export const stmPage: PageFamily = {
  name: 'stm',
  restore: 'file',
  settings: stmSettings,
  settingTags: (own) => (own.family === 'stm' && own.eraseAll ? ['Erase whole flash'] : []),
  erasing: {
    isAll: (own) => own.family === 'stm' && own.eraseAll,
    choose: (own, eraseAll) => (own.family === 'stm' ? { ...own, eraseAll } : own),
  },
  // The bootloader measures the rate from the first byte. Above 115,200 baud not every part can (AN2606, "Bootloader
  // timing").
  baudRates: [9_600, 57_600, 115_200, 230_400, 460_800, 921_600],
  baudRate: 115_200,
  monitorBaudRates: [9_600, 57_600, 115_200, 230_400, 460_800, 921_600],
  demos: [
    { label: 'Demo STM32F407', source: { kind: 'demo', model: 'stm32f407' } },
    { label: 'Demo STM32F407 over USB', source: { kind: 'demo-usb', model: 'stm32f407' } },
    { label: 'Demo STM32G071', source: { kind: 'demo', model: 'stm32g071' } },
    { label: 'Demo STM32F103, read-protected', source: { kind: 'demo', model: 'stm32f103-protected' } },
  ],
  demoFirmware: stmDemoFirmware,
  usbDevices: [stmUsbFilter],
  buildFacts: (board) => (board.family === 'stm' ? stmBoardFacts(board.info) : { family: board.family, model: null }),
  starts: [
    {
      by: 'usb',
      title: 'USB (DFU)',
      step: 'Boards with a USB plug of their own: set BOOT0 high, press reset, and pick “STM32 BOOTLOADER”.',
    },
    {
      by: 'port',
      title: 'Serial adapter',
      step: 'Boards without: wire an adapter to PA9 and PA10 (on most parts), set BOOT0 high, press reset, and pick its port.',
    },
  ],
  addresses: { word: 'address', start: stmFlashStart, multipleOf: 4, example: '0x08000000' },
  failures: stmFailureText,
  topics: { ...findingTopics, ...failureTopics },
  steps: connectSteps,
  readStart: readPlainStart,
  words: {
    besides:
      'Besides flashing: back it up and restore it, read or erase any range, see its option bytes, remove its read protection.',
    connect: 'Both ways start with BOOT0 high. The part and its flash size are read from the board.',
    adapters:
      'Works with CP210x, CH340 and FTDI. An ST-LINK is a serial port only: it cannot start the bootloader. Windows needs the WinUSB driver for USB (DFU), Linux a udev rule.',
    drop: 'Drop a .bin, .hex or .elf file here',
    dropHint:
      'Intel HEX, S-record, TI-TXT, ELF, DfuSe and UF2 files contain their addresses; a .bin is written to 0x08000000 unless you enter another address.',
    accept: ['bin', ...pickedExtensions, 'zip'].map((extension) => `.${extension}`).join(),
    folders: false,
    id: 'Unique ID',
    restart: 'Set BOOT0 low and press its reset button.',
    otherPort: 'On its own USB, a board shows up as another device in its bootloader. The browser asks once for each.',
    notCompared: 'Sectors that are already up to date are skipped.',
    proof: 'verified by reading them back',
    proven: 'read back',
    // Samples of the sectors are read: flash of 1 MB at 115,200 baud would take minutes.
    erased: 'Erased, and empty where it was read',
    bootloader: 'Set BOOT0 high and press its reset button.',
  },
};
