/**
 * Finds crashes and restarts of ESP chips in the lines of a console, one line after the other, and says what each means. It
 * keeps what a dump needs from line to line and nothing else. Never throws, whatever comes, and takes time in proportion to
 * what it is fed. Knows no ELF file: addresses are handed on as they were printed.
 */
import { LinePrefix } from '../log-text/line-prefix.ts';
import { cortexMRules, faultLine, isUntoldRow } from './cortex-m-rules.ts';
import { dumpLine } from './dump-lines.ts';
import { esp8266Rules } from './esp8266-rules.ts';
import { esphomeLine, esphomeRules } from './esphome-rules.ts';
import { FaultStatus } from './fault-status.ts';
import { idfRules } from './idf-rules.ts';
import { nrf5Rules } from './nrf5-rules.ts';
import type { PanicContext, PanicMark, PanicMarkKind, PanicRule } from './panic-mark.ts';
import { resetRules } from './reset-reasons.ts';
import { rustLine, rustRules } from './rust-rules.ts';
import { zephyrLine, zephyrRules } from './zephyr-rules.ts';

/** A backtrace has 100 frames at most (`panic_arch.c`), 22 characters each; what is behind is not looked at. */
const LONGEST_LINE = 4_096;

/** Times that one line is taken for several, each of which cut the one before it short. */
const MAX_CUTS = 4;

const rules: readonly PanicRule[] = [
  ...resetRules,
  ...idfRules,
  ...esp8266Rules,
  ...esphomeRules,
  ...zephyrRules,
  ...rustRules,
  ...nrf5Rules,
  ...cortexMRules,
];

/** Readers of lines that go on with a dump. */
const dumpReaders = [dumpLine, faultLine, zephyrLine, esphomeLine, rustLine];

/** Lines without registers that a dump may have in between: titles, and registers that say nothing of a crash. */
const MAX_STRAYS: Readonly<Partial<Record<PanicContext['section'], number>>> = {
  'cortex-m': 8,
  'zephyr-riscv': 4,
  'zephyr-xtensa': 4,
  'esp-backtrace': 8,
  esphome: 2,
};
/** Between rows that may be a dump and the one that tells it. */
const MAX_UNTOLD_STRAYS = 1;

/** What any line has in it that a rule is for, or a ROM's banner: most lines of a log are dismissed at once. */
const hints = new RegExp([...new Set(rules.map(({ hint }) => hint)), 'ESP-ROM', 'ets ', 'PC  '].join('|'));
/** ESP32's ROM names itself by the date of its build only. */
const romBanner = /^ESP-ROM:(esp32[a-z0-9]{0,4})|^ets (?:Jul 29 2019|Jun {1,2}8 2016)|^ {0,2}ets Jan {1,2}8 2013/;

/** What only stands at the start of a line: the openings of the rules, of a register dump that lost its title, and of the ROMs' banners. */
const openings: readonly RegExp[] = [
  ...rules.flatMap(({ opening }) => opening ?? []),
  /(?<![A-Z])M?E?PC {4,6}: 0x[0-9a-f]{8}/i,
  /ESP-ROM:esp|ets J(?:ul|un|an) {1,2}\d/,
];

/** Lines that go on with an exception, or are one; any other trouble is a new one. */
const inOneCrash = new Set<PanicMarkKind>(['panic', 'exception', 'registers', 'backtrace', 'stack', 'stack-overflow']);

/** Marks that are about the state of one core. */
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
    strays: 0,
    core: undefined,
  };
  readonly #decoder = new TextDecoder();
  readonly #prefix = new LinePrefix(openings);

  /** The chip that started last, as its ROM names it (`esp32`, `esp32c3`, `esp8266`, …); undefined until one did. */
  get chip(): string | undefined {
    return this.#context.chip;
  }

  /**
   * Whether no line of `text` can say anything, so that they need not be read one by one.
   * @param text one line after the other, complete.
   */
  skips(text: string): boolean {
    return this.#context.section === 'none' && !hints.test(text);
  }

  /** @param line one line, without its end; bytes are taken as UTF-8. Undefined when it says nothing of a crash or restart. */
  line(line: string | Uint8Array): PanicMark | undefined {
    const text =
      typeof line === 'string' ? line.slice(0, LONGEST_LINE) : this.#decoder.decode(line.subarray(0, LONGEST_LINE));
    const isHinted = hints.test(text);
    if (!isHinted && this.#context.section === 'none') {
      return undefined;
    }
    return this.#read(this.#prefix.strip(text), isHinted, MAX_CUTS);
  }

  /** A crash of another core, or a restart, may cut a line of a dump short: both parts count. */
  #read(text: string, isHinted: boolean, cuts: number): PanicMark | undefined {
    const rest = isHinted && cuts > 0 ? this.#prefix.openingIn(text, 1) : null;
    if (rest === null) {
      return this.#mark(text, isHinted);
    }
    const before = this.#mark(text.slice(0, rest), isHinted);
    const found = this.#read(text.slice(rest), isHinted, cuts - 1);
    return found === undefined || before === undefined ? (found ?? before) : { ...found, before };
  }

  /** What the lines of a dump say of one core, they say of the core that the dump named last. */
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

  /** Empty lines are inside of dumps. ESP8266 says where its stack ends, and has other lines in between. */
  #endsDump(line: string, found: PanicMark | undefined): boolean {
    const most = MAX_STRAYS[this.#context.section];
    if (most !== undefined) {
      if (found !== undefined) {
        this.#context.strays = 0;
        return !(found.isContinued || inOneCrash.has(found.kind));
      }
      const isRow = line === '' || (this.#context.untold !== null && isUntoldRow(line));
      this.#context.strays += isRow ? 0 : 1;
      return this.#context.strays > (this.#context.untold === null ? most : MAX_UNTOLD_STRAYS);
    }
    return this.#context.section === 'esp8266-stack' ? found !== undefined : line !== '' && found?.kind !== 'registers';
  }

  #explain(line: string): PanicMark | undefined {
    for (const { form, explain } of rules) {
      const match = form.exec(line);
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
