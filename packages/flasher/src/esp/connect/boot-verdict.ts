/**
 * Judges from a board's output how its program started. ROM, second-stage bootloader and application each print lines
 * of their own form. Small, because the flasher's page reads its monitor with it. Sources of the forms: recordings of
 * the ROMs; ESP-IDF, `bootloader_utility.c`, `esp_image_format.c`, `flash_partitions.c`, `app_init` (before version
 * 5.2 `cpu_start`), `panic.c`, `brownout.c`.
 */

import type { BootVerdict } from '../../core/boot-verdict.ts';

/** One start: the output from one reset to the next. */
interface Start {
  /** The ROM's name for the reset; null if the ROM prints only a number. */
  readonly reason: string | null;
  /** True: the ROM has started the program that it loaded, so plain text may come from an application. */
  entered: boolean;
  /** The last verdict in this start; null if there is no verdict yet. */
  outcome: BootVerdict | null;
}

/**
 * Number of starts that count as a boot loop. Starts that a person caused and that reached an application do not
 * count.
 */
const LOOP = 3;
/** Share of strange characters above which a text is unreadable. */
const STRANGE_SHARE = 0.25;
/** Length from which an unfinished last line counts as an application's, in characters. */
const SETTLED_LENGTH = 8;
const LINE_QUOTED = 120;

/** Characters that a wrong baud rate produces, as bytes or decoded as UTF-8. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const strangePattern = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\xff\ufffd]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences of coloured logs begin with ESC.
const escapePattern = /\x1b\[[0-?]*[ -/]*[@-~]/g;

const resetPattern = /\brst:0x[0-9a-f]+ ?\(([A-Z0-9_]+)\)|\brst:0x[0-9a-f]+|rst cause:\d+/i;
const wakePattern = /DEEPSLEEP|DSLEEP/;
/** Resets by the EN pin, by power or over USB, which a person or a program on the computer may have caused. */
const outsidePattern = /POWERON|USB|SDIO|EXT/;

/** Boot modes that wait for new firmware. On the C3 and related chips, UART0_BOOT and USB_BOOT are among them. */
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
 * The greeting of the probe (`firmware/probe/PROTOCOL.md`, "F0 HELLO"): 44 bytes of data and status, value 0,
 * version, chip, longest data of a request (8,184). It may come as bytes, decoded as UTF-8 with F0 as the replacement
 * character, or with the escapes of a console. The log leaves NUL out of the text that it gives.
 */
const probePattern =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is a frame of bytes.
  /(?:\x01|\\x01)(?:[\xf0\ufffd]|\\xf0),(?:(?:\0|\\x00){5}(?:\x01|\\x01)(?:[\0\x05]|\\x0[05])|(?:\x01|\\x01)(?:\x05|\\x05)?(?:[\xf8\ufffd]|\\xf8)(?:\x1f|\\x1f))/;

/** Lines of the ROM. An unfinished line that could become one matches too. */
const romPattern =
  /^(?:\W*ets(?: |$|_)|ESP-R|Build:|rst[: ]|configsip|clk_drv|SPI ?WP|SPI mode|mode:|load[: ]|tail \d|chksum|csum|entry |wait|Saved PC|SHA-256 comp|Calculated:|Expected:|Attempting to boot|invalid h|flash read err|Invalid image|user code done|~ld|Core\d Saved PC|boot:0x)/i;
/** The ROM's last line. The ESP8266 ends with a checksum. */
const enterPattern = /^entry 0x|^csum 0x|^~ld/;
const logPattern = /^[EWIDV] \([\d:. ]+\) ([^:]+): /;
const logBeginPattern = /^[EWIDV] \(/;
const bootloaderTagPattern =
  /^(?:boot|boot\..*|boot_comm|bootloader.*|esp_image|flash_parts|qio_mode|secure_boot.*|flash_encrypt|esp32\w*)$/;
const aboutPattern = /^[I] \([\d:. ]+\) (?:app_init|cpu_start): (Project name|App version): +(.*\S)/;

/**
 * Judges the output since the board was last reset on purpose. A crash or brown-out counts anywhere in the text.
 * Otherwise the last start with a verdict counts.
 *
 * @param text One character per byte, or decoded; may contain escape sequences.
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
  /** The last crash or brown-out; a brown-out takes precedence. Null without either. */
  readonly urgent: BootVerdict | null;
  /** True: the text contains a line of a boot log. */
  readonly isBoot: boolean;
}

function readLines(text: string): Reading {
  const lines = text.split(/\r\n|\n|\r/);
  // The first line may be the end of a boot log's line, so it counts only if the text has no other line of one.
  const isBoot = lines.some(isBootLine);
  const first = isBoot ? 1 : 0;
  const starts: Start[] = [];
  // Holds everything before the first reset line. If that line was lost, as on a chip's own USB port, it holds the
  // whole text.
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

/**
 * Returns the verdict of one line; null if the line settles nothing.
 *
 * @param ended True if the line is complete.
 */
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
  // After a damaged image, this line only states the consequence, so `bad-image` is kept.
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

/** Returns true if an unfinished line can no longer become a line of the boot log. */
function isSettled(words: string): boolean {
  return words.length >= SETTLED_LENGTH && !logBeginPattern.test(words);
}

function quoted(line: string): string {
  return line.trim().slice(0, LINE_QUOTED);
}
