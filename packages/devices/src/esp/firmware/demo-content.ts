/**
 * Flash content of a demo board that has been in use: settings in NVS, a file system with a small web page, two
 * application slots of which the first runs, and room for a core dump.
 */
import { joined, viewOf, words32 } from '../../byte-fields.ts';
import { crc32 } from '../../digests/crc32.ts';
import { filler } from '../../filler.ts';
import { partitionTableOffset } from '../boot/partitions.ts';
import type { EspChip } from '../chips/chip.ts';
import type { EspFlashPart } from '../options.ts';
import {
  bootloaderImage,
  factoryAppOffset,
  factoryContent,
  nvsOffset,
  type PartitionEntry,
  tableOf,
} from './factory.ts';
import { espApplication, espImage } from './image.ts';
import { type LittlefsEntry, littlefsImage } from './littlefs-image.ts';
import { type NvsKey, nvsImage } from './nvs-image.ts';

const slotSize = 0x100000;
const sectorSize = 0x1000;
/** Places of the demo layout in flash: offset and size in bytes. */
export const demoPlaces = {
  nvs: [nvsOffset, 0x4000],
  otadata: [0xd000, 0x2000],
  phy: [0xf000, sectorSize],
  firstSlot: [factoryAppOffset, slotSize],
  storage: [0x110000, 0x20000],
  coreDump: [0x130000, 0x10000],
  secondSlot: [0x140000, slotSize],
} as const;
const layoutEnd = demoPlaces.secondSlot[0] + slotSize;

/** Label, type and subtype (ESP-IDF, "Partition Tables"). 0x83 is the subtype of littlefs. */
const demoLayout: readonly PartitionEntry[] = [
  ['nvs', 1, 0x02, ...demoPlaces.nvs],
  ['otadata', 1, 0x00, ...demoPlaces.otadata],
  ['phy_init', 1, 0x01, ...demoPlaces.phy],
  ['ota_0', 0, 0x10, ...demoPlaces.firstSlot],
  ['storage', 1, 0x83, ...demoPlaces.storage],
  ['coredump', 1, 0x03, ...demoPlaces.coreDump],
  ['ota_1', 0, 0x11, ...demoPlaces.secondSlot],
];

/** True for a chip with partitions and a flash of `flashSize` bytes that holds all of them. */
export function holdsDemoLayout(chip: EspChip, flashSize: number): boolean {
  return chip.generation !== 'esp8266' && flashSize >= layoutEnd;
}

/** Returns the partition table of the demo layout. */
export function demoTable(): Uint8Array<ArrayBuffer> {
  return tableOf(demoLayout);
}

/**
 * Returns the content of a demo board; that of the factory for a chip without partitions or with less flash.
 * @param flashSize Size of the flash in bytes.
 * @param finish Applied to each program, for example to sign it. Default: the program as it is.
 */
export function demoContent(
  chip: EspChip,
  flashSize: number,
  finish: (image: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> = (image) => image,
): EspFlashPart[] {
  if (!holdsDemoLayout(chip, flashSize)) {
    return factoryContent(chip, flashSize);
  }
  return [
    { offset: chip.bootloaderOffset, data: finish(bootloaderImage(chip, flashSize)) },
    { offset: partitionTableOffset, data: demoTable() },
    ...demoData(),
    { offset: factoryAppOffset, data: finish(slotImage(chip, flashSize, '1.0.0')) },
    { offset: demoPlaces.secondSlot[0], data: finish(slotImage(chip, flashSize, '0.9.0')) },
  ];
}

/** 16 × 16 pixels in two colours: a flash of lightning. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEUMSlL/xD3ohJTDAAAAJUlEQVR42mNgAIIDDIwNDMwMDGwMDDwMDPIPQAjOlWBgMGCAAwBxTwOywsGKMAAAAABJRU5ErkJggg==';

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Bench sensor 7</title>
<img src="icon.png" alt="">
<h1>Bench sensor 7</h1>
<p><a href="log/readings.csv">Readings</a></p>
</html>
`;

const settings = `{
  "name": "Bench sensor 7",
  "interval_s": 60,
  "units": "celsius",
  "alarm": { "above": 40, "below": 5 }
}
`;

/** Lines of the log, one a minute: more than three blocks of 4096 bytes. */
const lineCount = 480;

/** The files on a demo board: a web page with its picture, settings, and a log of several blocks. */
export function demoFiles(): { readonly [name: string]: LittlefsEntry } {
  return {
    'icon.png': Uint8Array.from(atob(picture), (character) => character.charCodeAt(0)),
    'index.html': encoded(page),
    'settings.json': encoded(settings),
    log: { 'boot.txt': encoded('42 starts, last reason: power\n'), 'readings.csv': encoded(readings()) },
  };
}

function readings(): string {
  const lines = Array.from({ length: lineCount }, (_, index) => {
    const time = `${Math.floor(index / 60)}`.padStart(2, '0');
    const minute = `${index % 60}`.padStart(2, '0');
    const temperature = (210 + Math.round(25 * Math.sin(index / 40))) / 10;
    return `2026-01-05T${time}:${minute}:00Z,${temperature.toFixed(1)},${43 + (index % 7)}\n`;
  });
  return `time,temperature,humidity\n${lines.join('')}`;
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Returns the content of the data partitions: settings, selected slot, calibration of the radio, and files. */
export function demoData(): EspFlashPart[] {
  const [offset, size] = demoPlaces.storage;
  return [
    { offset: nvsOffset, data: nvsImage(demoKeys, demoPlaces.nvs[1]) },
    { offset: demoPlaces.otadata[0], data: selection(1) },
    { offset: demoPlaces.phy[0], data: radioCalibration() },
    { offset, data: withoutErasedEnd(littlefsImage(demoFiles(), { size })) },
  ];
}

function slotImage(chip: EspChip, flashSize: number, version: string): Uint8Array<ArrayBuffer> {
  const text = `I (312) main: ${chip.name} with its factory firmware.\r\n`;
  return espImage(chip, flashSize, espApplication(chip, { text, project: `${chip.name}-factory`, version }));
}

/** A sensor's settings. Its network is out of reach of the demo board, so that it waits for another one. */
const demoKeys: readonly NvsKey[] = [
  { namespace: 'app', key: 'name', type: 'string', value: 'Bench sensor 7' },
  { namespace: 'app', key: 'boot_count', type: 'u32', value: 42 },
  { namespace: 'app', key: 'interval_s', type: 'u16', value: 60 },
  { namespace: 'app', key: 'temp_offset', type: 'i16', value: -35 },
  { namespace: 'app', key: 'led', type: 'u8', value: 1 },
  { namespace: 'app', key: 'old_server', type: 'string', value: 'mqtt://192.168.0.9', erased: true },
  { namespace: 'app', key: 'first_seen_ms', type: 'u64', value: 1_763_971_200_000n },
  { namespace: 'wifi', key: 'ssid', type: 'string', value: 'Old workshop' },
  { namespace: 'wifi', key: 'password', type: 'string', value: 'lathe-and-mill' },
  { namespace: 'wifi', key: 'channel', type: 'u8', value: 6 },
  { namespace: 'sensor', key: 'last_error', type: 'i32', value: -110 },
  { namespace: 'sensor', key: 'calibration', type: 'blob', value: filler(96, 3) },
];

/** State of a slot whose application has confirmed itself (`esp_ota_img_states_t`, ESP_OTA_IMG_VALID). */
const validState = 2;

/**
 * Returns an entry of otadata (`esp_ota_select_entry_t`): sequence number, 20 unused bytes, state, and the CRC-32 of
 * the number.
 */
function selection(sequence: number): Uint8Array<ArrayBuffer> {
  const number = words32(sequence);
  const unused = new Uint8Array(20).fill(0xff);
  return joined(number, unused, words32(validState, crc32(number, 0xffffffff)));
}

/** Returns data of the form of `esp_phy_init_data_t`: 128 bytes between two marks. */
function radioCalibration(): Uint8Array<ArrayBuffer> {
  const mark = new TextEncoder().encode('PHYINIT\0');
  return joined(mark, filler(128, 5), mark);
}

/** Leaves out the erased blocks behind the last used one. */
function withoutErasedEnd(image: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = viewOf(image);
  let end = image.length;
  while (end > 0 && view.getUint32(end - 4) === 0xffffffff) {
    end -= 4;
  }
  return image.subarray(0, end);
}
