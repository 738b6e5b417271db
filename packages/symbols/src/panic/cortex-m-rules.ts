/**
 * Recognises faults printed by firmware for ARM Cortex-M. Sources: Zephyr (`arch/arm/core/cortex_m/fault.c`,
 * `arch/arm/core/fatal.c`), Mbed OS (`mbed_fault_handler.c`, `mbed_error.c`), CmBacktrace (`cm_backtrace.c`), nRF5
 * SDK (`hardfault_implementation.c`, `app_error_weak.c`), RIOT (`cpu/cortexm_common/vectors_cortexm.c`), MicroPython
 * (`ports/stm32/stm32_it.c`), Rust (cortex-m-rt, `ExceptionFrame`). Many STM32 programs use the handler from Yiu, The
 * Definitive Guide to the ARM Cortex-M3, appendix on faults.
 */
import { type FaultBit, faultSentences } from './cortex-m-faults.ts';
import { codeAddressesOf, registersIn } from './fault-registers.ts';
import {
  continued,
  general,
  mark,
  type PanicAddress,
  type PanicContext,
  type PanicMark,
  type PanicRule,
  type PrintedMemory,
  panicAddress,
  withRegisters,
} from './panic-mark.ts';
import { usedAddressSentence } from './used-address.ts';

/** Enters the section of a fault dump. Discards registers of earlier lines unless the section is already active. */
export function beginFault(context: PanicContext): void {
  if (context.section !== 'cortex-m') {
    context.fault.clear();
    context.stoppedAt = undefined;
    context.section = 'cortex-m';
  }
  context.untold = null;
  context.strays = 0;
}

const faultNames: readonly (readonly [RegExp, string])[] = [
  [/^hard/i, 'hard fault'],
  [/^bus/i, 'bus fault'],
  [/^usage/i, 'usage fault'],
  [/^secure/i, 'secure fault'],
  [/^m/i, 'memory management fault'],
];

const faultSentence = (name: string) =>
  `The processor stopped the program with a ${name}: the cause is in its status registers, where the firmware prints them.`;

function beginNamed(name: string, context: PanicContext, addresses: readonly PanicAddress[] = []): PanicMark {
  // A forced hard fault prints a second title. A title after the program counter belongs to another crash.
  const isContinued = context.section === 'cortex-m' && context.untold === null && context.stoppedAt === undefined;
  if (!isContinued) {
    context.section = 'none';
  }
  beginFault(context);
  context.stoppedAt = addresses[0]?.value;
  const found = faultNames.find(([form]) => form.test(name))?.[1] ?? 'fault';
  const one = continued(general(mark('exception', 'fault', faultSentence(found), addresses)), isContinued);
  return context.stoppedAt === undefined ? one : withRegisters(one, { pc: context.stoppedAt });
}

const KIND =
  '(?:[Hh]ard|HARD|Bus|BUS|Usage|USAGE|Secure|SECURE|Mem(?:ory)? ?[Mm]anage(?:ment)?|MEM(?:ORY)? ?MANAGE(?:MENT)?|MPU)';
/** Matches a title that is alone on its line, apart from punctuation and a few words added by handlers. */
const title = new RegExp(
  `^[^A-Za-z0-9]*(?:[Ii]n |IN )?(${KIND}[ _-]?(?:[Ff]ault|FAULT))(?:[ _-]?(?:[Hh]andler|HANDLER))?(?: ?\\(\\))?(?: (?:exception|error|detected|occurred|happened|triggered|handler - all numbers in hex))?[^A-Za-z0-9]*$`,
);

/** Causes by a distinctive text. Some firmware prints texts instead of status registers. */
const causes: readonly (readonly [RegExp, FaultBit])[] = [
  [/^unstacking error|caused by unstacking error|unstack for an exception return/i, 'UNSTKERR'],
  [/^stack overflow \(context area not valid\)/i, 'STKOF'],
  [/^stacking error|caused by stacking error|stacking for an exception entry/i, 'STKERR'],
  [/floating-point lazy state preservation/i, 'LSPERR'],
  [/\bimprecise data (?:bus error|access violation)|^Cause: Data bus error \(return address/i, 'IMPRECISERR'],
  [/\bprecise data (?:bus error|access violation)|^Cause: Data bus error \(PC value/i, 'PRECISERR'],
  [/^data access violation|caused by data access violation|location that does not permit the operation/i, 'DACCVIOL'],
  [
    /^instruction bus error|^Cause: Instruction bus error|Bus fault is caused by instruction access violation/i,
    'IBUSERR',
  ],
  [/^instruction access violation|caused by instruction access violation/i, 'IACCVIOL'],
  [/^division by zero|caused by indicates a divide by zero|divisor of 0/i, 'DIVBYZERO'],
  [
    /^unaligned memory access|caused by indicates that an unaligned access|made an unaligned memory access/i,
    'UNALIGNED',
  ],
  [/^no coprocessor instructions|coprocessor/i, 'NOCP'],
  [/^illegal load of EXC_RETURN|bad value in the EXC_RETURN|illegal load of EXC_RETURN/i, 'INVPC'],
  [/use of the EPSR|switch to an invalid state/i, 'INVSTATE'],
  [/undefined instruction/i, 'UNDEFINSTR'],
  [/vector table read|caused by failed vector fetch/i, 'VECTTBL'],
  [/Debug fault is caused by BKPT/i, 'DEBUGEVT'],
];
const usedAddress =
  /^(?:(MMFAR|BFAR) Address|(MemManage|Bus) Fault Address): 0x([0-9a-f]{1,8})|^The (memory management|bus) fault occurred address is ([0-9a-f]{8})/i;

/**
 * Parses rows of stack memory that handlers of Cortex-M faults print: an address, a sign or blanks, and words of 8
 * hexadecimal digits. Sources: CmBacktrace (`cm_backtrace.c`, `dump_stack`: `addr: 20000420 data: 08000a1d`), Mbed OS
 * (`mbed_error.c`, `print_stack_dump_core`: `0x20002F18:0x00000000 0x2000309C`), NuttX (`arm_assert.c`,
 * `arm_stackdump`: `200214e0: 200214f0 20021580`), and handlers of STM32 programs (`[0x20001f80] = 0x08000a1d`,
 * `SP+0x04: 0x08000a1d`).
 */

const WORD = '(?:0x)?[0-9a-f]{8}';
const SIGN = '(?: {0,4}(?:[:=|]|->|=>) {0,4}| {1,4}|\\t)';
const WORDS = `(${WORD}(?:[ ,\\t]{1,4}${WORD}){0,15})`;
/** The same bytes as characters. */
const TEXT = '(?: {1,4}(?:\\||<).{0,40})?';
const cmBacktraceRow = /^addr: ([0-9a-f]{8}) {1,8}data: ([0-9a-f]{8})$/i;
/** NuttX prints the name of the printing function first. */
const addressedRow = new RegExp(`^(?:[a-z]{1,12}_\\w{1,20}: )?[\\[(]?(${WORD})[\\])]?${SIGN}${WORDS},?${TEXT}$`, 'i');
const relativeRow = new RegExp(
  `^[\\[(]?SP ?\\+ ?(?:0x([0-9a-f]{1,4})|([0-9]{1,4}))[\\])]?${SIGN}${WORDS},?${TEXT}$`,
  'i',
);
const words = /(?<![0-9a-z])(?:0x)?([0-9a-f]{8})(?![0-9a-z])/gi;

/**
 * Reads a row of stack memory.
 *
 * @param line Line of a fault's dump, without a tool's prefix.
 * @param stackPointer Value that a row relative to SP counts from; undefined if the log has not named it.
 * @returns Undefined for any other line, and for an address that is not a multiple of 4.
 */
export function memoryRow(line: string, stackPointer: number | undefined): PrintedMemory | undefined {
  const behindFrame = cmBacktraceRow.exec(line);
  const [, digits, content = ''] = behindFrame ?? addressedRow.exec(line) ?? [];
  if (digits !== undefined) {
    const address = Number.parseInt(digits, 16);
    const found = { address, words: wordsOf(content) };
    return address % 4 === 0 ? { ...found, ...(behindFrame !== null && { isBehindFrame: true as const }) } : undefined;
  }
  const [, hexadecimal, decimal, relative = ''] = relativeRow.exec(line) ?? [];
  const offset = Number.parseInt(hexadecimal ?? decimal ?? '', hexadecimal === undefined ? 10 : 16);
  return stackPointer !== undefined && offset % 4 === 0
    ? { address: stackPointer + offset, words: wordsOf(relative) }
    : undefined;
}

const wordsOf = (text: string) => [...text.matchAll(words)].map(([, digits = '']) => Number.parseInt(digits, 16));
/** The line as a part of a fault's dump; undefined for another line. */
export function faultLine(line: string, context: PanicContext): PanicMark | undefined {
  if (context.section !== 'cortex-m') {
    return undefined;
  }
  const memory = context.untold === null ? memoryRow(line, context.fault.values['sp']) : undefined;
  if (memory !== undefined) {
    const addresses = memory.words.map((value): PanicAddress => ({ value, role: 'stack' }));
    return { ...mark('stack', 'fault', undefined, addresses), memory };
  }
  const cause = context.untold === null ? causeLine(line) : undefined;
  if (cause !== undefined) {
    return continued(mark('exception', 'fault', cause));
  }
  return registerRow(line, context);
}

function causeLine(line: string): string | undefined {
  const [, register, kind, digits, name, bare] = usedAddress.exec(line) ?? [];
  const value = digits ?? bare;
  if (value !== undefined) {
    const isMemory = /^m/i.test(register ?? kind ?? name ?? '');
    return usedAddressSentence(isMemory ? 'mmfar' : 'bfar', Number.parseInt(value, 16));
  }
  const bit = causes.find(([form]) => form.test(line))?.[1];
  return bit === undefined ? undefined : faultSentences[bit];
}

/**
 * Interprets a row of registers. In a dump without a title, keeps the registers until the program counter, which
 * proves that this is a dump.
 */
function registerRow(line: string, context: PanicContext): PanicMark | undefined {
  const registers = registersIn(line);
  if (registers.size === 0) {
    return undefined;
  }
  const isAnother = context.stoppedAt !== undefined && registers.has('r0') && context.fault.has('r0');
  if (isAnother) {
    context.fault.clear();
    context.stoppedAt = undefined;
  }
  const said = context.fault.add(registers);
  const addresses = codeAddressesOf(registers);
  const before = context.untold;
  context.stoppedAt = registers.get('pc') ?? context.stoppedAt;
  const values = Object.fromEntries(registers);
  if (isAnother) {
    return withRegisters(general(mark('exception', 'fault', said ?? faultSentence('fault'), addresses)), values);
  }
  if (before === null) {
    return withRegisters(mark('registers', 'fault', said, addresses), values);
  }
  if (!registers.has('pc')) {
    before.push(...addresses);
    // The row may still belong to a dump: it is neither marked nor counted as a stray line.
    return undefined;
  }
  context.untold = null;
  const all = [...before, ...addresses];
  const facts =
    said === undefined
      ? general(mark('registers', 'fault', faultSentence('fault'), all))
      : mark('registers', 'fault', said, all);
  return withRegisters(facts, context.fault.values);
}

/** Returns true for a row with registers, which may belong to a dump without a title. */
export const isUntoldRow = (line: string): boolean => registersIn(line).size > 0;

export const cortexMRules: readonly PanicRule[] = [
  {
    hint: 'Fault|FAULT|ard ?fault',
    form: title,
    opening: /\*{3,} (?:HARD|BUS|USAGE|MPU|SECURE) FAULT \*{3,}/,
    explain: ([, name = ''], context) => beginNamed(name, context),
  },
  {
    // nRF5 SDK.
    hint: 'HARD FAULT at',
    form: /^HARD FAULT at 0x([0-9a-f]{8})/i,
    opening: /HARD FAULT at 0x/,
    explain: ([, digits], context) => beginNamed('hard', context, [panicAddress(digits, 'exact', 'PC')]),
  },
  {
    hint: 'ontext before hard',
    form: /^Context before hard ?fault:/i,
    opening: /Context before hard ?fault:/,
    explain: (_, context) => beginNamed('hard', context),
  },
  {
    // Short form of Zephyr.
    hint: 'Fault. EXC',
    form: /^Fault! EXC #(\d{1,3})/,
    explain: ([, number], context) =>
      beginNamed({ '3': 'hard', '4': 'memory', '5': 'bus', '6': 'usage', '7': 'secure' }[number ?? ''] ?? '', context),
  },
  {
    hint: 'ExceptionFrame',
    form: /\bExceptionFrame \{/,
    explain({ input }, context) {
      beginFault(context);
      const registers = registersIn(input);
      const found = mark('exception', 'fault', faultSentence('fault'), codeAddressesOf(registers));
      return withRegisters(general(found), Object.fromEntries(registers));
    },
  },
  {
    hint: 'MbedOS Fault Handler',
    form: /^\+\+ MbedOS Fault Handler \+\+/,
    opening: /\+\+ MbedOS Fault Handler \+\+/,
    explain: (_, context) => beginNamed('', context),
  },
  {
    hint: 'FaultType:',
    form: /^FaultType: (\w{1,20})/,
    explain: ([, name = ''], context) => beginNamed(name, context),
  },
  {
    hint: 'MbedOS Error Info',
    form: /^\+\+ MbedOS Error Info \+\+/,
    opening: /\+\+ MbedOS Error Info \+\+/,
    explain(_, context) {
      const isContinued = context.section === 'cortex-m';
      beginFault(context);
      return continued(
        general(mark('abort', 'fault', 'The system stopped with an error: the next lines name it.')),
        isContinued,
      );
    },
  },
  {
    hint: 'Error Message: ',
    form: /^Error Message: (.{1,160})/,
    explain: ([, message = ''], { section }) =>
      section === 'cortex-m'
        ? continued(mark('abort', 'fault', `The system stopped with this error: ${message.trim().replace(/\.$/, '')}.`))
        : undefined,
  },
  {
    hint: 'Location: 0x',
    form: /^Location: 0x([0-9a-f]{1,8})$/i,
    // For a fault, the address of the instruction. For other errors, the return address of the reporting function,
    // with the Thumb bit.
    explain: ([, digits = ''], { section }) =>
      section === 'cortex-m'
        ? mark('registers', 'fault', undefined, [
            panicAddress(digits, /[13579bdf]$/i.test(digits) ? 'return' : 'exact', 'Location'),
          ])
        : undefined,
  },
  {
    // CmBacktrace in both of its languages.
    hint: 'on thread|bare metal|发生错误异常',
    form: /^Fault on (?:thread (.{1,32})|interrupt or bare metal ?\(no OS\) environment)$|^在(?:线程\((.{1,32})\)中|中断或裸机环境下)发生错误异常/,
    opening: /Fault on (?:thread .{1,32}|interrupt or bare metal ?\(no OS\) environment)$/,
    explain: (_, context) => beginNamed('', context),
  },
  {
    hint: 'Assert on |发生断言',
    form: /^Assert on (?:thread .{1,32}|interrupt or bare metal ?\(no OS\) environment)$|^在(?:线程\(.{1,32}\)中|中断或裸机环境下)发生断言/,
    opening: /Assert on (?:thread .{1,32}|interrupt or bare metal ?\(no OS\) environment)$/,
    explain(_, context) {
      beginFault(context);
      return mark('assert', 'fault', 'An assertion failed: the call stack below shows where.');
    },
  },
  {
    hint: 'addr2line -e',
    form: /\baddr2line -e \S{1,120} -a -f ((?:[0-9a-f]{8}[ \t]*){1,64})/i,
    explain({ 1: digits = '' }, { section, stoppedAt }) {
      const calls = digits
        .trim()
        .split(/\s+/)
        .map((one) => panicAddress(one, 'frame'));
      const isFault = section === 'cortex-m' || calls[0]?.value === stoppedAt;
      const addresses = calls.map((one, index) => (index === 0 && isFault ? { ...one, role: 'exact' as const } : one));
      return mark(
        'backtrace',
        'fault',
        'The calls that led here, innermost first: start with the first one in your own code.',
        addresses,
      );
    },
  },
  {
    // Rows of a dump without a title. Status registers or both PC and LR prove that a row with registers belongs to a
    // dump.
    hint: '[CcHh][Ff][Ss][Rr] *[=:]|\\b[Rr]0(?:/a1)? *[=:]|\\b[Rr]0 {2,}[0-9a-fA-F]{8}\\b|\\b[Pp][Cc] *[=:]',
    form: /\b(?:[CH]FSR|R0|PC)\b/i,
    explain: ({ input }, context) => firstRow(input, context),
  },
];

function firstRow(line: string, context: PanicContext): PanicMark | undefined {
  const registers = registersIn(line);
  const isCertain =
    registers.has('cfsr') ||
    registers.has('hfsr') ||
    (registers.has('pc') && registers.has('lr')) ||
    /^r0\/a1:/i.test(line);
  if (!isCertain && !(registers.has('r0') && context.section === 'none')) {
    return undefined;
  }
  beginFault(context);
  if (isCertain) {
    return registerRow(line, context);
  }
  context.untold = [];
  registerRow(line, context);
  return undefined;
}
