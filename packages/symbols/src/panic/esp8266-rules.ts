/**
 * Recognises failures printed by ESP8266. Sources: the Arduino core (`core_esp8266_postmortem.cpp`; "My ESP crashes"
 * in its documentation) and Espressif's SDKs.
 */
import { accessSentence, epcAddresses } from './dump-lines.ts';
import { causeNumbered } from './exception-causes.ts';
import { mark, type PanicRule, panicAddress } from './panic-mark.ts';

const watchdogSentence =
  'The watchdog restarted the chip because the program did not let the system run: call delay or yield in long loops.';

export const esp8266Rules: readonly PanicRule[] = [
  {
    hint: 'xception',
    form: /\b(?:Fatal exception|Exception) ?\(?(\d{1,2})(?:\)|\([A-Za-z]{0,40}\))?:/,
    opening: /(?:Fatal exception|Exception) ?\(?\d/,
    explain({ input, 1: number }, context) {
      const cause = causeNumbered(Number(number));
      context.isAboutAccess = cause.isAboutAccess ?? false;
      context.isRiscv = false;
      // Some versions print the addresses on the same line.
      return mark('exception', 'fault', cause.sentence, epcAddresses(input));
    },
  },
  {
    hint: 'epc1=',
    form: /^epc1=0x[0-9a-f]{8}/,
    opening: /epc1=0x/,
    explain: ({ input }, context) => mark('registers', 'fault', accessSentence(input, context), epcAddresses(input)),
  },
  {
    hint: 'WDT reset|wdt reset',
    form: /^Soft WDT reset|^wdt reset\b/,
    opening: /Soft WDT reset|wdt reset/,
    // The ROM prints `wdt reset` after the reset reason. The Arduino core prints `Soft WDT reset` before it restarts.
    explain: ([text]) => ({ ...mark('watchdog', 'fault', watchdogSentence), isOfStart: text.startsWith('wdt') }),
  },
  {
    hint: 'Panic ',
    form: /^Panic \S{1,120}:\d{1,6} /,
    opening: /Panic \S{1,120}:\d{1,6} /,
    explain: () => mark('assert', 'fault', 'An assertion failed: the line says where.'),
  },
  {
    hint: 'Unhandled C',
    form: /^Unhandled C\+\+ exception: /,
    opening: /Unhandled C\+\+ exception: /,
    explain: () => mark('abort', 'fault', 'Nothing caught a C++ exception: OOM means that memory ran out.'),
  },
  {
    hint: 'Abort called|User exception',
    form: /^Abort called|^User exception \(panic\/abort\/assert\)/,
    opening: /Abort called|User exception \(panic/,
    explain: () => mark('abort', 'fault', 'The program aborted: the stack below shows where.'),
  },
  {
    hint: 'Stack smashing',
    form: /^Stack smashing detected at 0x([0-9a-f]{8})/,
    opening: /Stack smashing detected at 0x/,
    explain: ([, digits]) =>
      mark('stack-overflow', 'fault', 'A function wrote past the end of a variable on its stack: check its arrays.', [
        panicAddress(digits, 'return'),
      ]),
  },
  {
    hint: 'Stack overflow',
    form: /^Stack overflow detected/,
    opening: /Stack overflow detected/,
    explain: () =>
      mark(
        'stack-overflow',
        'fault',
        'The program used more stack than the 4 KB available: make large variables static.',
      ),
  },
  {
    hint: '>>>stack>>>',
    form: /^>>>stack>>>/,
    opening: />>>stack>>>/,
    explain(_, context) {
      context.section = 'esp8266-stack';
      return mark('stack', 'fault', 'The stack follows: words that follow a call are likely callers, innermost first.');
    },
  },
  {
    hint: '<<<stack<<<',
    form: /^<<<stack<<</,
    opening: /<<<stack<<</,
    explain(_, context) {
      context.section = 'none';
      return mark('stack', 'fault');
    },
  },
  {
    hint: 'last failed alloc',
    form: /^last failed alloc (?:call: |caller: 0x)([0-9a-f]{8})/i,
    opening: /last failed alloc (?:call|caller): /i,
    explain: ([, digits]) =>
      mark(
        'heap',
        'warning',
        'Memory ran out here before the crash: allocate less, or check the result of each allocation.',
        [panicAddress(digits, 'return')],
      ),
  },
];
