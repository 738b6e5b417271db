/**
 * Finds crashes and restarts in the lines of a console, one line at a time, and explains them. Keeps only the state
 * that a dump needs between lines. Never throws, and runs in time proportional to its input. Works without an ELF
 * file: addresses are returned as printed.
 */
import { LinePrefix } from '../log-text/line-prefix.ts';
import { cortexMRules, faultLine, isUntoldRow } from './cortex-m-rules.ts';
import { dumpLine } from './dump-lines.ts';
import { esp8266Rules } from './esp8266-rules.ts';
import { esphomeLine, esphomeRules } from './esphome-rules.ts';
import { FaultStatus } from './fault-status.ts';
import { HintFinder } from './hint-finder.ts';
import { idfRules } from './idf-rules.ts';
import { nrf5Rules } from './nrf5-rules.ts';
import { nuttxRules } from './nuttx-rules.ts';
import {
  continued,
  mark,
  type PanicContext,
  type PanicMark,
  type PanicMarkKind,
  type PanicRule,
  withMissing,
} from './panic-mark.ts';
import { placeLine, placeRules } from './place-rules.ts';
import { resetRules } from './reset-reasons.ts';
import { RowOrder } from './row-order.ts';
import { rustLine, rustRules } from './rust-rules.ts';
import { teensyLine, teensyRules } from './teensy-rules.ts';
import { zephyrLine, zephyrRules } from './zephyr-rules.ts';

/**
 * Characters of a line that are read, prefixes of tools included. The longest line of a board is a backtrace of 100 frames
 * (`panic_arch.c`) of 22 characters. A line that goes on says that frames may be missing.
 */
const MAX_LINE = 16_384;
const longLine = `Only the first ${MAX_LINE.toLocaleString('en')} characters of this line were read: frames may be missing.`;

/**
 * Crashes and restarts that may interrupt others within one line. Two cores and their restart make three. Each one costs a
 * search of the rest of the line. Beyond them, the rest is one text, and the mark says that parts may be missing.
 */
const MAX_CUTS = 4;
const manyCuts = `More than ${MAX_CUTS} crashes and restarts are in this line: parts of them may be missing.`;
const cutShort = 'Another crash or a restart cut this line short: what followed may be missing.';
const noStackEnd = 'The board restarted before the end of the stack: callers may be missing.';

const rules: readonly PanicRule[] = [
  ...resetRules,
  ...idfRules,
  ...esp8266Rules,
  ...esphomeRules,
  ...zephyrRules,
  ...rustRules,
  ...nrf5Rules,
  ...nuttxRules,
  ...placeRules,
  ...teensyRules,
  ...cortexMRules,
];

/** Readers of lines that continue a dump. */
const dumpReaders = [dumpLine, teensyLine, faultLine, zephyrLine, esphomeLine, rustLine, placeLine];

/**
 * Lines within a dump that are no part of it, from one of its rows to the next: titles, and registers without
 * information about the crash. Further down a row must prove that it continues the dump (`row-order.ts`): its form alone
 * is that of ordinary lines, such as `R1 = 12`. Sections without a number need that proof behind any other line.
 */
const FREE_LINES: Readonly<Partial<Record<PanicContext['section'], number>>> = {
  // Mbed OS prints the mode, the stack and two titles between its registers and its error.
  'cortex-m': 8,
  // Zephyr prints flags and floating-point registers.
  'zephyr-riscv': 4,
  'zephyr-xtensa': 4,
  // esp-hal prints all registers, four in a row, before the addresses.
  'esp-backtrace': 8,
  // ESPHome names the build that crashed.
  esphome: 2,
  // Python prints the source line and marks below it.
  traceback: 3,
  // The Pico SDK prints an empty line before the text, and nothing else.
  'pico-panic': 0,
  // Linux prints its modules, its version and the registers before the place.
  linux: 40,
};
/** Such lines in a dump without a title, until it is certain. Two rows of registers alone are no proof of a crash. */
const FREE_LINES_UNTOLD = 1;
/**
 * Sections whose rows cannot prove anything: a bare address, the name of an exception, and the text of a panic. They end at the last free
 * line. Lines of tools do not count there.
 */
const withoutProof: ReadonlySet<PanicContext['section']> = new Set([
  'esp-backtrace',
  'traceback',
  'esp8266-stack',
  'pico-panic',
]);

const hintSources = [...new Set(rules.map(({ hint }) => hint)), 'ESP-ROM', 'ets ', 'PC  '];
/** Matches every line that a rule or a ROM banner may match. */
const hints = new RegExp(hintSources.join('|').replace(/ (?![?*+{])/g, '[ \\t]+'));
/** Rejects most lines of a log, five times as fast as `hints`. */
const hintFinder = new HintFinder(hintSources);
/** Banners of ROMs. Only the build date identifies the ROMs of ESP32 and ESP8266. */
const romBanner = /^ESP-ROM:(esp32[a-z0-9]{0,4})|^ets (?:Jul 29 2019|Jun {1,2}8 2016)|^ {0,2}ets Jan {1,2}8 2013/;

/**
 * Texts that occur only at the start of a line: openings of the rules, of a register dump without its title, and of
 * ROM banners.
 */
const openings: readonly RegExp[] = [
  ...rules.flatMap(({ opening }) => opening ?? []),
  /(?<![A-Z])M?E?PC {4,6}: 0x[0-9a-f]{8}/i,
  /ESP-ROM:esp|ets J(?:ul|un|an) {1,2}\d/,
];

/** The last line of a crash that is not a reset, and the banner of Zephyr. */
const end = /^(?:Rebooting\.\.\.|\*\*\* Booting )/;

/** Matches every line that may continue or end a dump that other lines have interrupted. It rejects most lines of a log. */
const interruptedRow =
  /0x[0-9a-fA-F]|[0-9a-fA-F]{8}|\b(?:[A-Z]{2,5}|[rR]\d{1,2}|mtval) ?[:=]|core|Reason|Cause|trace|VALID|Breadcrumb|Temperature|fault|Booting|Rebooting|PC is|pc :/;

/**
 * Lines that a tool writes between the lines of a board, with the places of addresses. Sources: `idf.py monitor`
 * (esp-idf-monitor, `base/logger.py`: `--- 0x400d1234: f at main.c:12`), ESPHome (`platformio_api.py`: `WARNING Decoded 0x…`),
 * PlatformIO (`filter_exception_decoder.py`: `  #0  0x…:0x… in f at main.c:12`), espflash (`0x… - f`, then `    at main.rs:12`),
 * addr2line (` (inlined by) f at main.c:12`) and GDB. Rows of most dumps are found behind any line. These forms matter where
 * only the distance tells whether a row still belongs to a dump.
 */
const toolForms = [
  /^(?:--- |=== |\(inlined by\) |#\d{1,3} {1,3}0x|Decoded 0x|Found stack trace|Exception type: )/,
  /(?:^| )(?:at|in) \S.{0,1000}(?::\d|:\?| line \d)/,
  /\baddr2line\b/,
];
const isToolLine = (line: string) => toolForms.some((form) => form.test(line));

/** Lines of a printed `PanicInfo` of Rust, which has more of them than are free. */
const panicInfoRow = /[,({]$|^[)}\]],?$/;

/** Kinds that continue or begin an exception; any other kind starts a new failure. */
const inOneCrash = new Set<PanicMarkKind>(['panic', 'exception', 'registers', 'backtrace', 'stack', 'stack-overflow']);

/** Kinds of the rows of a dump. */
const stateKinds = new Set<PanicMarkKind>(['registers', 'backtrace', 'stack']);

/** Kinds that describe the state of one core. */
const ofOneCore = new Set<PanicMarkKind>(['panic', 'abort', 'registers', 'backtrace', 'stack']);

export class PanicRecogniser {
  readonly #context: PanicContext = {
    chip: undefined,
    section: 'none',
    isRiscv: false,
    isAboutAccess: false,
    fault: new FaultStatus(),
    untold: null,
    stoppedAt: undefined,
    rows: new RowOrder(),
    start: { direct: null, hasFault: false, isFirstRom: true, isSpurious: false },
    place: null,
    strays: 0,
    core: undefined,
  };
  readonly #decoder = new TextDecoder();
  readonly #prefix = new LinePrefix(openings);
  /** Dump that other lines have interrupted, until its next row; `none` without one. */
  #interrupted: PanicContext['section'] = 'none';

  /**
   * Chip that started last, by the name in its ROM (`esp32`, `esp32c3`, `esp8266`, …); undefined before the first
   * start.
   */
  get chip(): string | undefined {
    return this.#context.chip;
  }

  /**
   * Returns true if no line of `text` can have a mark, so that its lines need not be read.
   * @param text complete lines in UTF-8
   */
  skips(text: Uint8Array): boolean {
    return !this.#isWaiting && !hintFinder.mayMatch(text);
  }

  /** True: lines without any hint count as well. */
  get #isWaiting(): boolean {
    const { section, start } = this.#context;
    return section !== 'none' || this.#interrupted !== 'none' || start.direct !== null;
  }

  /** Returns false for a line without a hint that concerns neither a dump nor a start. */
  #isNear(text: string): boolean {
    const { section, start } = this.#context;
    return section !== 'none' || start.direct !== null || interruptedRow.test(text);
  }

  /**
   * Returns the mark of a line; undefined if it does not belong to a crash or restart.
   * @param line one line without its end; bytes are decoded as UTF-8
   */
  line(line: string | Uint8Array): PanicMark | undefined {
    const mayBeHinted = typeof line === 'string' || hintFinder.mayMatch(line);
    if (!mayBeHinted && !this.#isWaiting) {
      return undefined;
    }
    const text = typeof line === 'string' ? line.slice(0, MAX_LINE) : this.#decoder.decode(line.subarray(0, MAX_LINE));
    const isHinted = mayBeHinted && hints.test(text);
    if (!isHinted && !(this.#isWaiting && this.#isNear(text))) {
      return undefined;
    }
    const found = this.#read(this.#prefix.strip(text, isHinted), isHinted, MAX_CUTS);
    const isWhole = line.length <= MAX_LINE || found === undefined || found.addresses.length === 0;
    return isWhole ? found : withMissing(found, longLine);
  }

  /** Handles a line of a dump that a crash of another core or a restart interrupted: both parts count. */
  #read(text: string, isHinted: boolean, cuts: number): PanicMark | undefined {
    const rest = isHinted ? this.#prefix.openingIn(text, 1) : null;
    if (rest === null) {
      return this.#mark(text, isHinted);
    }
    if (cuts === 0) {
      const last = this.#mark(text, isHinted);
      return last === undefined ? undefined : withMissing(last, manyCuts);
    }
    const isInDump = this.#context.section !== 'none';
    const before =
      this.#mark(text.slice(0, rest), isHinted) ?? (isInDump && rest > 0 ? mark('registers', 'fault') : undefined);
    const found = this.#read(text.slice(rest), isHinted, cuts - 1);
    return found === undefined || before === undefined
      ? (found ?? before)
      : { ...found, before: withMissing(before, cutShort) };
  }

  /** Returns the mark of a line. Adds the core that the dump named last to marks about one core. */
  #mark(plain: string, isHinted: boolean): PanicMark | undefined {
    const found = this.#markOf(plain, isHinted);
    const { start } = this.#context;
    if (found?.kind === 'reset') {
      this.#context.core = undefined;
      start.hasFault = false;
    } else if (plain !== '' && !romBanner.test(plain) && !isToolLine(plain)) {
      start.direct = null;
      start.hasFault ||= found?.severity === 'fault';
    }
    const { core } = this.#context;
    return found === undefined || core === undefined || !ofOneCore.has(found.kind) ? found : { ...found, core };
  }

  #markOf(plain: string, isHinted: boolean): PanicMark | undefined {
    this.#noteChip(plain);
    const { rows } = this.#context;
    const row = this.#row(plain);
    if (row !== undefined) {
      return row;
    }
    const before = this.#context.section;
    const found = isHinted ? this.#explain(plain) : undefined;
    if (this.#context.section !== before) {
      this.#interrupted = 'none';
      rows.clear();
    } else if (before !== 'none' && this.#endsDump(plain, found)) {
      this.#interrupted = found === undefined && this.#canBeInterrupted(plain) ? before : 'none';
      this.#context.section = 'none';
    }
    if (found === undefined) {
      if (end.test(plain)) {
        this.#interrupted = 'none';
      }
      return undefined;
    }
    if (!continuesCrash(found)) {
      this.#interrupted = 'none';
    }
    if (!inOneCrash.has(found.kind)) {
      this.#context.isAboutAccess = false;
    }
    if (found.isContinued !== true) {
      rows.clear();
    }
    rows.add(plain, found.memory);
    const isCutOff = found.kind === 'reset' && before === 'esp8266-stack';
    return isCutOff ? withMissing(found, noStackEnd) : found;
  }

  /** Returns the mark of a row of the dump, or of one that other lines interrupted. */
  #row(plain: string): PanicMark | undefined {
    const context = this.#context;
    if (
      context.section === 'none' &&
      this.#interrupted !== 'none' &&
      context.rows.continues(plain, this.#interrupted)
    ) {
      context.section = this.#interrupted;
    }
    const before = context.section;
    for (const read of dumpReaders) {
      const found = read(plain, context);
      if (found !== undefined) {
        context.strays = 0;
        this.#interrupted = 'none';
        const missing = context.rows.missingBefore(plain);
        context.rows.add(plain, found.memory);
        const row = continued(found, found.isContinued === true || (before !== 'none' && stateKinds.has(found.kind)));
        return missing === null ? row : withMissing(row, missingFrames(missing));
      }
    }
    if (this.#interrupted !== 'none' && context.section === before) {
      context.section = 'none';
    }
    return undefined;
  }

  #canBeInterrupted(line: string): boolean {
    const { section, untold } = this.#context;
    return !withoutProof.has(section) && untold === null && !end.test(line) && !romBanner.test(line);
  }

  /**
   * Returns true if the line ends the current dump. Empty lines may occur inside dumps. ESP8266 marks the end of its
   * stack and prints other lines in between.
   */
  #endsDump(line: string, found: PanicMark | undefined): boolean {
    const free = FREE_LINES[this.#context.section];
    if (free !== undefined) {
      if (found !== undefined) {
        this.#context.strays = 0;
        return !continuesCrash(found);
      }
      const isPart =
        line === '' ||
        isToolLine(line) ||
        (this.#context.untold !== null && isUntoldRow(line)) ||
        (this.#context.section === 'esp-backtrace' && panicInfoRow.test(line));
      this.#context.strays += isPart ? 0 : 1;
      return this.#context.strays > (this.#context.untold === null ? free : FREE_LINES_UNTOLD);
    }
    return this.#context.section === 'esp8266-stack' ? found !== undefined : line !== '' && found?.kind !== 'registers';
  }

  #explain(line: string): PanicMark | undefined {
    // Versions of firmware differ in the blanks between words and numbers, and the forms are written for the usual ones.
    const spaced = /[ \t]{2}|\t/.test(line) ? line.replace(/[ \t]+/g, ' ') : null;
    for (const { form, explain } of rules) {
      const match = form.exec(line) ?? (spaced === null ? null : form.exec(spaced));
      const found = match === null ? undefined : explain(match, this.#context);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  #noteChip(line: string): void {
    const banner = romBanner.exec(line);
    if (banner !== null) {
      this.#context.chip = banner[1] ?? (line.includes('2013') ? 'esp8266' : 'esp32');
      this.#context.start.isFirstRom = line.includes('2016');
    }
  }
}

const continuesCrash = ({ isContinued, kind }: PanicMark) => isContinued === true || inOneCrash.has(kind);

const missingFrames = ([first, last]: readonly [number, number]) =>
  first === last
    ? `Frame ${first} is missing in the log.`
    : `Frames ${first} ${last === first + 1 ? 'and' : 'to'} ${last} are missing in the log.`;
