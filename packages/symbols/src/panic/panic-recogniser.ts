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
import type { PanicContext, PanicMark, PanicMarkKind, PanicRule } from './panic-mark.ts';
import { placeLine, placeRules } from './place-rules.ts';
import { resetRules } from './reset-reasons.ts';
import { rustLine, rustRules } from './rust-rules.ts';
import { zephyrLine, zephyrRules } from './zephyr-rules.ts';

/**
 * Maximum length of a line; the rest is ignored. A backtrace has at most 100 frames (`panic_arch.c`) of 22
 * characters.
 */
const LONGEST_LINE = 4_096;

/** Maximum number of interrupted lines that are recognised within one line. */
const MAX_CUTS = 4;

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
  ...cortexMRules,
];

/** Readers of lines that continue a dump. */
const dumpReaders = [dumpLine, faultLine, zephyrLine, esphomeLine, rustLine, placeLine];

/** Maximum number of irrelevant lines within a dump: titles, and registers without information about the crash. */
const MAX_STRAYS: Readonly<Partial<Record<PanicContext['section'], number>>> = {
  'cortex-m': 8,
  'zephyr-riscv': 4,
  'zephyr-xtensa': 4,
  'esp-backtrace': 8,
  esphome: 2,
  traceback: 3,
  linux: 40,
};
/** Maximum number of irrelevant lines between the rows of a dump without a title, until it is certain. */
const MAX_UNTOLD_STRAYS = 1;

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

/** Lines of a printed `PanicInfo` of Rust, which has more of them than are strays. */
const panicInfoRow = /[,({]$|^[)}\]],?$/;

/** Kinds that continue or begin an exception; any other kind starts a new failure. */
const inOneCrash = new Set<PanicMarkKind>(['panic', 'exception', 'registers', 'backtrace', 'stack', 'stack-overflow']);

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
    place: null,
    strays: 0,
    core: undefined,
  };
  readonly #decoder = new TextDecoder();
  readonly #prefix = new LinePrefix(openings);

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
    return this.#context.section === 'none' && !hintFinder.mayMatch(text);
  }

  /**
   * Returns the mark of a line; undefined if it does not belong to a crash or restart.
   * @param line one line without its end; bytes are decoded as UTF-8
   */
  line(line: string | Uint8Array): PanicMark | undefined {
    if (typeof line !== 'string' && this.skips(line)) {
      return undefined;
    }
    const text =
      typeof line === 'string' ? line.slice(0, LONGEST_LINE) : this.#decoder.decode(line.subarray(0, LONGEST_LINE));
    const isHinted = hints.test(text);
    if (!isHinted && this.#context.section === 'none') {
      return undefined;
    }
    return this.#read(this.#prefix.strip(text), isHinted, MAX_CUTS);
  }

  /** Handles a line of a dump that a crash of another core or a restart interrupted: both parts count. */
  #read(text: string, isHinted: boolean, cuts: number): PanicMark | undefined {
    const rest = isHinted && cuts > 0 ? this.#prefix.openingIn(text, 1) : null;
    if (rest === null) {
      return this.#mark(text, isHinted);
    }
    const before = this.#mark(text.slice(0, rest), isHinted);
    const found = this.#read(text.slice(rest), isHinted, cuts - 1);
    return found === undefined || before === undefined ? (found ?? before) : { ...found, before };
  }

  /** Returns the mark of a line. Adds the core that the dump named last to marks about one core. */
  #mark(plain: string, isHinted: boolean): PanicMark | undefined {
    const found = this.#markOf(plain, isHinted);
    if (found?.kind === 'reset') {
      this.#context.core = undefined;
    }
    const { core } = this.#context;
    return found === undefined || core === undefined || !ofOneCore.has(found.kind) ? found : { ...found, core };
  }

  #markOf(plain: string, isHinted: boolean): PanicMark | undefined {
    this.#noteChip(plain);
    for (const read of dumpReaders) {
      const dump = read(plain, this.#context);
      if (dump !== undefined) {
        this.#context.strays = 0;
        return dump;
      }
    }
    const before = this.#context.section;
    const found = isHinted ? this.#explain(plain) : undefined;
    if (this.#context.section === before && this.#endsDump(plain, found)) {
      this.#context.section = 'none';
    }
    if (found !== undefined && !inOneCrash.has(found.kind)) {
      this.#context.isAboutAccess = false;
    }
    return found;
  }

  /**
   * Returns true if the line ends the current dump. Empty lines may occur inside dumps. ESP8266 marks the end of its
   * stack and prints other lines in between.
   */
  #endsDump(line: string, found: PanicMark | undefined): boolean {
    const most = MAX_STRAYS[this.#context.section];
    if (most !== undefined) {
      if (found !== undefined) {
        this.#context.strays = 0;
        return !(found.isContinued || inOneCrash.has(found.kind));
      }
      const isRow =
        line === '' ||
        (this.#context.untold !== null && isUntoldRow(line)) ||
        (this.#context.section === 'esp-backtrace' && panicInfoRow.test(line));
      this.#context.strays += isRow ? 0 : 1;
      return this.#context.strays > (this.#context.untold === null ? most : MAX_UNTOLD_STRAYS);
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
    }
  }
}
