/** A family, a board of it and a release, for tests of the parts that all families share. */

import { espFailureText, readEspBoot } from '@wirebench/flasher/esp';
import { espBoardFacts } from '@wirebench/flasher/release/builds';
import { type EspFacts, espSettings } from '../../../protocol/esp-types.ts';
import type { PlanFacts } from '../../../protocol/flash-protocol.ts';
import type { RpFacts } from '../../../protocol/rp-types.ts';
import type { ChosenRelease, ReleaseVersion, VersionBuild } from '../../../workbench/release/release.ts';
import type { PageFamily } from '../page-family.ts';

export const testFamily: PageFamily = {
  name: 'esp',
  restore: 'set',
  settings: espSettings,
  settingTags: () => [],
  baudRates: [115_200, 921_600],
  baudRate: 921_600,
  monitorBaudRates: [115_200],
  demos: [{ label: 'Demo ESP32', source: { kind: 'demo', model: 'esp32' } }],
  demoFirmware: () => Promise.resolve([{ name: 'demo.bin', bytes: new Uint8Array(4_096) }]),
  buildFacts: (board) => (board.family === 'esp' ? espBoardFacts(board.info) : { family: board.family, model: null }),
  addresses: { word: 'offset', start: 0, multipleOf: 0x1000, example: '0x10000' },
  failures: espFailureText,
  topics: {},
  steps: {},
  readStart: readEspBoot,
  restartsByHand: true,
  starts: [
    { by: 'port', title: 'By USB', step: 'Pick its port.' },
    { by: 'demo', title: 'No board yet', step: 'A simulated board.' },
  ],
  words: {
    besides: '',
    connect: '',
    adapters: '',
    drop: '',
    dropHint: '',
    folders: true,
    id: 'MAC',
    restart: 'Press its EN button.',
    otherPort: '',
    proof: 'verified by hash',
    proven: 'MD5 matches',
    erased: 'Erased and checked',
    bootloader: 'Hold its BOOT button.',
  },
};

/** @param info Values that replace those of the chip. */
export function testBoard(part: Partial<EspFacts> = {}, info: Partial<EspFacts['info']> = {}): EspFacts {
  return {
    family: 'esp',
    name: 'ESP32',
    model: 'ESP32-D0WD-V3',
    id: '24:0a:c4:00:01:10',
    flash: { start: 0, size: 4 * 2 ** 20 },
    areas: [],
    console: { lines: { dtr: false, rts: false }, reset: 'circuit' },
    info: {
      chip: 'esp32',
      model: 'ESP32-D0WD-V3',
      revision: { major: 3, minor: 0 },
      mac: '24:0a:c4:00:01:10',
      features: ['Wi-Fi'],
      crystal: 40,
      flash: { manufacturer: 0xc8, manufacturerName: 'GigaDevice', device: 0x4016, size: 4 * 2 ** 20 },
      security: { secureBoot: false, flashEncryption: false, secureDownload: false },
      link: 'uart',
      ...info,
    },
    baudRate: 921_600,
    runsStub: true,
    canErase: true,
    demo: true,
    table: null,
    crash: null,
    port: {},
    ...part,
  };
}

/** A partition with a file system. */
export const testPartition = {
  name: 'storage',
  type: 1,
  subtype: 131,
  offset: 0x62_0000,
  size: 131_072,
  encrypted: false,
  readOnly: false,
};

/** An RP2040 with MicroPython in BOOTSEL. @param info Values that replace those of the chip. */
export function testPico(part: Partial<RpFacts> = {}, info: Partial<RpFacts['info']> = {}): RpFacts {
  return {
    family: 'rp',
    name: 'RP2040',
    model: null,
    id: null,
    flash: { start: 0x1000_0000, size: 2 ** 21 },
    areas: [],
    baudRate: null,
    console: { lines: { dtr: true, rts: true }, reset: null },
    demo: true,
    port: { usbVendorId: 0x2e8a, usbProductId: 0x0003 },
    info: {
      link: 'usb',
      chip: 'RP2040',
      revision: 'B2',
      romVersion: 3,
      flashSize: 2 ** 21,
      uniqueId: null,
      cpu: 'arm',
      secureBoot: null,
      partitions: null,
      users: [{ name: 'the files of MicroPython', offset: 0xa_0000, size: 1_441_792 }],
      ...info,
    },
    ...part,
  };
}

/** A plan for one file, without findings. */
export const testPlan: PlanFacts = {
  refusals: [],
  overridden: [],
  warnings: [],
  eraseAll: false,
  map: [],
  regions: [{ offset: 0x10000, length: 0x1000, file: 'app.bin', same: false }],
  toWrite: 0x1000,
  same: 0,
  duration: 500,
};

/** A stable version without files, for every ESP32. */
export const testVersion: ReleaseVersion = {
  id: 'v',
  shareId: null,
  version: '1.0.0',
  description: '',
  createdAt: null,
  writeCount: 0,
  console: null,
  messages: null,
  builds: [],
  isPerBoard: false,
  faults: [],
  report: async () => undefined,
};

/** Returns a build for a chip, with one file at 0x10000. */
export const testBuild = (deviceModel: string, part: Partial<VersionBuild> = {}): VersionBuild => ({
  id: `build-${deviceModel}`,
  deviceFamily: 'esp',
  deviceModel,
  guards: {},
  files: [{ id: deviceModel, name: `${deviceModel}.bin`, offset: 0x10000, size: 8, sha256: 'c'.repeat(64) }],
  load: async () => [{ name: `${deviceModel}.bin`, offset: 0x10000, content: new Blob(['12345678']) }],
  ...part,
});

/** Returns a release with this one version, for a plain ESP32. */
export function testRelease(version: ReleaseVersion): ChosenRelease {
  return {
    name: 'weather-node',
    publisher: 'mira.k',
    demo: false,
    deviceFamily: 'esp',
    deviceModel: 'esp32',
    versions: [version],
    usual: version,
    chosen: version,
  };
}
