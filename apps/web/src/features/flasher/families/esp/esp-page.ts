/** Defaults, tables and words of the Espressif flasher's page. */

import { sectorSize } from '@wirebench/flasher/core';
import { espFailureText, readEspBoot } from '@wirebench/flasher/esp';
import { espBoardFacts } from '@wirebench/flasher/release/builds';
import { espDemoFirmware } from '../../../../hardware/demo-device.ts';
import { espSettings } from '../../../../protocol/esp-types.ts';
import type { PageFamily } from '../../page-family.ts';
import { connectSteps } from './board/connect-steps.ts';
import { failureTopics, findingTopics } from './failures/guidance-topics.ts';
import { FolderImage } from './write/folder-image.tsx';
import { settingTags } from './write/setting-tags.ts';

export const espPage: PageFamily = {
  name: 'esp',
  restore: 'set',
  hasWifi: true,
  settings: espSettings,
  settingTags,
  erasing: {
    isAll: (own) => own.family === 'esp' && own.erase === 'all' && !own.keepNvs,
    choose: (own, all) => (own.family === 'esp' ? { ...own, erase: all ? 'all' : 'needed', keepNvs: !all } : own),
  },
  // Rates that the usual bridges support. A board that cannot use the chosen rate falls back to a lower one by
  // itself.
  baudRates: [115_200, 230_400, 460_800, 921_600, 1_500_000, 2_000_000],
  baudRate: 921_600,
  // Besides the usual rates: 74,880 baud, the rate of an ESP8266's boot log.
  monitorBaudRates: [9_600, 74_880, 115_200, 230_400, 460_800, 921_600],
  demos: [
    { label: 'Demo ESP32', source: { kind: 'demo', model: 'esp32' } },
    { label: 'Demo ESP32-C3', source: { kind: 'demo', model: 'esp32c3' } },
    { label: 'Demo ESP32-S3', source: { kind: 'demo', model: 'esp32s3' } },
    { label: 'Demo secured ESP32-C3', source: { kind: 'demo', model: 'esp32c3-secured' } },
    { label: 'Demo ESP32 that crashed', source: { kind: 'demo', model: 'esp32-crashed' } },
  ],
  demoFirmware: (board) =>
    board.family === 'esp'
      ? espDemoFirmware(board.info.chip, board.info.flash?.size ?? null, board.info.security.secureBoot === true)
      : Promise.resolve([]),
  buildFacts: (board) => (board.family === 'esp' ? espBoardFacts(board.info) : { family: board.family, model: null }),
  starts: [
    {
      by: 'port',
      title: 'By USB',
      step: 'Plug it in with a USB data cable, then pick its port.',
    },
    {
      by: 'demo',
      title: 'No board yet',
      step: 'A simulated ESP32 that behaves like a real one. Its flash is lost with this page.',
    },
  ],
  addresses: { word: 'offset', start: 0, multipleOf: sectorSize, example: '0x10000' },
  failures: espFailureText,
  topics: { ...findingTopics, ...failureTopics },
  steps: connectSteps,
  readStart: readEspBoot,
  restartsByHand: true,
  folderImage: FolderImage,
  words: {
    besides:
      'Besides flashing: change its stored settings and files, back it up and restore it, read a crash, check its security.',
    connect: 'The chip type and flash size are read from the board.',
    adapters: 'Works with CP210x, CH340, CH9102, FTDI and the built-in USB of S2, S3, C3, C6 and H2.',
    drop: 'Drop .bin files, a build folder or a zip here',
    dropHint: 'Offsets of known ESP-IDF, Arduino and PlatformIO builds are filled in.',
    folders: true,
    id: 'MAC',
    restart: 'Press its EN button (often marked RST).',
    otherPort:
      'On their own USB, S2, S3, C3, C6, H2 and P4 show up as another device in download mode. The browser asks once for each.',
    proof: 'verified by hash',
    proven: 'MD5 matches',
    erased: 'Erased and checked',
    bootloader: 'Hold its BOOT button while you press EN.',
  },
};
