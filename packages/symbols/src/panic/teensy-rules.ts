/**
 * Recognises `CrashReport` of Teensy 4, which tells of the crash before the last start. Source: PaulStoffregen/cores
 * 10025393, `teensy4/CrashReport.cpp`, with its list of reasons for a reboot (i.MX RT1060 reference manual, SRC_SRSR).
 */
import { beginFault } from './cortex-m-rules.ts';
import { previousBoot } from './esphome-rules.ts';
import {
  continued,
  general,
  mark,
  type PanicContext,
  type PanicMark,
  type PanicRule,
  panicAddress,
  withRegisters,
} from './panic-mark.ts';

/** Matches lines that repeat other lines, or tell of the time and the clock. */
const detail =
  /^(?:A problem occurred at \(system time\) |Check code at 0x|Check for stack overflows|Run "addr2line -e |Startup CPU clock speed is |Reboot was caused by auto reboot after fault)/;
/** Matches `(DACCVIOL) Data Access Violation`: a bit of CFSR or HFSR, whose row says the same. */
const bit = /^\((?:[IDB]?[A-Z]{4,11})\) \S/;
const accessed = /^\((MMAR|BFAR)VALID\) Accessed Address: 0x([0-9a-f]{1,8})( \(Stack problem\))?/i;
const stackProblem = 'It is at the end of the stack: give it more room, and check arrays on it.';

/** Interprets the line as part of a `CrashReport`; returns undefined for any other line. */
export function teensyLine(line: string, context: PanicContext): PanicMark | undefined {
  if (context.section !== 'cortex-m') {
    return undefined;
  }
  const [, register, digits = '', isStackProblem] = accessed.exec(line) ?? [];
  if (register !== undefined) {
    const said = context.fault.add(new Map([[register === 'MMAR' ? 'mmfar' : 'bfar', Number.parseInt(digits, 16)]]));
    return mark('registers', 'fault', isStackProblem === undefined ? said : `${said ?? ''} ${stackProblem}`.trim());
  }
  const temperature = /^Temperature inside the chip was (-?\d{1,3}(?:\.\d{1,2})?)/.exec(line)?.[1];
  if (temperature !== undefined) {
    return mark('registers', 'fault', `The chip was at ${temperature} °C.`);
  }
  const [, number, value] = /^Breadcrumb #(\d) was (\S{1,12} \(0x[0-9a-f]{1,8}\))/i.exec(line) ?? [];
  if (number !== undefined) {
    return mark('registers', 'fault', `The program recorded ${value} as breadcrumb ${number}.`);
  }
  return detail.test(line) || bit.test(line) ? mark('registers', 'fault') : undefined;
}

/** Reasons for a reboot, by the words of the report. Absent: none that needs an action. */
const reboots: Readonly<Record<string, PanicMark | undefined>> = {
  'software write to SCB_AIRCR or CPU lockup': mark(
    'registers',
    'notice',
    'The program restarted the board, or an error occurred while another was being handled.',
  ),
  'security monitor': mark('watchdog', 'fault', 'The security monitor of the chip restarted the board.'),
  'power on/off button': undefined,
  'watchdog 1 or 2': mark('watchdog', 'fault', watchdogSentence('Watchdog 1 or 2')),
  'watchdog 3': mark('watchdog', 'fault', watchdogSentence('Watchdog 3')),
  'JTAG boundary scan': undefined,
  'JTAG debug': undefined,
  'temperature sensor': mark(
    'watchdog',
    'fault',
    'The chip became too hot and restarted: lower its clock, or cool it with a heat sink.',
  ),
};

function watchdogSentence(name: string): string {
  return `${name} restarted the board because the program hung: check for loops that never wait and for blocked interrupts.`;
}

export const teensyRules: readonly PanicRule[] = [
  {
    hint: 'CrashReport:',
    form: /^CrashReport:$/,
    opening: /CrashReport:$/,
    explain(_, context) {
      context.section = 'none';
      beginFault(context);
      return general(mark('exception', 'fault', previousBoot));
    },
  },
  {
    hint: 'Code was executing from',
    form: /^Code was executing from address 0x([0-9a-f]{1,8})/i,
    opening: /Code was executing from address 0x/,
    explain([, digits], context) {
      const isContinued = context.section === 'cortex-m';
      beginFault(context);
      const address = panicAddress(digits, 'exact', 'PC');
      context.stoppedAt = address.value;
      const found = withRegisters(mark('exception', 'fault', isContinued ? undefined : previousBoot, [address]), {
        pc: address.value,
      });
      return isContinued ? continued(found) : general(found);
    },
  },
  {
    hint: 'Reboot was caused by',
    form: /^Reboot was caused by (.{1,80}?)$/,
    explain([, reason = ''], { section }) {
      const found = Object.hasOwn(reboots, reason)
        ? reboots[reason]
        : mark('registers', 'notice', `The board restarted by ${reason}, which is not in the list of Teensy's core.`);
      const isContinued = section === 'cortex-m';
      return found === undefined || (!isContinued && found.severity === 'notice')
        ? undefined
        : continued(found, isContinued);
    },
  },
  {
    hint: 'Panic Temp Exceeded',
    form: /^Panic Temp Exceeded Shutting Down/,
    opening: /Panic Temp Exceeded Shutting Down/,
    explain: (_, { section }) =>
      continued(
        mark('abort', 'fault', 'The chip became too hot and switched itself off: lower its clock, or cool it.'),
        section === 'cortex-m',
      ),
  },
];
