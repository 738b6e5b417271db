/** Lists that other projects publish: the source, its reader, and the name that the product has for each row. */
import { deviceName } from '@wirebench/boards/device-name';
import {
  avrNameOf,
  chipIdName,
  flashMakerOf,
  softdeviceName,
  stmNameOf,
  subtypeName,
  typeNumber,
  uf2FamilyName,
} from '@wirebench/flasher/published-names';
import { resetSentence } from '@wirebench/symbols';
import type { Rows } from './records.ts';

interface PublishedList {
  readonly id: string;
  /** Address of the file that the reader reads. */
  readonly source: string;
  /** File with the shipped rows. */
  readonly shippedIn: string;
  /** @throws Error if the text is not such a list. */
  readonly read: (text: string) => Rows;
  /** Returns the product's name for a key; null if it has none. */
  readonly shipped: (key: string) => string | null;
}

const github = 'https://raw.githubusercontent.com';
const flasher = 'packages/flasher/src';

/** Formats a number as the keys of the records: `0x7b3ef230`. */
const hexKey = (value: number, digits: number) => `0x${value.toString(16).padStart(digits, '0')}`;

/** Adds a row. Names that share a key are one row. */
function add(rows: Map<string, string>, key: string, name: string): void {
  const before = rows.get(key);
  rows.set(key, before === undefined ? name : `${before}, ${name}`);
}

/** Returns rows whose keys are numbers, from all matches of a pattern with the groups `id` and `name`. */
function numbered(text: string, pattern: RegExp, digits: number): Rows {
  const rows = new Map<string, string>();
  for (const { groups: { id = '', name = '' } = {} } of text.matchAll(pattern)) {
    add(rows, hexKey(Number(id), digits), name);
  }
  return found(rows);
}

/** @throws Error for a list without rows: the file is another one, or its form has changed. */
function found(rows: Rows): Rows {
  if (rows.size === 0) {
    throw new Error('No row of this list was found in the file.');
  }
  return rows;
}

function readUf2Families(text: string): Rows {
  const families = JSON.parse(text) as readonly { readonly id: string; readonly short_name: string }[];
  return found(new Map(families.map(({ id, short_name }) => [hexKey(Number(id), 8), short_name])));
}

/** Reads the dictionary of subtypes, and the slots that a first number and a count give. */
function readPartitionTypes(text: string): Rows {
  const rows = new Map<string, string>();
  const subtypes = /^SUBTYPES = \{(.*?)^\}/ms.exec(text)?.[1] ?? '';
  for (const [, type = '', body = ''] of subtypes.matchAll(/(\w+)_TYPE: \{(.*?)\}/gs)) {
    for (const [, name = '', value = ''] of body.matchAll(/'(\w+)': (0x[\da-f]+)/gi)) {
      rows.set(`${type.toLowerCase()} ${hexKey(Number(value), 2)}`, name);
    }
  }
  for (const [, kind = '', first = ''] of text.matchAll(/^MIN_PARTITION_SUBTYPE_APP_(\w+) = (\w+)/gm)) {
    const count = Number(new RegExp(`^NUM_PARTITION_SUBTYPE_APP_${kind} = (\\w+)`, 'm').exec(text)?.[1] ?? 0);
    for (let slot = 0; slot < count; slot++) {
      rows.set(`app ${hexKey(Number(first) + slot, 2)}`, `${kind.toLowerCase()}_${slot}`);
    }
  }
  return found(rows);
}

function partitionName(key: string): string | null {
  const [type = '', subtype = ''] = key.split(' ');
  const name = subtypeName({ type: typeNumber(type) ?? -1, subtype: Number(subtype) });
  return name.startsWith('0x') ? null : name;
}

/** Reads the parts of avrdude. */
function readAvrParts(text: string): Rows {
  const rows = new Map<string, string>();
  for (const part of text.split(/^part\b/m)) {
    const name = /^\s*desc\s*=\s*"([^"]+)"/m.exec(part)?.[1];
    const bytes = /^\s*signature\s*=\s*0x(\w\w) 0x(\w\w) 0x(\w\w)/m.exec(part)?.slice(1);
    if (name !== undefined && bytes !== undefined) {
      add(rows, `0x${bytes.join('')}`, name);
    }
  }
  return found(rows);
}

/** Makers of USB serial adapters and of boards. Only their serial ports and bootloaders are of interest. */
const serialMakers = ['0403', '0483', '04d8', '04e2', '067b', '10c4', '1366', '1a86', '1915', '2341', '239a', '2a03'];
const serialProduct = /serial|uart|st-?link|\bdfu\b|j-link|cdc acm/i;

function readUsbIds(text: string): Rows {
  const rows = new Map<string, string>();
  const [devices = ''] = text.split(/^# List of known device classes/m);
  let vendor = '';
  for (const line of devices.split('\n')) {
    const [, tab = '', id = '', name = ''] = /^(\t?)([\da-f]{4}) {2}(.*)$/.exec(line) ?? [];
    vendor = tab === '' && id !== '' ? id : vendor;
    if (id !== '' && serialMakers.includes(vendor) && (tab === '' || serialProduct.test(name))) {
      rows.set(tab === '' ? vendor : `${vendor}:${id}`, name);
    }
  }
  return found(rows);
}

function usbName(key: string): string | null {
  const [vendor = 0, product = 0] = key.split(':').map((id) => Number.parseInt(id, 16));
  const name = deviceName({ usbVendorId: vendor, usbProductId: product });
  return /^[\dA-F]{4}:/.test(name) ? null : name;
}

export const publishedLists: readonly PublishedList[] = [
  {
    id: 'uf2-families',
    source: `${github}/microsoft/uf2/master/utils/uf2families.json`,
    shippedIn: `${flasher}/images/formats/uf2-families.ts`,
    read: readUf2Families,
    shipped: (key) => uf2FamilyName(Number(key)),
  },
  {
    id: 'esp-chips',
    source: `${github}/espressif/esp-idf/master/components/bootloader_support/include/esp_app_format.h`,
    shippedIn: `${flasher}/esp/chips/chip-facts.ts`,
    read: (text) => numbered(text, /ESP_CHIP_ID_(?!INVALID)(?<name>\w+?)\s*= (?<id>0x[\da-f]+)/gi, 4),
    shipped: (key) => chipIdName(Number(key)),
  },
  {
    id: 'esp-resets',
    // The newest chip. The files of the others have the same form, and can be given in its place.
    source: `${github}/espressif/esp-idf/master/components/esp_rom/esp32s31/include/esp32s31/rom/rtc.h`,
    shippedIn: 'packages/symbols/src/panic/reset-reasons.ts',
    read: (text) => numbered(text, /^\s*(?<name>\w+_RESET)\s*=\s*(?<id>\d+)/gm, 2),
    shipped: (key) => resetSentence(Number(key)),
  },
  {
    id: 'esp-partitions',
    source: `${github}/espressif/esp-idf/master/components/partition_table/gen_esp32part.py`,
    shippedIn: `${flasher}/esp/images/partition-types.ts`,
    read: readPartitionTypes,
    shipped: partitionName,
  },
  {
    id: 'flash-makers',
    source: `${github}/flashrom/flashrom/main/include/flashchips.h`,
    shippedIn: `${flasher}/esp/chips/flash-chips.ts`,
    // Only IDs of one byte: the others are in further banks of JEDEC's list, and RDID does not tell the bank.
    read: (text) => numbered(text, /^#define (?<name>\w+?)_ID\s+(?<id>0x[\dA-F]{2})\s(?!.*dummy)/gm, 2),
    shipped: (key) => flashMakerOf(Number(key)),
  },
  {
    id: 'stm-parts',
    source: `${github}/openocd-org/openocd/master/src/flash/nor/stm32l4x.h`,
    shippedIn: `${flasher}/stm/parts/part-table.ts`,
    read: (text) => numbered(text, /^#define DEVID_(?<name>STM32\w+)\s+(?<id>0x[\dA-F]+)/gim, 3),
    shipped: (key) => stmNameOf(Number(key)),
  },
  {
    id: 'stm-parts-earlier',
    source: `${github}/stlink-org/stlink/develop/inc/stm32.h`,
    shippedIn: `${flasher}/stm/parts/part-table.ts`,
    read: (text) => numbered(text, /STM32_CHIPID_(?!UNKNOWN)(?<name>\w+)\s*= (?<id>0x[\da-f]+)/gi, 3),
    shipped: (key) => stmNameOf(Number(key)),
  },
  {
    id: 'avr-parts',
    source: `${github}/avrdudes/avrdude/main/src/avrdude.conf.in`,
    shippedIn: `${flasher}/avr/parts/part-names.ts`,
    read: readAvrParts,
    shipped: (key) => avrNameOf(Number(key)),
  },
  {
    id: 'softdevices',
    source: `${github}/NordicSemiconductor/pc-nrfutil/master/nordicsemi/__main__.py`,
    shippedIn: `${flasher}/nrf/softdevices.ts`,
    read: (text) => numbered(text, /\|(?<name>s\d+_nrf\d+_[\d.]+)\|(?<id>0x[\dA-F]+)\|/gi, 4),
    shipped: (key) => softdeviceName(Number(key)),
  },
  {
    id: 'usb-adapters',
    source: `${github}/vcrhonek/hwdata/master/usb.ids`,
    shippedIn: 'packages/boards/src/device-name.ts',
    read: readUsbIds,
    shipped: usbName,
  },
];
