/** Defaults, tables and words of the Nordic flasher's page. */

import { type NrfBootloader, nrfFailureText } from '@wirebench/flasher/nrf';
import { nrfBoardFacts } from '@wirebench/flasher/release/builds';
import { nrfDemoFirmware } from '../../../../hardware/demo-device.ts';
import { nrfSettings } from '../../../../protocol/nrf-types.ts';
import type { PageFamily } from '../../page-family.ts';
import { readPlainStart } from '../../read-plain-start.ts';
import { connectSteps } from './board/connect-steps.ts';
import { topics } from './failures/guidance-topics.ts';

/** Simulated board for each bootloader. */
const demoBoards = {
  'secure-dfu': 'nrf52840-secure',
  'adafruit-dfu': 'feather-nrf52840',
  mcuboot: 'nrf52840-mcuboot',
} as const satisfies Record<NrfBootloader, Parameters<typeof nrfDemoFirmware>[0]>;

export const nrfPage: PageFamily = {
  name: 'nrf',
  tellsContents: (board) => board.family !== 'nrf' || board.info.slots.length > 0,
  settings: nrfSettings,
  settingTags: (own) => (own.family === 'nrf' && own.activate === 'test' ? ['Test image'] : []),
  // Over a UART each of these bootloaders has one fixed rate, most often the first.
  baudRates: [115_200, 230_400, 460_800, 921_600, 1_000_000],
  baudRate: 115_200,
  monitorBaudRates: [9_600, 115_200, 230_400, 460_800, 921_600, 1_000_000],
  demos: [
    { label: 'Demo nRF52840', source: { kind: 'demo', model: 'nrf52840-secure' } },
    { label: 'Demo Feather nRF52840', source: { kind: 'demo', model: 'feather-nrf52840' } },
    { label: 'Demo nRF52840 with MCUboot', source: { kind: 'demo', model: 'nrf52840-mcuboot' } },
  ],
  demoFirmware: (board) => nrfDemoFirmware(demoBoards[board.family === 'nrf' ? board.info.bootloader : 'secure-dfu']),
  buildFacts: (board) => (board.family === 'nrf' ? nrfBoardFacts(board.info) : { family: board.family, model: null }),
  starts: [
    {
      by: 'port',
      title: 'By USB',
      step: 'Start its bootloader as below, then pick its port.',
    },
    {
      by: 'demo',
      title: 'No board yet',
      step: 'A simulated nRF52840 that behaves like a real one. Its flash is lost with this page.',
    },
  ],
  addresses: { word: 'place', start: 0, multipleOf: 1, example: '0', hidden: true },
  failures: nrfFailureText,
  topics,
  steps: connectSteps,
  readStart: readPlainStart,
  words: {
    besides:
      'Besides flashing: see the images of MCUboot, and listen to its program. None of these bootloaders reads flash, so there is no backup.',
    connect: 'Which of the three bootloaders answers is found out.',
    adapters: 'Works with the chip’s own USB, the J-Link of a development kit, and the usual USB bridges.',
    drop: 'Drop a DFU package (.zip) or a signed MCUboot image (.bin) here',
    dropHint: 'From nrfutil, adafruit-nrfutil, Arduino, or dfu_application.zip of nRF Connect SDK.',
    accept: '.zip,.bin,.hex,.s19,.s28,.s37,.srec,.mot,.dfu,.uf2',
    folders: false,
    id: 'Device ID',
    restart: 'Press its reset button once.',
    otherPort:
      'On the chip’s own USB, the bootloader and the program are two devices. The browser asks once for each; after that the board is found automatically.',
    notCompared: '',
    proof: 'verified by the bootloader',
    proven: 'checked by the bootloader',
    erased: 'Erased and checked',
    bootloader: 'Press its reset button twice, or hold its button while you plug it in.',
  },
};
