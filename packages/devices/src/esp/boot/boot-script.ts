/**
 * The output of a start from flash, and its end: the application, a program instead of the bootloader, or a restart
 * loop. Bootloaders are simulated, not executed. The ROM's lines are those of published boot logs; the lines after
 * them are those of ESP-IDF's bootloader.
 */
import { programChips } from '../../cpu/chips.ts';
import type { EspChip, ResetReason } from '../chips/chip.ts';
import type { Memory } from '../memory.ts';
import type { EspRevision } from '../options.ts';
import { type BootFlash, candidates } from './app-choice.ts';
import { appDescription, bootText, digestFits, type EspImage, headerWord, type ReadFlash, readImage } from './image.ts';
import { type Partition, readPartitions, type TableFault } from './partitions.ts';

/** Milliseconds from the release of reset to the ROM's first byte. `romReady`: until the ROM accepts a host. */
export const romStart = 12;
export const romReady = 14;

interface BootLine {
  /** Milliseconds since the release of reset. */
  readonly time: number;
  readonly text: string;
  /** The application prints at its own rate, everything before it at the ROM's. */
  readonly by: 'rom' | 'application';
}

export interface BootScript {
  readonly lines: readonly BootLine[];
  readonly end: BootEnd;
}

export type BootEnd =
  /** The application runs. Its output is in the lines. `demo`: null for one without the mark of demo firmware. */
  | { readonly kind: 'application'; readonly demo: DemoApplication | null }
  /** The ROM loads this program from flash and jumps to it. The interpreter executes it. */
  | { readonly kind: 'program'; readonly image: EspImage; readonly read: ReadFlash }
  /** The chip restarts with this reason at `time`, in milliseconds since the release of reset. */
  | { readonly kind: 'restart'; readonly reason: ResetReason; readonly time: number };

/** Name and version of an application that was made for demo devices. It offers what their programs offer. */
export interface DemoApplication {
  readonly project: string;
  readonly version: string;
}

export interface BootContext {
  readonly chip: EspChip;
  readonly revision: EspRevision;
  readonly secureBoot: boolean;
  readonly memory: Memory;
  readonly read: ReadFlash;
  readonly rewrite: BootFlash['rewrite'];
  /** True: the bootloader is built with rollback of applications. */
  readonly rollback: boolean;
}

/** Lines of `invalid header` before the watchdog fires, and milliseconds between them. */
const invalidHeaders = 8;
const invalidHeaderPause = 45;
const watchdogTime = romStart + (invalidHeaders + 1) * invalidHeaderPause;
const bootloaderRestart = 200;
/** Printed digits of the ELF hash (`CONFIG_APP_RETRIEVE_LEN_ELF_SHA`). */
const printedHashDigits = 9;
const modes = ['QIO', 'QOUT', 'DIO', 'DOUT'];

export function romBanner(
  { chip, revision }: Pick<BootContext, 'chip' | 'revision'>,
  reason: ResetReason,
  boot: string,
): string {
  const mode = chip.generation === 'esp8266' ? `, boot mode:${boot}\r\n\r\n` : `,boot:${boot}\r\n`;
  return `${chip.texts.banner(revision)}${chip.texts.reasons[reason]}${mode}`;
}

export function bootFromFlash(context: BootContext, reason: ResetReason): BootScript {
  const { chip, read } = context;
  const banner = romBanner(context, reason, chip.texts.flashBoot);
  const image = readImage(read, chip.bootloaderOffset, chip.generation !== 'esp8266');
  if (image === null) {
    return noImage(context, banner);
  }
  const loaded = romLoads(context, image);
  const failure = romRefuses(context, image);
  if (failure !== null) {
    return restart([rom(romStart, `${banner}${loaded}${failure}`)], 'watchdog', watchdogTime);
  }
  const first = rom(romStart, `${banner}${loaded}${digestWarning(context, image)}${entryLine(chip, image)}`);
  // A demo bootloader has an application's mark, so that flashers recognise its chip, but an empty text.
  const isApplication = (bootText(read, image) ?? '') !== '';
  if (isApplication || chip.generation === 'esp8266') {
    // An application at the bootloader's offset.
    return applicationScript(read, image, 60, [first]);
  }
  if (programChips.has(chip.name) && appDescription(read, image) !== null && bootText(read, image) === null) {
    return { lines: [first], end: { kind: 'program', image, read } };
  }
  return secondStage(context, image, first);
}

function noImage({ chip, read }: BootContext, banner: string): BootScript {
  if (chip.generation === 'esp8266') {
    return restart([rom(romStart, `${banner}ets_main.c \r\n`)], 'watchdog', watchdogTime);
  }
  const word = `invalid header: 0x${hex(headerWord(read, chip.bootloaderOffset), 8)}\r\n`;
  const lines = Array.from({ length: invalidHeaders }, (_, index) =>
    rom(romStart + (index + 1) * invalidHeaderPause, word),
  );
  return restart([rom(romStart, banner), ...lines], 'watchdog', watchdogTime);
}

function romLoads({ chip }: BootContext, { mode, segments, checksum }: EspImage): string {
  const name = modes[mode] ?? 'DIO';
  if (chip.generation === 'esp8266') {
    const loads = segments.map(
      ({ address, length }) =>
        `load 0x${hex(address, 8)}, len ${length}, room 16 \r\ntail ${length % 16}\r\nchksum 0x${hex(checksum.calculated, 2)}\r\n`,
    );
    return `${loads.join('')}csum 0x${hex(checksum.stored, 2)}\r\n`;
  }
  const old = chip.generation === 'esp32';
  const loads = segments.map(({ address, length }) => {
    const size = old ? length.toString() : `0x${length.toString(16)}`;
    return `load:0x${hex(address, 8)},len:${size}\r\n`;
  });
  const pins = 'clk_drv:0x00,q_drv:0x00,d_drv:0x00,cs0_drv:0x00,hd_drv:0x00,wp_drv:0x00';
  let head = chip.texts.shortModeLine ? `SPI mode:${name}, clock div:1` : `SPIWP:0xee\r\nmode:${name}, clock div:1`;
  if (old) {
    head = `configsip: 0, SPIWP:0xee\r\n${pins}\r\nmode:${name}, clock div:2`;
  }
  return `${head}\r\n${loads.join('')}`;
}

/** Returns the ROM's message if it refuses to start the image; null if it starts it. */
function romRefuses({ chip, memory, secureBoot, read }: BootContext, image: EspImage): string | null {
  const { stored, calculated } = image.checksum;
  if (stored !== calculated) {
    return `csum err:0x${hex(stored, 2)}!=0x${hex(calculated, 2)}\r\nets_main.c 384 \r\n`;
  }
  if (secureBoot && !isSigned(read, chip.bootloaderOffset, image)) {
    return 'secure boot verification failed\r\nets_main.c 333 \r\n';
  }
  const strays = image.segments.some(({ address, length }) => !memory.isRam(address, length));
  return strays && bootText(read, image) === null ? "Invalid image block, can't boot.\r\nets_main.c 333 \r\n" : null;
}

/**
 * Returns the ROM's warning about a wrong digest. ROMs from the ESP32-S2 on check the digest but start the image
 * anyway.
 */
function digestWarning({ chip }: BootContext, image: EspImage): string {
  if (chip.generation !== 'later' || image.digest === null || digestFits(image)) {
    return '';
  }
  const digits = (bytes: Uint8Array) => Array.from(bytes, (byte) => hex(byte, 2)).join('');
  const { calculated, stored } = image.digest;
  return `SHA-256 comparison failed:\r\nCalculated: ${digits(calculated)}\r\nExpected: ${digits(stored)}\r\nAttempting to boot anyway...\r\n`;
}

function entryLine(chip: EspChip, { entry }: EspImage): string {
  return chip.generation === 'esp8266' ? '' : `entry 0x${hex(entry, 8)}\r\n`;
}

/**
 * True if a signature block begins the next sector with E7 02 (ESP-IDF, "Secure Boot v2", section "Signature Block
 * Format").
 */
function isSigned(read: ReadFlash, offset: number, { length }: EspImage): boolean {
  const [magic, version] = read(offset + Math.ceil(length / 0x1000) * 0x1000, 2);
  return magic === 0xe7 && version === 0x02;
}

function secondStage(context: BootContext, bootloader: EspImage, first: BootLine): BootScript {
  const { chip, revision, read } = context;
  const log = new Log(28);
  log.say('I', 'boot', '2nd stage bootloader');
  log.say('I', 'boot', `chip revision: v${revision.major}.${revision.minor}`);
  log.say('I', `boot.${chip.name}`, `SPI Mode       : ${modes[bootloader.mode] ?? 'DIO'}`);
  const partitions = readPartitions(read);
  if ('fault' in partitions) {
    log.say('E', 'flash_parts', tableFaultText(partitions.fault));
    log.say('E', 'boot', 'Failed to verify partition table');
    log.say('E', 'boot', 'load partition table error!');
    return restart([first, ...log.lines], 'software', bootloaderRestart);
  }
  log.say('I', 'boot', 'Partition Table:');
  log.say('I', 'boot', '## Label            Usage          Type ST Offset   Length');
  for (const [index, partition] of partitions.entries()) {
    log.say('I', 'boot', partitionLine(index, partition));
  }
  log.say('I', 'boot', 'End of partition table');
  const found = loadFirst(context, partitions, log);
  if (found === null) {
    return restart([first, ...log.lines], 'software', bootloaderRestart);
  }
  const { app, image } = found;
  for (const [index, { address, offset, length }] of image.segments.entries()) {
    const place = `paddr=${hex(offset, 8)} vaddr=${hex(address, 8)} size=${hex(length, 5)}h (${length.toString().padStart(6)})`;
    log.say('I', 'esp_image', `segment ${index}: ${place}${context.memory.isRam(address, length) ? ' load' : ' map'}`);
  }
  log.say('I', 'boot', `Loaded app from partition at offset 0x${app.offset.toString(16)}`);
  return applicationScript(read, image, log.time, [first, ...log.lines]);
}

/** Loads the first application that is bootable. Returns null and logs the bootloader's error if there is none. */
function loadFirst(context: BootContext, partitions: readonly Partition[], log: Log) {
  const apps = candidates(context, partitions, context.rollback);
  if (apps === null) {
    log.say('E', 'boot', 'ota_info partition size is too small (minimum 8192 bytes)');
    return null;
  }
  for (const { partition, complaint, note } of apps) {
    const image = startable(context, partition.offset, log);
    if (image !== null) {
      note();
      return { app: partition, image };
    }
    log.say('E', 'boot', complaint);
  }
  log.say('E', 'boot', 'No bootable app partitions in the partition table');
  return null;
}

function tableFaultText(fault: TableFault): string {
  return fault === 'hash'
    ? 'Incorrect MD5 checksum'
    : `partition ${fault.index} invalid magic number 0x${fault.badMagic.toString(16)}`;
}

function partitionLine(index: number, { label, type, subtype, offset, size }: Partition): string {
  const usages: Readonly<Record<string, string>> = {
    '0/0': 'factory app',
    '1/0': 'OTA data',
    '1/1': 'RF data',
    '1/2': 'WiFi data',
  };
  const usage = usages[`${type}/${subtype}`] ?? (type === 0 ? 'OTA app' : 'Unknown data');
  return `${index.toString().padStart(2)} ${label.padEnd(16)} ${usage.padEnd(16)} ${hex(type, 2)} ${hex(subtype, 2)} ${hex(offset, 8)} ${hex(size, 8)}`;
}

/** Returns the application's image. Returns null and logs the bootloader's error if the image cannot start. */
function startable({ chip, read }: BootContext, offset: number, log: Log): EspImage | null {
  const image = readImage(read, offset, true);
  const place = `image at 0x${offset.toString(16)}`;
  if (image === null) {
    log.say('E', 'esp_image', `${place} has invalid magic byte (nothing flashed here?)`);
    return null;
  }
  if (image.chipId !== chip.imageChipId) {
    log.say('E', 'boot_comm', `mismatch chip ID, expected ${chip.imageChipId}, found ${image.chipId}`);
    return null;
  }
  const { stored, calculated } = image.checksum;
  if (stored !== calculated) {
    log.say('E', 'esp_image', `Checksum failed. Calculated 0x${calculated.toString(16)} read 0x${stored.toString(16)}`);
    return null;
  }
  if (!digestFits(image)) {
    log.say('E', 'esp_image', 'Image hash failed - image is corrupt');
    return null;
  }
  return image;
}

/** Returns the script of a start that ends in the application `image`. `before`: the lines before the application's. */
function applicationScript(read: ReadFlash, image: EspImage, from: number, before: readonly BootLine[]): BootScript {
  const about = appDescription(read, image);
  const demo = { project: about?.project ?? 'demo', version: about?.version ?? '1.0.0' };
  return {
    lines: [...before, ...application(read, image, from)],
    end: { kind: 'application', demo: bootText(read, image) === null ? null : demo },
  };
}

/**
 * Returns the application's output: the lines that ESP-IDF prints for every application, then the application's own
 * text, if any.
 */
function application(read: ReadFlash, image: EspImage, from: number): BootLine[] {
  const text = bootText(read, image);
  const about = appDescription(read, image);
  const log = new Log(from + 20);
  if (about === null) {
    return text === null ? [] : [{ time: romStart + log.time, text, by: 'application' }];
  }
  log.say('I', 'app_init', 'Application information:');
  log.say('I', 'app_init', `Project name:     ${about.project}`);
  log.say('I', 'app_init', `App version:      ${about.version}`);
  log.say('I', 'app_init', `Compile time:     ${about.date} ${about.time}`);
  if (about.elfHash !== null) {
    log.say('I', 'app_init', `ELF file SHA256:  ${about.elfHash.slice(0, printedHashDigits)}...`);
  }
  log.say('I', 'app_init', `ESP-IDF:          ${about.idf}`);
  log.say('I', 'main_task', 'Started on CPU0');
  const said = text === null ? [] : [{ time: romStart + log.time, text, by: 'application' } as const];
  return [...log.lines.map((line) => ({ ...line, by: 'application' }) as const), ...said];
}

/** Lines of a log in the form of ESP-IDF, four milliseconds apart. */
class Log {
  readonly lines: BootLine[] = [];
  time: number;

  constructor(time: number) {
    this.time = time;
  }

  say(level: 'I' | 'E', tag: string, text: string): void {
    this.lines.push(rom(romStart + this.time, `${level} (${this.time}) ${tag}: ${text}\r\n`));
    this.time += 4;
  }
}

function rom(time: number, text: string): BootLine {
  return { time, text, by: 'rom' };
}

function restart(lines: readonly BootLine[], reason: ResetReason, after: number): BootScript {
  const last = lines.at(-1)?.time ?? 0;
  return { lines, end: { kind: 'restart', reason, time: Math.max(after, last + 20) } };
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
