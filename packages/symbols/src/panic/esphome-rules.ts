/**
 * Recognises crashes that firmware reports after the restart. Sources: ESPHome
 * (`esphome/components/esp32/crash_handler.cpp`, `esp8266/crash_handler.cpp`, `rp2040/crash_handler.cpp`, with the forms
 * of August 2026; `zephyr`'s `Last crash:`); Tasmota (`tasmota_support/support_crash_recorder.ino`).
 */
import { causeNamed, causeNumbered, type ExceptionCause, isNamedCause, isRiscvCause } from './exception-causes.ts';
import {
  continued,
  general,
  mark,
  type PanicAddress,
  type PanicContext,
  type PanicMark,
  type PanicRule,
  panicAddress,
  withMissing,
} from './panic-mark.ts';
import { usedAddressSentence } from './used-address.ts';
import { fatalReason } from './zephyr-reasons.ts';

export const previousBoot = 'The board crashed before it started the last time: the next lines say why and where.';
/**
 * Sentences by ESP-IDF's `panic_exception_t` and the reset reasons of ESP8266. Used for lines without the cause of an
 * exception.
 */
const reasons: Readonly<Record<string, string>> = {
  'Debug exception': 'The processor stopped at a breakpoint or a watchpoint: most often a stack that overflowed.',
  'Interrupt wdt':
    'Interrupts were blocked for too long: check for long interrupt handlers and for critical sections that wait.',
  'Task wdt':
    'A task did not report in time: another task never yields, or this one waits for something that never comes.',
  Abort: 'The program aborted: the code that called abort says why.',
  'Hardware WDT': 'The hardware watchdog restarted the chip because the program hung.',
  'Soft WDT':
    'The watchdog restarted the chip because the program did not let the system run: call delay or yield in long loops.',
};

/** Frames of a core that ESPHome keeps (`MAX_BACKTRACE` of its crash handlers). */
const MAX_FRAMES = 16;
const lastFrame = `ESPHome keeps ${MAX_FRAMES} frames of a core: callers further out may be missing.`;

/** Interprets the line as part of ESPHome's report of the previous crash; returns undefined for any other line. */
export function esphomeLine(line: string, context: PanicContext): PanicMark | undefined {
  if (context.section !== 'esphome') {
    return undefined;
  }
  const reason = /^Reason: ([^-(]{1,40}?)(?: - ([^(]{1,60}?))?(?: \((exccause=|cause )(\d{1,10})\))?$/.exec(line);
  if (reason !== null) {
    const [, type = '', name, kind, number] = reason;
    // `exccause` is always that of Xtensa. `cause` is that of the chip, whose name for it stands before it.
    const cause = causeOfReason(name, kind === 'exccause=' ? number : undefined);
    context.isAboutAccess = cause?.isAboutAccess ?? false;
    return continued(mark('exception', 'fault', reasons[type] ?? (cause ?? causeNamed(name ?? '')).sentence));
  }
  const core = /^(?:Crashed core: |Other core \()(\d)/.exec(line)?.[1];
  if (core !== undefined) {
    context.core = Number(core);
    if (line.startsWith('Other')) {
      context.rows.beginFrames();
      context.stoppedAt = undefined;
    }
    return mark('registers', 'fault');
  }
  const used = /^EXCVADDR: 0x([0-9a-f]{8})\b/i.exec(line)?.[1];
  if (used !== undefined) {
    const sentence = context.isAboutAccess ? usedAddressSentence('excvaddr', Number.parseInt(used, 16)) : undefined;
    return mark('registers', 'fault', sentence);
  }
  const register = /^(PC|LR|SP): {1,2}0x([0-9a-f]{8})\b/i.exec(line);
  if (register !== null) {
    const [, name = '', digits] = register;
    const address = panicAddress(digits, name === 'PC' ? 'exact' : 'return', name);
    context.stoppedAt = name === 'PC' ? address.value : context.stoppedAt;
    return mark('registers', 'fault', undefined, name === 'SP' ? [] : [address]);
  }
  const frame = /^BT(\d{1,2}): 0x([0-9a-f]{8})\b(?: +\((backtrace|stack scan|stack backtrace)\))?/i.exec(line);
  if (frame !== null) {
    const [, number, digits, source] = frame;
    const address = panicAddress(digits, source === 'backtrace' || source === 'stack scan' ? 'frame' : 'stack');
    // The first frame is the instruction itself if it equals the program counter.
    const found = mark('backtrace', 'fault', undefined, [
      address.value === context.stoppedAt ? { ...address, role: 'exact' } : address,
    ]);
    return Number(number) === MAX_FRAMES - 1 ? withMissing(found, lastFrame) : found;
  }
  // The commands repeat addresses of the lines before.
  return /^(?:Use|Other core):? addr2line /.test(line) ? mark('backtrace', 'fault') : undefined;
}

function causeOfReason(name: string | undefined, number: string | undefined): ExceptionCause | undefined {
  if (number !== undefined) {
    return causeNumbered(Number(number));
  }
  return name !== undefined && isNamedCause(name) ? causeNamed(name) : undefined;
}

/** Tasmota's names of the pseudo-causes that ESP-IDF's panic handler adds to those of the processor. */
const pseudoCauses: Readonly<Record<string, string>> = {
  DebugException: 'Unhandled debug exception',
  DoubleException: 'Double exception',
  KernelException: 'Unhandled kernel exception',
  CoprocException: 'Coprocessor exception',
  IntWdtCpu0: 'Interrupt wdt timeout on CPU0',
  IntWdtCpu1: 'Interrupt wdt timeout on CPU1',
  CacheError: 'Cache error',
};

/** Returns true for the first entry of a backtrace, which is the instruction itself or the one before. */
const isNear = (one = '', other = '') => Math.abs(Number.parseInt(one, 16) - Number.parseInt(other, 16)) <= 3;

const hexOf = (text: string) => [...text.matchAll(/"([0-9a-f]{8})"/gi)].map(([, digits]) => digits);

export const esphomeRules: readonly PanicRule[] = [
  {
    hint: 'CRASH DETECTED ON PREVIOUS BOOT',
    form: /\*\*\* CRASH DETECTED ON PREVIOUS BOOT \*\*\*/,
    opening: /\*\*\* CRASH DETECTED ON PREVIOUS BOOT/,
    explain(_, context) {
      context.section = 'esphome';
      context.strays = 0;
      context.stoppedAt = undefined;
      context.core = undefined;
      return general(mark('panic', 'fault', previousBoot));
    },
  },
  {
    // ESPHome on nRF52.
    hint: 'Reason=',
    form: /^Reason=.{1,40}? \((\d{1,3})\) PC=0x([0-9a-f]{8}) LR=0x([0-9a-f]{8})$/i,
    opening: /Reason=.{1,40}? \(\d{1,3}\) PC=0x/,
    explain: ([, number, pc, lr]) =>
      mark(
        'exception',
        'fault',
        `The board crashed before it started the last time. ${fatalReason(Number(number), 'arm').sentence}`,
        [panicAddress(pc, 'exact', 'PC'), panicAddress(lr, 'return', 'LR')],
      ),
  },
  {
    hint: '"Exception":',
    form: /"Exception":(\d{1,10}),"Reason":"([^"]{0,60})","EPC":("[0-9a-f]{8}"|\[[^\]]{0,60}\]),"EXCVADDR":"([0-9a-f]{8})"(?:,"DEPC":"[0-9a-f]{8}")?(?:,"CallChain":\[([^\]]{0,1000})\])?/i,
    explain([input = '', number, reason = '', epc = '', used = '', chain = ''], { chip }) {
      const name = pseudoCauses[reason] ?? reason;
      const cause = isNamedCause(name) ? causeNamed(name) : causeNumbered(Number(number));
      const access = cause.isAboutAccess ? ` ${usedAddressSentence('excvaddr', Number.parseInt(used, 16))}` : '';
      const stopped = hexOf(epc).filter((digits) => Number.parseInt(digits ?? '', 16) !== 0);
      const calls = hexOf(chain);
      // ESP8266 and RISC-V list words of the stack that may be code. Xtensa lists its backtrace, which starts with
      // the instruction.
      const isXtensa = chip === undefined ? isNear(calls[0], stopped[0]) : /^esp32(?:s2|s3)?$/.test(chip);
      const isStack = input.includes('"DEPC"') || chip === 'esp8266';
      const addresses: PanicAddress[] = [
        ...stopped.map((digits) => panicAddress(digits, 'exact', 'EPC')),
        ...calls.map((digits, index) =>
          panicAddress(
            digits,
            isStack || ((isRiscvCause(name) || !isXtensa) && index > 0)
              ? 'stack'
              : isRiscvCause(name) || !isXtensa
                ? 'return'
                : index === 0 && digits === stopped[0]
                  ? 'exact'
                  : 'frame',
          ),
        ),
      ];
      return mark(
        'exception',
        'fault',
        `The board crashed before it started the last time. ${cause.sentence}${access}`,
        addresses,
      );
    },
  },
];
