/**
 * Recognises crashes of NuttX. Its lines name the function that prints them, so each is recognised by itself. Sources:
 * NuttX, `arch/xtensa/src/common/xtensa_assert.c` and `xtensa_registerdump.c`, `arch/risc-v/src/common/riscv_exception.c`
 * and `riscv_registerdump.c`, `arch/arm/src/common/arm_registerdump.c`, `sched/misc/assert.c`,
 * `libs/libc/sched/sched_dumpstack.c`.
 */
import { causeNamed, causeNumbered } from './exception-causes.ts';
import { continued, mark, type PanicAddress, type PanicRule, panicAddress } from './panic-mark.ts';
import { usedAddressSentence } from './used-address.ts';

const register = /\b(E?PC|RA|LR|VADDR|[ARST]\d{1,2}|[IF]P|SP): ([0-9a-f]{8})(?![0-9a-f])/gi;
const roles: Readonly<Record<string, PanicAddress['role']>> = { PC: 'exact', EPC: 'exact', RA: 'return', LR: 'return' };

export const nuttxRules: readonly PanicRule[] = [
  {
    hint: 'xception: EXCCAUSE=',
    form: /\bxtensa_\w{1,20}: (?:User )?Exception: EXCCAUSE=([0-9a-f]{4})(?: task: (.{1,32}))?/i,
    opening: /xtensa_(?:user_)?panic: (?:User )?Exception: EXCCAUSE=/,
    explain([, digits = '', task], context) {
      const cause = causeNumbered(Number.parseInt(digits, 16));
      context.isRiscv = false;
      context.isAboutAccess = cause.isAboutAccess ?? false;
      return mark(
        'exception',
        'fault',
        `${cause.sentence}${task === undefined ? '' : ` It happened in task ${task}.`}`,
      );
    },
  },
  {
    hint: 'EXCEPTION: ',
    form: /\briscv_exception: EXCEPTION: (.{1,60}?)\. MCAUSE: [0-9a-f]{8,16}, EPC: (?:0{8})?([0-9a-f]{8}), MTVAL: (?:0{8})?([0-9a-f]{8})/i,
    opening: /riscv_exception: EXCEPTION: /,
    explain([, name = '', epc, mtval = ''], context) {
      const cause = causeNamed(name.replace('/AMO', ''));
      context.isRiscv = true;
      context.isAboutAccess = cause.isAboutAccess ?? false;
      const used = cause.isAboutAccess ? ` ${usedAddressSentence('mtval', Number.parseInt(mtval, 16))}` : '';
      return mark('exception', 'fault', `${cause.sentence}${used}`, [panicAddress(epc, 'exact', 'EPC')]);
    },
  },
  {
    hint: 'ssertion failed',
    form: /\b(?:_?up_assert|_assert|dump_assert_info): Assertion failed (.{0,40}?): ?at file: (.{0,200}?:\d{1,7}) task/,
    opening: /(?:_assert|dump_assert_info): Assertion failed/,
    explain: ([, what = '', place = '']) =>
      // An exception ends in an assertion of the panic handler, which is not the cause.
      /panic/.test(what)
        ? continued(mark('panic', 'fault'))
        : mark('assert', 'fault', `An assertion failed at ${place}: the line gives the condition.`),
  },
  {
    hint: 'registerdump:|dump_register:',
    form: /\b(?:(?:up|arm|riscv|xtensa)_registerdump|up_dump_register): /,
    explain({ input }, context) {
      if (!/\b(?:PS|EPC|A\d{1,2}|SAR|LBEG|[ST]\d{1,2}|RA): /.test(input)) {
        // Registers of ARM, which `cortex-m-rules.ts` collects.
        return undefined;
      }
      const found = [...input.matchAll(register)].map(([, name = '', digits]) => ({
        name: name.toUpperCase(),
        digits,
      }));
      context.isRiscv = found.some(({ name }) => name === 'EPC') || (context.isRiscv && found[0]?.name !== 'PC');
      const used = found.find(({ name }) => name === 'VADDR')?.digits;
      const addresses = found
        .filter(({ name }) => !['VADDR', 'SP', 'IP', 'FP', 'A1'].includes(name))
        .map(({ name, digits }) =>
          panicAddress(digits, name === 'A0' && !context.isRiscv ? 'return' : (roles[name] ?? 'register'), name),
        );
      const sentence =
        used !== undefined && context.isAboutAccess
          ? usedAddressSentence('vaddr', Number.parseInt(used, 16))
          : undefined;
      return continued(mark('registers', 'fault', sentence, addresses));
    },
  },
  {
    hint: 'backtrace\\|',
    form: /\bbacktrace\| ?\d{1,5}: ((?:0x[0-9a-f]{6,8} ?){1,32})/i,
    explain: ([, words = '']) =>
      continued(
        mark(
          'backtrace',
          'fault',
          undefined,
          [...words.matchAll(/0x([0-9a-f]{6,8})/gi)].map(([, digits], index) =>
            panicAddress(digits, index === 0 ? 'exact' : 'frame'),
          ),
        ),
      ),
  },
  {
    hint: 'stack_dump: 0x',
    form: /\bstack_dump: 0x[0-9a-f]{8}: ((?:[0-9a-f]{8} ?){1,8})/i,
    explain: ([, words = '']) =>
      continued(
        mark(
          'stack',
          'fault',
          undefined,
          [...words.matchAll(/[0-9a-f]{8}/gi)].map(([digits]) => panicAddress(digits, 'stack')),
        ),
      ),
  },
];
