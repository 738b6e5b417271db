/**
 * Recognises failures that name a place instead of an address. Sources: MicroPython, `py/obj.c`
 * (`mp_obj_print_exception`); Pico SDK, `src/rp2_common/pico_platform_panic/panic.c`; Linux, `kernel/panic.c`,
 * `arch/arm/kernel/traps.c`, `arch/arm64/kernel/process.c`, `arch/riscv/kernel/process.c`.
 */
import { continued, general, mark, type PanicContext, type PanicMark, type PanicRule } from './panic-mark.ts';

/** Matches `  File "lib/sensor.py", line 40, in read`. */
const tracebackRow = /^ *File "([^"]{1,200})", line (\d{1,7})(?:, in (.{1,80}))?$/;
/** Matches `OSError: [Errno 19] ENODEV`, the last line of a traceback. */
const exceptionRow = /^((?:\w{1,40}\.){0,4}[A-Za-z_]\w{0,60})(?:: .{0,400})?$/;
/** Exceptions that end a program on purpose. */
const intended = new Set(['KeyboardInterrupt', 'SystemExit']);
/** Matches `PC is at f+0x10/0x20`, `pc : f+0x10/0x20` and `epc : f+0x10/0x20`. */
const kernelPlace = /\b(?:PC is at|e?pc :) ([\w.]{1,80}\+0x[0-9a-f]{1,8}\/0x[0-9a-f]{1,8})/;

/** Interprets the line as part of a traceback of Python, an oops of Linux or a panic of the Pico SDK; returns undefined for any other line. */
export function placeLine(line: string, context: PanicContext): PanicMark | undefined {
  if (context.section === 'linux') {
    const place = kernelPlace.exec(line)?.[1];
    return place === undefined
      ? undefined
      : continued(mark('panic', 'fault', `It happened in ${place} of the kernel.`));
  }
  if (context.section === 'pico-panic' && line.trim() !== '' && !line.startsWith('*** ')) {
    context.section = 'none';
    // `panic` ends the program: nothing but its text follows.
    return continued(
      mark('abort', 'fault', `The program stopped itself with panic: ${line.trim().replace(/\.$/, '')}.`),
    );
  }
  if (context.section !== 'traceback') {
    return undefined;
  }
  const [, file, number, name = '<module>'] = tracebackRow.exec(line) ?? [];
  if (file !== undefined) {
    // Code that was typed at the prompt fails in front of its author.
    const isTyped = file === '<stdin>';
    context.place = isTyped ? null : `${name === '<module>' ? '' : `${name}, `}${file} line ${number}`;
    context.strays = 0;
    return undefined;
  }
  const exception = exceptionRow.exec(line)?.[1];
  if (exception === undefined || /^\s/.test(line)) {
    return undefined;
  }
  const { place } = context;
  context.section = 'none';
  context.place = null;
  return place === null || intended.has(exception)
    ? undefined
    : mark('exception', 'fault', `The Python program ended with ${exception} in ${place}.`);
}

export const placeRules: readonly PanicRule[] = [
  {
    hint: 'Traceback \\(most recent',
    form: /^Traceback \(most recent call last\):/,
    opening: /Traceback \(most recent call last\):/,
    explain(_, context) {
      context.section = 'traceback';
      context.strays = 0;
      context.place = null;
      return undefined;
    },
  },
  {
    hint: '\\*\\*\\* PANIC \\*\\*\\*',
    form: /^\*\*\* PANIC \*\*\*/,
    opening: /\*\*\* PANIC \*\*\*/,
    // The text of `panic` is behind an empty line; programs built with PICO_PANIC_NO_MESSAGE print none.
    explain(_, context) {
      context.section = 'pico-panic';
      context.strays = 0;
      return general(mark('abort', 'fault', 'The program stopped itself with panic: the lines behind say why.'));
    },
  },
  {
    hint: 'Kernel panic - not|Internal error: Oops|Unable to handle kernel',
    form: /\b(?:Kernel panic - not syncing: (.{1,100})|Internal error: Oops|Unable to handle kernel (.{1,60}?)(?: at virtual address .{1,24})?$)/,
    explain([, panic, fault], context) {
      const isContinued = context.section === 'linux';
      context.section = 'linux';
      context.strays = 0;
      const reason = panic ?? fault;
      const why = reason === undefined ? '' : ` (${reason.trim()})`;
      return continued(
        mark(
          'panic',
          'fault',
          `The Linux kernel stopped${why}: its addresses need the kernel's own symbols, as with scripts/decode_stacktrace.sh.`,
        ),
        isContinued,
      );
    },
  },
];
