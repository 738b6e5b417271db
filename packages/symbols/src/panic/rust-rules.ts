/**
 * Recognises panics and exceptions of programs in Rust. Sources: Rust, `core::panic::PanicInfo` (before 1.73 the
 * message precedes the place); esp-rs, `esp-backtrace/src/lib.rs` and `esp-hal/src/exception_handler/mod.rs`. The
 * `ExceptionFrame` of cortex-m-rt is in `cortex-m-rules.ts`.
 */
import { causeNamed } from './exception-causes.ts';
import {
  continued,
  mark,
  type PanicAddress,
  type PanicContext,
  type PanicMark,
  type PanicRule,
  panicAddress,
} from './panic-mark.ts';
import { usedAddressSentence } from './used-address.ts';

/** Names of xtensa-lx-rt and esp-hal that differ from those of ESP-IDF. */
const names: Readonly<Record<string, string>> = {
  Illegal: 'IllegalInstruction',
  InstrProhibited: 'InstrFetchProhibited',
  InstrFetchError: 'InstructionFetchError',
  DivideByZero: 'IntegerDivideByZero',
  Unaligned: 'LoadStoreAlignment',
  'Store/AMO address misaligned': 'Store address misaligned',
  'Store/AMO access fault': 'Store access fault',
  'Store/AMO page fault': 'Store page fault',
};

const panicSentence = (place: string) => `The program panicked at ${place}: the text beside it says why.`;

/** Enters the section of a backtrace, with one address on each line. */
function begin(context: PanicContext): void {
  context.section = 'esp-backtrace';
  context.strays = 0;
}

/** Interprets the line as part of the output of `esp-backtrace`; returns undefined for any other line. */
export function rustLine(line: string, context: PanicContext): PanicMark | undefined {
  if (context.section !== 'esp-backtrace') {
    return undefined;
  }
  // espflash and cargo-espflash add the function after the address. Some programs print several in one line.
  const frame = /^((?:0x[0-9a-f]{6,8}[ ,]{0,2}){1,64})(?:$|- |\(esp_backtrace|\[)/i.exec(line);
  if (frame !== null) {
    const addresses = [...(frame[1] ?? '').matchAll(/0x([0-9a-f]{6,8})/gi)];
    return mark(
      'backtrace',
      'fault',
      undefined,
      addresses.map(([, digits]) => panicAddress(digits, 'call')),
    );
  }
  const registers = [...line.matchAll(/\b(PC|A0|EXCVADDR)=0x([0-9a-f]{8})\b/g)].filter(
    ([, name]) => name !== 'EXCVADDR',
  );
  const addresses = registers.map(
    ([, name = '', digits]): PanicAddress => panicAddress(digits, name === 'PC' ? 'exact' : 'return', name),
  );
  return addresses.length === 0 ? undefined : mark('registers', 'fault', undefined, addresses);
}

export const rustRules: readonly PanicRule[] = [
  {
    hint: 'panicked at',
    form: /\bpanicked at (?:.{0,400}, )?(\S{1,200}\.rs:\d{1,7}(?::\d{1,5})?)/,
    explain([, place = ''], context) {
      begin(context);
      return mark('abort', 'fault', panicSentence(place));
    },
  },
  {
    hint: 'A panic occur',
    form: /^!! A panic occurr?ed in '(.{1,200})', at line (\d{1,7}), column (\d{1,5})/,
    opening: /!! A panic occurr?ed /,
    explain([, file = '', line, column], context) {
      begin(context);
      return mark('abort', 'fault', panicSentence(`${file}:${line}:${column}`));
    },
  },
  {
    hint: 'xception occur',
    form: /^Exception occurr?ed (?:on \w{1,12} )?'(\w{1,40})'/,
    opening: /Exception occurr?ed (?:on \w{1,12} )?'/,
    explain([, name = ''], context) {
      begin(context);
      return mark('exception', 'fault', causeNamed(names[name] ?? name).sentence);
    },
  },
  {
    hint: 'mepc=0x',
    form: /^Exception '(.{1,40})' mepc=0x([0-9a-f]{8}), mtval=0x([0-9a-f]{8})/,
    opening: /Exception '.{1,40}' mepc=0x/,
    explain([, name = '', mepc, mtval = ''], context) {
      begin(context);
      const cause = causeNamed(names[name] ?? name);
      const used = cause.isAboutAccess ? ` ${usedAddressSentence('mtval', Number.parseInt(mtval, 16))}` : '';
      return mark('exception', 'fault', `${cause.sentence}${used}`, [panicAddress(mepc, 'exact', 'MEPC')]);
    },
  },
  {
    hint: 'called by 0x',
    form: /^Stack overflow detected at 0x([0-9a-f]{6,8}) called by 0x([0-9a-f]{6,8})/,
    explain: ([, at, caller]) =>
      mark('stack-overflow', 'fault', 'The program used more stack than it has: keep large variables off the stack.', [
        panicAddress(at, 'exact'),
        panicAddress(caller, 'return'),
      ]),
  },
  {
    hint: 'acktrace:',
    form: /^Backtrace:(?: \(esp_backtrace.{0,80}\))?$/,
    explain(_, context) {
      if (context.section !== 'esp-backtrace') {
        return undefined;
      }
      begin(context);
      return continued(
        mark(
          'backtrace',
          'fault',
          'The calls that led here, innermost first: start with the first one in your own code.',
        ),
      );
    },
  },
];
