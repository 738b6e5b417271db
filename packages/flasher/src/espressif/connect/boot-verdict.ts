/**
 * What a text that an Espressif board printed says about how its program started: ROM, second-stage bootloader and application
 * each print lines of their own form. Pure and small: the flasher's page reads its monitor with it.
 * Forms: the ROMs' texts as recorded; ESP-IDF, `bootloader_utility.c`, `esp_image_format.c`, `flash_partitions.c`, `app_init`
 * (before version 5.2 `cpu_start`), `panic.c`, `brownout.c`.
 */

import type { BootVerdict } from '../../core/boot-verdict.ts';

/** What is between one reset and the next. */
interface Start {
  /** As the ROM names it; null where the ROM gives a number only. */
  readonly reason: string | null;
  /** The ROM has started what it loaded: plain text may come from an application from now on. */
  entered: boolean;
  /** The last thing in this start that settles how it went; null while there is none. */
  outcome: BootVerdict | null;
}

/** Starts without an application, or not asked for by a person, from which on they count as a loop. */
const LOOP = 3;
/** Of the characters of a text, this share may be something that no text is made of. */
const STRANGE_SHARE = 0.25;
/** A last line that has not ended yet is taken for an application's from this length on. */
const SETTLED_LENGTH = 8;
const LINE_QUOTED = 120;

/** What a wrong rate makes of bytes, as they are and decoded as UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const strangePattern = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\xff\ufffd]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of coloured logs begin with ESC.
const escapePattern = /\x1b\[[0-?]*[ -/]*[@-~]/g;

const resetPattern = /\brst:0x[0-9a-f]+ ?\(([A-Z0-9_]+)\)|\brst:0x[0-9a-f]+|rst cause:\d+/i;
const wakePattern = /DEEPSLEEP|DSLEEP/;
/** Resets by the EN pin, by power or over USB: a person or a program at the other end may have wanted them. */
const outsidePattern = /POWERON|USB|SDIO|EXT/;

/** Names of boot modes that wait for new firmware. C3 and its relatives count UART0_BOOT and USB_BOOT among them. */
const downloadPattern =
  /^wait(?:ing for| (?:uart|usb)\S*) ?download|boot:0x[0-9a-f]+ ?\((?:[A-Z0-9_/]*DOWNLOAD|UART0?_BOOT|USB_BOOT)|boot mode:\(1,/i;
const headerPattern = /^invalid header: 0x([0-9a-f]{1,8})/;
const brownOutPattern = /Brownout detector was triggered|\brst:0x[0-9a-f]+ ?\(\w*BROWN_?OUT\w*\)/;
const panicPattern =
  /Guru Meditation Error|^abort\(\) was called|^assert failed:|ESP_ERROR_CHECK failed|A stack overflow in task|Stack smashing protect failure|^(?:Fatal exception|Exception) \(?\d+\)?/;
const badTablePattern =
  /load partition table error|Failed to verify partition table|partition \d+ invalid magic number/;
const noAppPattern = /\bNo bootable app partitions?\b/;
const badImagePattern =
  /^csum err:|^flash read err|^Invalid image block|secure boot verification failed|Checksum failed\. Calculated|Image hash failed|mismatch chip ID/i;

/**
 * The greeting of the probe (`firmware/probe/PROTOCOL.md`, "F0 HELLO"): 44 bytes of data and status, value 0, version, chip. As bytes, decoded
 * as UTF-8, where F0 is the replacement character, or as a console writes what cannot be shown.
 */
const probePattern =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is a frame of bytes.
  /(?:\x01|\\x01)(?:[\xf0\ufffd]|\\xf0),(?:\0|\\x00){5}(?:\x01|\\x01)(?:[\0\x05]|\\x0[05])/;

/** Lines of the ROM. A line that may be one but has not ended yet counts as one. */
const romPattern =
  /^(?:\W*ets(?: |$|_)|ESP-R|Build:|rst[: ]|configsip|clk_drv|SPI ?WP|SPI mode|mode:|load[: ]|tail \d|chksum|csum|entry |wait|Saved PC|SHA-256 comp|Calculated:|Expected:|Attempting to boot|invalid h|flash read err|Invalid image|user code done|~ld|Core\d Saved PC|boot:0x)/i;
/** The ROM's last line; the ESP8266 ends with a sum. */
const enterPattern = /^entry 0x|^csum 0x|^~ld/;
const logPattern = /^[EWIDV] \([\d:. ]+\) ([^:]+): /;
const logBeginPattern = /^[EWIDV] \(/;
/** Tags of the second-stage bootloader. */
const bootloaderTagPattern =
  /^(?:boot|boot\..*|boot_comm|bootloader.*|esp_image|flash_parts|qio_mode|secure_boot.*|flash_encrypt|esp32\w*)$/;
const aboutPattern = /^[I] \([\d:. ]+\) (?:app_init|cpu_start): (Project name|App version): +(.*\S)/;

/**
 * Reads what came since the board was last reset on purpose. Crashes and brown-outs count wherever they are in the text; for all
 * else the last start that got far enough counts.
 * @param text one character a byte, or decoded; escape sequences may be in it.
 */
export function readEspBoot(text: string): BootVerdict {
  if (text.trim() === '') {
    return { kind: 'silence' };
  }
  const { starts, urgent, isBoot } = readLines(text.replace(escapePattern, ''));
  if (urgent !== null) {
    return urgent;
  }
  const outcome = starts.findLast((start) => start.outcome !== null)?.outcome ?? null;
  if (outcome !== null && outcome.kind !== 'app') {
    return outcome;
  }
  if (!isBoot && (text.match(strangePattern)?.length ?? 0) > text.length * STRANGE_SHARE) {
    return { kind: 'unreadable' };
  }
  const resets = starts.filter(countsForLoop);
  if (resets.length >= LOOP) {
    return { kind: 'boot-loop', resets: resets.length, reason: resets.at(-1)?.reason ?? null };
  }
  return outcome ?? { kind: 'starting' };
}

function countsForLoop({ reason, outcome }: Start): boolean {
  const wanted = reason !== null && outsidePattern.test(reason) && outcome?.kind === 'app';
  return !wanted && !(reason !== null && wakePattern.test(reason));
}

interface Reading {
  readonly starts: readonly Start[];
  /** A crash or a brown-out; the last one. */
  readonly urgent: BootVerdict | null;
  /** A line of a boot log is there. */
  readonly isBoot: boolean;
}

function readLines(text: string): Reading {
  const lines = text.split(/\r\n|\n|\r/);
  // A first line may be the rest of a line of the boot log: it counts when nothing else of one is there.
  const isBoot = lines.some(isBootLine);
  const first = isBoot ? 1 : 0;
  const starts: Start[] = [];
  // Before the first reset line: all there is where that was lost, as on a chip's own USB port.
  let start: Start = { reason: null, entered: true, outcome: null };
  let urgent: BootVerdict | null = null;
  for (const [index, line] of lines.entries()) {
    const reset = resetPattern.exec(line);
    if (reset !== null) {
      start = { reason: reset[1] ?? null, entered: false, outcome: null };
      starts.push(start);
    }
    const found = verdictOf(line, index < lines.length - 1, start);
    start.entered ||= enterPattern.test(line);
    if (found?.kind === 'brown-out' || found?.kind === 'panic') {
      urgent = urgent === null || found.kind === 'brown-out' ? found : urgent;
    } else if (found !== null && (found.kind !== 'app' || index >= first)) {
      start.outcome = found;
    }
  }
  return { starts: starts.length === 0 ? [start] : starts, urgent, isBoot };
}

/** What one line says; null when it settles nothing. @param ended the rest of the line has come. */
function verdictOf(line: string, ended: boolean, start: Start): BootVerdict | null {
  if (brownOutPattern.test(line)) {
    return { kind: 'brown-out' };
  }
  if (panicPattern.test(line)) {
    return { kind: 'panic', line: quoted(line) };
  }
  if (downloadPattern.test(line)) {
    return { kind: 'download' };
  }
  const header = headerPattern.exec(line)?.[1];
  if (header !== undefined && (ended || header.length === 8)) {
    const word = Number.parseInt(header, 16);
    return { kind: 'invalid-header', word, empty: word === 0xffff_ffff };
  }
  return isBootLine(line) ? bootVerdict(line, start) : appVerdict(line, ended, start);
}

function isBootLine(line: string): boolean {
  const tag = logPattern.exec(line)?.[1];
  return romPattern.test(line) || resetPattern.test(line) || (tag !== undefined && bootloaderTagPattern.test(tag));
}

function bootVerdict(line: string, { outcome }: Start): BootVerdict | null {
  if (badImagePattern.test(line)) {
    return { kind: 'bad-image', line: quoted(line) };
  }
  if (badTablePattern.test(line)) {
    return { kind: 'no-partition-table' };
  }
  // A damaged application is why there is none.
  return noAppPattern.test(line) && outcome?.kind !== 'bad-image' ? { kind: 'no-app' } : null;
}

function appVerdict(line: string, ended: boolean, { outcome, entered }: Start): BootVerdict | null {
  const isLog = logPattern.test(line);
  const words = line.trim();
  if (words === '' || !(entered || isLog) || !(ended || isLog || isSettled(words))) {
    return null;
  }
  const known = outcome?.kind === 'app' ? outcome : ({ kind: 'app', project: null, version: null } as const);
  if (probePattern.test(line)) {
    return { ...known, project: 'Wirebench probe' };
  }
  const [, field, value = null] = (ended ? aboutPattern.exec(line) : null) ?? [];
  if (field === undefined) {
    return known;
  }
  return field === 'Project name' ? { ...known, project: value } : { ...known, version: value };
}

/** Whether a line that has not ended yet cannot become one of the boot log. */
function isSettled(words: string): boolean {
  return words.length >= SETTLED_LENGTH && !logBeginPattern.test(words);
}

function quoted(line: string): string {
  return line.trim().slice(0, LINE_QUOTED);
}
