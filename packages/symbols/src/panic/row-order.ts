/**
 * Tells whether a row continues a dump that other lines have interrupted. There may be any number of them: a tool names
 * the places of addresses between the rows, or another task logs. A row proves that it continues the dump by what only
 * the next row can have: a higher number of a frame, the next address of the stack, or a register not printed so far.
 */

/** Dump that the next lines may continue. */
export type DumpSection =
  | 'none'
  | 'registers'
  | 'backtrace'
  | 'riscv-stack'
  | 'esp8266-stack'
  | 'cortex-m'
  | 'zephyr-riscv'
  | 'zephyr-xtensa'
  | 'esp-backtrace'
  | 'esphome'
  | 'traceback'
  | 'pico-panic'
  | 'linux';

/** Words of the stack in a row. */
interface RowMemory {
  readonly address: number;
  readonly words: readonly number[];
}

/** Matches `BT3: 0x400d…` (ESPHome) and `1: fp: 200320fc   ra: 20029ec4` (Zephyr). */
const NUMBERED_FRAME = /^(?:BT)?(\d{1,3}): (?:0x|(?:fp|sp|ra|lr): )/i;
/** Matches a pair of a split `Backtrace:`, which ends with the frame's stack pointer. */
const PAIR = /0x[0-9a-f]{6,8}:0x([0-9a-f]{1,8})/gi;
const STARTS_WITH_PAIR = /^ {0,4}0x[0-9a-f]{6,8}:0x/i;
/** Matches the address of a row of memory, in the forms of `dump-lines.ts` and `cortex-m-rules.ts`. */
const MEMORY_ADDRESS = /^(?:[a-z]{1,12}_\w{1,20}: |addr: )?[[(]?(?:0x)?([0-9a-f]{8})(?![0-9a-f])/i;
/** Matches a register of Xtensa, RISC-V or ARM, its separator and its value. */
const REGISTER =
  /(?<![\w.])((?:m?e?pc|eps|epc[1-7]|depc|ps|sar|exccause|excvaddr|vaddr|lbeg|lend|lcount|[arstx]\d{1,2}|ra|sp|gp|tp|mstatus|mtvec|mcause|mtval|mhartid|lr|ip|fp|s[bl]|x?psr|[mp]sp|[chda]fsr|htsr|shcsr|mmfsr|bfsr|ufsr|mmfar|bfar|exc_return|control|cpuid)(?:\/\w{1,4}| [[(]\w{1,8}[\])])?)( {0,8}[:=] {0,8}| {1,8})(0x)?([0-9a-f]{1,16})(?!\w)/gi;
/** Matches rows whose words no ordinary line has: causes of Cortex-M faults, and lines of Teensy's `CrashReport`. */
const DISTINCT_ROW =
  /^(?:call trace:$|Cause: |[A-Z][a-z]+(?: [a-z]+)? fault is caused by |(?:MMFAR|BFAR) Address: 0x|The (?:memory management|bus) fault occurred address|\((?:MMAR|BFAR)VALID\) |Breadcrumb #\d|Temperature inside the chip )/;
/** Sections in which a strict row needs no row of the same form before it: all of their rows have that form. */
const STRICT_SECTIONS: ReadonlySet<DumpSection> = new Set(['registers', 'esphome', 'zephyr-xtensa']);
/** Sections in which the stack has no address before its first row. */
const STACK_SECTIONS: ReadonlySet<DumpSection> = new Set(['riscv-stack', 'cortex-m']);

export class RowOrder {
  readonly #names = new Set<string>();
  readonly #forms = new Set<string>();
  /** True: a row with whole words was among the registers. */
  #hasWords = false;
  #frame = -1;
  /** True: a title has announced the list of frames. */
  #isListing = false;
  #memoryEnd: number | null = null;
  #stackPointer = -1;

  /** Begins another dump. */
  clear(): void {
    this.#names.clear();
    this.#forms.clear();
    this.#hasWords = false;
    this.#memoryEnd = null;
    this.#stackPointer = -1;
    this.#frame = -1;
    this.#isListing = false;
  }

  /** Begins a list of frames of the same dump. */
  beginFrames(): void {
    this.#frame = -1;
    this.#isListing = true;
  }

  /**
   * Takes a row that belongs to the dump.
   * @param memory its words, if it is of the stack
   */
  add(row: string, memory: RowMemory | undefined): void {
    const registers = registersOf(row);
    if (registers.some(({ name }) => this.#names.has(name))) {
      // A second dump without a title.
      this.#names.clear();
    }
    for (const { name, form, isWord } of registers) {
      this.#names.add(name);
      this.#forms.add(form);
      this.#hasWords ||= isWord;
    }
    this.#frame = frameOf(row) ?? this.#frame;
    this.#memoryEnd = memory === undefined ? this.#memoryEnd : memory.address + 4 * memory.words.length;
    const stackPointer = [...row.matchAll(PAIR)].at(-1)?.[1];
    this.#stackPointer = stackPointer === undefined ? this.#stackPointer : Number.parseInt(stackPointer, 16);
  }

  /** Returns the numbers of the frames between the last row and this one: the first and the last; null without any. */
  missingBefore(row: string): readonly [number, number] | null {
    const frame = frameOf(row);
    return frame === null || frame <= this.#frame + 1 ? null : [this.#frame + 1, frame - 1];
  }

  /** Returns true for a row that only this dump can have after its last one. */
  continues(row: string, section: DumpSection): boolean {
    if (section === 'linux' || DISTINCT_ROW.test(row)) {
      // Rows of Linux name the place in the kernel in words.
      return true;
    }
    const frame = frameOf(row);
    if (frame !== null) {
      return frame > this.#frame && (this.#frame >= 0 || this.#isListing || section === 'esphome');
    }
    if (section === 'backtrace') {
      // Callers are further up on the stack.
      return STARTS_WITH_PAIR.test(row) && Number.parseInt(PAIR_AT_START.exec(row)?.[1] ?? '', 16) > this.#stackPointer;
    }
    const digits = MEMORY_ADDRESS.exec(row)?.[1];
    if (digits !== undefined) {
      const isFirst = this.#memoryEnd === null && STACK_SECTIONS.has(section);
      return isFirst || Number.parseInt(digits, 16) === this.#memoryEnd;
    }
    if (section === 'esphome' && !/^(?:PC|LR|SP|EXCVADDR):/.test(row)) {
      return !row.startsWith('Reason:') || this.#names.size === 0;
    }
    const registers = registersOf(row);
    const [first] = registers;
    if (first === undefined || registers.some(({ name }) => this.#names.has(name))) {
      return false;
    }
    const needsForm = this.#hasWords && !STRICT_SECTIONS.has(section);
    return this.#forms.has(first.form) || (!needsForm && (isStrict(registers) || row.startsWith('** ')));
  }
}

const PAIR_AT_START = new RegExp(`^ {0,4}${PAIR.source}`, 'i');

const frameOf = (row: string): number | null => {
  const digits = NUMBERED_FRAME.exec(row)?.[1];
  return digits === undefined ? null : Number(digits);
};

interface PrintedRegister {
  readonly name: string;
  /** Form of the print: case of the name, sign, `0x`, and whether all digits of a word are there. */
  readonly form: string;
  /** True: the value has all digits of a word. */
  readonly isWord: boolean;
  /** True: a word after `0x`, or behind a name in capitals. */
  readonly isClear: boolean;
}

function registersOf(row: string): readonly PrintedRegister[] {
  return [...row.matchAll(REGISTER)].map(([, name = '', separator = '', prefix = '', digits = '']) => {
    const isLower = name === name.toLowerCase();
    const isWord = digits.length === 8 || digits.length === 16;
    const form = `${isLower}${separator.trim()}${prefix}${isWord ? digits.length : 'n'}`;
    return { name: name.toLowerCase(), form, isWord, isClear: isWord && (prefix !== '' || !isLower) };
  });
}

/** Returns true for a row that is hardly anything else: `sp: 12345678` alone may be. */
const isStrict = (registers: readonly PrintedRegister[]) =>
  registers.every(({ isWord }) => isWord) && (registers.length > 1 || registers[0]?.isClear === true);
