/**
 * Recognises failures printed by firmware with ESP-IDF, on all chips. Arduino for ESP32 is built on ESP-IDF and
 * prints the same. Forms: `panic.c`, `panic_handler.c`, `abort.c`, `assert.c`, `task_wdt.c`, `brownout.c`,
 * `stack_check.c`, `ubsan.c` and the checks of the heap and FreeRTOS. Explanations: ESP-IDF Programming Guide, "Fatal
 * Errors" and "Watchdogs".
 */
import { backtraceAddresses } from './dump-lines.ts';
import { causeNamed } from './exception-causes.ts';
import { mark, type PanicContext, type PanicMark, type PanicRule, panicAddress, withMissing } from './panic-mark.ts';

function panic(name: string, context: PanicContext): PanicMark {
  const cause = causeNamed(name);
  context.isAboutAccess = cause.isAboutAccess ?? false;
  context.isRiscv = false;
  return mark('panic', 'fault', cause.sentence);
}

const stackOverflow = (task: string) =>
  `Task ${task} used more stack than it has: give it a larger one, or keep large variables off the stack.`;

/** Idle task, which reports to the watchdog for a whole processor core. */
const idleTask = /^IDLE\d?$/;

const backtraceSentences = {
  CORRUPTED: 'The backtrace ends early because the stack was overwritten: check arrays in the functions that it names.',
  CONTINUES: 'The backtrace ends early: there were more calls than the board printed.',
} as const;
const backtraceSentence = 'The calls that led here, innermost first: start with the first one in your own code.';

const abruptEnd = 'The backtrace ends early because the code that comes next has no unwind information.';

const failures: readonly PanicRule[] = [
  {
    hint: 'Guru Meditation',
    form: /Guru Meditation Error: Core {1,2}(\S{1,2}) panic'ed \(([^)]{0,80})\)/,
    opening: /Guru Meditation Error: Core/,
    explain([, core = '', name = ''], context) {
      context.core = /^\d/.test(core) ? Number(core) : undefined;
      return panic(name, context);
    },
  },
  {
    // ESP-IDF before 3.0, and Arduino of that time.
    hint: 'Guru Meditation',
    form: /Guru Meditation Error of type (\w{1,40}) occurred on core/,
    opening: /Guru Meditation Error of type/,
    explain: ([, name = ''], context) => panic(name, context),
  },
  {
    hint: 'Stack canary',
    form: /Stack canary watchpoint triggered \(([^)]{0,40})\)/,
    explain: ([, task = '']) => mark('stack-overflow', 'fault', stackOverflow(task)),
  },
  {
    hint: 'stack overflow in task',
    form: /\*\*\*ERROR\*\*\* A stack overflow in task (.{1,40}?) {0,2}has been detected/,
    opening: /\*\*\*ERROR\*\*\* A stack overflow/,
    explain: ([, task = '']) => mark('stack-overflow', 'fault', stackOverflow(task)),
  },
  {
    hint: 'Detected in task',
    form: /^Detected in task "([^"]{0,40})" at 0x([0-9a-f]{8})/,
    opening: /Detected in task "/,
    explain: ([, task = '', digits]) =>
      mark('stack-overflow', 'fault', stackOverflow(task), [panicAddress(digits, 'exact')]),
  },
  {
    hint: 'Stack smashing',
    form: /Stack smashing protect failure/,
    opening: /Stack smashing protect failure/,
    explain: () =>
      mark(
        'stack-overflow',
        'fault',
        'A function wrote past the end of a variable on its stack: check arrays in the function that the backtrace names.',
      ),
  },
  {
    hint: 'was called at PC',
    form: /abort\(\) was called at PC 0x([0-9a-f]{1,8}) on core(?: {1,2}(\d))?/,
    opening: /abort\(\) was called at PC/,
    explain([, digits, core], context) {
      context.core = core === undefined ? undefined : Number(core);
      return mark('abort', 'fault', 'The program aborted: the line before, or the code that called abort, says why.', [
        panicAddress(digits, 'exact'),
      ]);
    },
  },
  {
    hint: 'assert',
    form: /\bassert failed: (?:0x([0-9a-f]{1,8}))?|\bassertion ".{0,200}" failed: file |\)- assert failed!/,
    opening: /assert failed: |assertion "/,
    explain: ([, digits]) =>
      mark(
        'assert',
        'fault',
        'An assertion failed: the line gives the condition and the place.',
        digits === undefined ? [] : [panicAddress(digits, 'exact')],
      ),
  },
  {
    hint: 'ESP_ERROR_CHECK',
    form: /ESP_ERROR_CHECK(_WITHOUT_ABORT)? failed: esp_err_t 0x([0-9a-f]{1,8})(?: \((\w{1,60})\))? at 0x([0-9a-f]{8})/,
    opening: /ESP_ERROR_CHECK(?:_WITHOUT_ABORT)? failed: esp_err_t/,
    explain: ([, isGoingOn, code, name, digits]) =>
      mark(
        'error-check',
        isGoingOn === undefined ? 'fault' : 'warning',
        `A call failed with ${name ?? `error 0x${code}`}${isGoingOn === undefined ? ' and the program aborted' : ''}: the next lines name the call.`,
        [panicAddress(digits, 'exact')],
      ),
  },
  {
    hint: 'Task watchdog',
    form: /Task watchdog got triggered/,
    explain(_, context) {
      context.core = undefined;
      return mark(
        'task-watchdog',
        'fault',
        'A task did not report in time: another task never yields, or this one waits for something that never comes.',
      );
    },
  },
  {
    hint: 'task_wdt:',
    form: /task_wdt: {1,2}- ([^(]{1,40}?)(?: \(CPU ([01/]{1,3})\))?$/,
    explain: ([, name = '', core]) => ({
      ...mark(
        'task-watchdog',
        'fault',
        idleTask.test(name) && core !== undefined
          ? `Nothing else got to run on CPU ${core}: a task there never yields.`
          : `Task ${name} did not report in time.`,
      ),
      starved: core === undefined ? name : `${name} (CPU ${core})`,
    }),
  },
  {
    // The lines that follow belong to this core.
    hint: 'task_wdt:',
    form: /task_wdt: Print CPU (\d)(?: \(current core\))? (?:backtrace|registers|stack)/,
    explain([, core], context) {
      context.core = Number(core);
      return mark('backtrace', 'fault');
    },
  },
  {
    hint: 'task_wdt:',
    form: /task_wdt: CPU (\d): (.{1,40})$/,
    explain: ([, core, name]) =>
      mark('task-watchdog', 'fault', `Task ${name} was running on CPU ${core} at that moment.`),
  },
  {
    hint: 'Brownout detector',
    form: /Brownout detector was triggered/,
    explain: () =>
      mark(
        'brownout',
        'fault',
        'The supply voltage dropped too low: use a stronger supply and a shorter cable, check what switches on at that moment.',
      ),
  },
  {
    hint: 'CORRUPT HEAP',
    form: /^CORRUPT HEAP: .{0,80}? at 0x([0-9a-f]{8})/,
    opening: /CORRUPT HEAP: /,
    explain: () =>
      mark(
        'heap',
        'fault',
        'Memory from the heap was overwritten: check for writes past the end of a block, and for blocks used after they were freed.',
      ),
  },
  {
    hint: 'Undefined behavior',
    form: /^Undefined behavior of type (\w{1,40})/,
    opening: /Undefined behavior of type /,
    explain: ([, type = '']) =>
      mark(
        'undefined-behavior',
        'fault',
        `The program ran into undefined behaviour (${type.replaceAll('_', ' ')}): the backtrace shows where.`,
      ),
  },
  {
    hint: 'Panic handler',
    form: /^Panic handler entered multiple times/,
    opening: /Panic handler entered multiple times/,
    explain: () =>
      mark('panic', 'fault', 'The panic handler failed as well: most often memory or the stack was overwritten.'),
  },
  {
    hint: 'terminate called',
    form: /^terminate called /,
    opening: /terminate called /,
    explain: () => mark('abort', 'fault', 'Nothing caught a C++ exception: the backtrace shows where.'),
  },
];

const details: readonly PanicRule[] = [
  {
    hint: 'acktrace:',
    form: /\bBacktrace: ?(?=0x)/i,
    opening: /Backtrace: {0,4}(?=0x)/i,
    explain({ input }, context) {
      context.section = 'backtrace';
      const end = /\|<-(CORRUPTED|CONTINUES)/.exec(input)?.[1];
      const addresses = backtraceAddresses(input);
      return end === 'CORRUPTED' || end === 'CONTINUES'
        ? withMissing(mark('backtrace', 'fault', backtraceSentences[end], addresses), backtraceSentences[end])
        : mark('backtrace', 'fault', backtraceSentence, addresses);
    },
  },
  {
    hint: 'Backtrace ended',
    form: /^Backtrace ended abruptly/,
    opening: /Backtrace ended abruptly/,
    explain: ({ input }) => {
      const digits = /0x([0-9a-f]{8})/.exec(input)?.[1];
      const addresses = digits === undefined ? [] : [panicAddress(digits, 'exact')];
      return withMissing(mark('backtrace', 'fault', abruptEnd, addresses), abruptEnd);
    },
  },
  {
    hint: 'Core ',
    form: /^Core {1,2}(\d{1,2}) (?:register dump|was running in ISR context):/,
    opening: /Core {1,2}\d{1,2} (?:register dump|was running in ISR context):/,
    explain([, core], context) {
      context.section = 'registers';
      context.core = Number(core);
      context.isRiscv = false;
      return mark('registers', 'fault');
    },
  },
  {
    hint: 'Stack memory:',
    form: /^Stack memory:/,
    opening: /Stack memory:/,
    explain(_, context) {
      context.section = 'riscv-stack';
      return mark('stack', 'fault', 'Part of the stack follows: words that follow a call are likely callers.');
    },
  },
  {
    hint: 'ELF file SHA256',
    form: /\bELF file SHA256: {1,2}([0-9a-f]{8,64})/,
    explain: ([, hash = '']) => ({
      ...mark('elf-hash', 'notice', 'This identifies the running build: names are correct only with its ELF file.'),
      hash,
    }),
  },
  {
    hint: 'Saved PC',
    form: /^Saved PC: ?0x([0-9a-f]{8})/,
    opening: /Saved PC: ?0x/,
    explain: ([, digits]) =>
      mark('saved-pc', 'notice', 'This is where the program was when the chip restarted.', [
        panicAddress(digits, 'exact'),
      ]),
  },
  {
    hint: 'download',
    form: /^waiting for download|^wait (?:spi|usb|uart) download/,
    opening: /waiting for download/,
    explain: () =>
      mark(
        'download',
        'notice',
        'The chip waits for new firmware: to run the program, release the boot pin and reset.',
      ),
  },
  {
    hint: 'invalid header',
    form: /^invalid header: 0x([0-9a-f]{1,8})/,
    opening: /invalid header: 0x/,
    explain: ([, digits = '']) =>
      mark(
        'boot-failure',
        'fault',
        digits === 'ffffffff'
          ? 'The flash is empty where the bootloader should be: flash it again, bootloader included.'
          : 'There is no bootloader where the chip looks for it: flash it again at the right offset.',
      ),
  },
  {
    hint: 'flash read err|SHA-256 comparison|csum err',
    form: /^flash read err, \d{1,5}|^SHA-256 comparison failed|^csum err:/,
    opening: /flash read err, \d|SHA-256 comparison failed|csum err:/,
    explain: () =>
      mark(
        'boot-failure',
        'fault',
        'What was read from flash is damaged: flash again, check flash mode, wiring and supply.',
      ),
  },
  {
    hint: 'bootable',
    form: /\bNo bootable app partitions? in the partition table|\bOTA app partition slot \d{1,2} is not bootable/,
    explain: () =>
      mark(
        'boot-failure',
        'fault',
        'The bootloader found no program that it can start: flash it again at the right offset.',
      ),
  },
];

export const idfRules: readonly PanicRule[] = [...failures, ...details];
