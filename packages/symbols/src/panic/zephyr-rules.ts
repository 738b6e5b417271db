/**
 * Recognises fatal errors printed by Zephyr and the nRF Connect SDK. Sources: Zephyr, `kernel/fatal.c`,
 * `arch/arm/core/fatal.c`, `arch/riscv/core/fatal.c`, `arch/riscv/core/stacktrace.c`, `arch/xtensa/core/fatal.c` and
 * `vector_handlers.c`, `lib/os/assert.c`. Faults of Cortex-M are in `cortex-m-rules.ts`.
 */
import { beginFault } from './cortex-m-rules.ts';
import { causeNamed, causeNumbered } from './exception-causes.ts';
import {
  continued,
  general,
  mark,
  type PanicAddress,
  type PanicContext,
  type PanicMark,
  type PanicRule,
  panicAddress,
  withRegisters,
} from './panic-mark.ts';
import { usedAddressSentence } from './used-address.ts';
import { fatalReason } from './zephyr-reasons.ts';

/** Matches a 32-bit word, or a 64-bit word with an upper half of 0. */
const HEX = '(?:0{8})?([0-9a-f]{8})';
const riscvRegister = new RegExp(`(?<!\\w)([ast]\\d{1,2}|sp|ra|gp|tp|[mx]epc|[mx]status): ${HEX}(?![0-9a-f])`, 'gi');
/** Matches `0: fp: 8000de30   ra: 8000045e [main+0x20]`. */
const callTraceRow = /^\d{1,3}: (?:([fs]p): [0-9a-f]{8,16} +)?(?:ra|lr): (?:0x)?(?:0{8})?([0-9a-f]{8})(?![0-9a-f])/i;
const xtensaRegister = /(?<!\w)(PC|VADDR|A\d{1,2}|SP) (?:0x([0-9a-f]{1,8})|\(nil\)|0(?!x))/gi;

/** Interprets the line as part of a Zephyr dump; returns undefined for any other line. */
export function zephyrLine(line: string, context: PanicContext): PanicMark | undefined {
  if (context.section === 'zephyr-riscv' || context.section === 'cortex-m') {
    if (line === 'call trace:') {
      context.rows.beginFrames();
      return mark('backtrace', 'fault');
    }
    const traced = callTraceRow.exec(line);
    if (traced !== null) {
      // Without frame pointers, Zephyr lists each word between the stack pointer and the end that may be code.
      const address = panicAddress(traced[2], traced[1]?.toLowerCase() === 'sp' ? 'stack' : 'frame');
      return mark('backtrace', 'fault', undefined, [
        address.value === context.stoppedAt ? { ...address, role: 'exact' } : address,
      ]);
    }
  }
  if (context.section === 'zephyr-riscv') {
    return riscvRow(line, context);
  }
  return context.section === 'zephyr-xtensa' ? xtensaRow(line, context) : undefined;
}

function riscvRow(line: string, context: PanicContext): PanicMark | undefined {
  const access = /^mtval: ([0-9a-f]{1,8})$/i.exec(line)?.[1];
  if (access !== undefined) {
    const value = Number.parseInt(access, 16);
    return mark('registers', 'fault', context.isAboutAccess ? usedAddressSentence('mtval', value) : undefined);
  }
  const registers = [...line.matchAll(riscvRegister)];
  if (registers.length === 0) {
    return undefined;
  }
  const addresses = registers.flatMap(([, name = '', digits]): PanicAddress[] => {
    const label = name.toUpperCase();
    if (/^.EPC$/.test(label)) {
      const address = panicAddress(digits, 'exact', label);
      context.stoppedAt = address.value;
      return [address];
    }
    return /^(?:SP|GP|TP|.STATUS)$/.test(label)
      ? []
      : [panicAddress(digits, label === 'RA' ? 'return' : 'register', label)];
  });
  return mark('registers', 'fault', undefined, addresses);
}

function xtensaRow(line: string, context: PanicContext): PanicMark | undefined {
  if (!line.startsWith('**')) {
    return undefined;
  }
  const cause = /EXCCAUSE (\d{1,2})\b/.exec(line)?.[1];
  if (cause !== undefined) {
    context.isAboutAccess = causeNumbered(Number(cause)).isAboutAccess ?? false;
  }
  const registers = [...line.matchAll(xtensaRegister)];
  const used = registers.find(([, name]) => name === 'VADDR')?.[2];
  const addresses = registers.flatMap(([, name = '', digits]): PanicAddress[] =>
    digits === undefined || name === 'VADDR' || name === 'SP'
      ? []
      : [panicAddress(digits, name === 'PC' ? 'exact' : name === 'A0' ? 'return' : 'register', name)],
  );
  const said = [
    ...(cause === undefined ? [] : [causeNumbered(Number(cause)).sentence]),
    ...(context.isAboutAccess && registers.some(([, name]) => name === 'VADDR')
      ? [usedAddressSentence('vaddr', Number.parseInt(used ?? '0', 16))]
      : []),
  ];
  const isCause = cause !== undefined && registers.length === 0;
  return mark(isCause ? 'exception' : 'registers', 'fault', said.length === 0 ? undefined : said.join(' '), addresses);
}

export const zephyrRules: readonly PanicRule[] = [
  {
    hint: 'ZEPHYR FATAL ERROR',
    form: /ZEPHYR FATAL ERROR (\d{1,3}): (.{1,60})/,
    opening: />>> ZEPHYR FATAL ERROR/,
    explain([, number], context) {
      const isContinued = context.section !== 'none';
      const machine = context.section === 'cortex-m' ? 'arm' : null;
      if (!isContinued) {
        beginFault(context);
      }
      const value = Number(number);
      const found = mark(value === 2 ? 'stack-overflow' : 'panic', 'fault', fatalReason(value, machine).sentence);
      // Number 0 and numbers above 4 are general, because the lines before give the cause of the exception.
      return continued(value === 0 || value > 4 ? general(found) : found, isContinued);
    },
  },
  {
    hint: 'Current thread',
    form: /^Current thread: (?:0x[0-9a-f]{1,8}|\(nil\)) \((.{1,32})\)/i,
    explain: ([, name], { section }) =>
      section === 'none'
        ? undefined
        : continued(general(mark('panic', 'fault', name === 'unknown' ? undefined : `It happened in thread ${name}.`))),
  },
  {
    hint: 'Faulting instruction address',
    form: /^Faulting instruction address(?: \(r15\/pc\))?(?::| =) 0x([0-9a-f]{1,8})/i,
    opening: /Faulting instruction address \(r15\/pc\): /,
    explain([, digits], context) {
      const before = context.untold ?? [];
      const saved = context.untold === null ? {} : context.fault.values;
      beginFault(context);
      const address = panicAddress(digits, 'exact', 'PC');
      context.stoppedAt = address.value;
      const found = mark('registers', 'fault', undefined, [...before, address]);
      return withRegisters(found, { ...saved, pc: address.value });
    },
  },
  {
    // Zephyr before 2.0.
    hint: 'Hardware exception|Stack Check Fail|Kernel Allocation|Kernel OOPS|Kernel Panic',
    form: /^\*{4,5} (Hardware exception|Stack Check Fail|Kernel Allocation Failure|Kernel OOPS|Kernel Panic)!? \*{4,5}/,
    explain([, name = ''], context) {
      const isContinued = context.section !== 'none';
      beginFault(context);
      const number = { 'Stack Check Fail': 2, 'Kernel OOPS': 3, 'Kernel Panic': 4 }[name] ?? 0;
      const one = mark(number === 2 ? 'stack-overflow' : 'panic', 'fault', fatalReason(number, null).sentence);
      return continued(number === 0 ? general(one) : one, isContinued);
    },
  },
  {
    hint: 'ASSERTION FAIL ',
    form: /^ASSERTION FAIL \[(.{0,200})\] @ (\S{1,200})/,
    opening: /ASSERTION FAIL \[/,
    explain: ([, , place = '']) =>
      mark('assert', 'fault', `An assertion failed at ${place}: the line gives the condition.`),
  },
  {
    hint: 'mcause:',
    form: /^mcause: (\d{1,3}), (.{1,40})$/,
    opening: /mcause: \d{1,3}, /,
    explain([, , name = ''], context) {
      const cause = causeNamed(normalised(name));
      context.section = 'zephyr-riscv';
      context.strays = 0;
      context.isAboutAccess = cause.isAboutAccess ?? false;
      context.stoppedAt = undefined;
      return mark('exception', 'fault', cause.sentence);
    },
  },
  {
    // Dump without an exception, as after `k_panic`.
    hint: 'a0: ',
    form: /^a0: [0-9a-f]{8,16} +t0: [0-9a-f]{8,16}$/i,
    explain({ input }, context) {
      context.section = 'zephyr-riscv';
      context.strays = 0;
      context.stoppedAt = undefined;
      return riscvRow(input, context);
    },
  },
  {
    hint: 'FATAL EXCEPTION',
    form: /^\*\* FATAL EXCEPTION/,
    opening: /\*\* FATAL EXCEPTION/,
    explain(_, context) {
      context.section = 'zephyr-xtensa';
      context.strays = 0;
      context.isAboutAccess = false;
      return general(
        mark(
          'exception',
          'fault',
          'The processor stopped the program with an exception: the next line names its cause.',
        ),
      );
    },
  },
];

/** Returns the RISC-V cause in ESP-IDF's spelling. */
function normalised(name: string): string {
  const [first = '', ...rest] = name.trim().replace('/AMO', '');
  return `${first.toUpperCase()}${rest.join('').toLowerCase()}`.replace(
    /([usm])-mode/,
    (_, mode: string) => `${mode.toUpperCase()}-mode`,
  );
}
