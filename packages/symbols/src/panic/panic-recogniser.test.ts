import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PanicAddress, PanicMark } from './panic-mark.ts';
import { PanicRecogniser } from './panic-recogniser.ts';

/** Returns the marks of the lines of a console; lines without a mark are left out. */
function marksOf(text: string, recogniser = new PanicRecogniser()): PanicMark[] {
  return text.split(/\r?\n/).flatMap((line) => recogniser.line(line) ?? []);
}

const shown = ({ value, role, label }: PanicAddress) =>
  `${label === undefined ? '' : `${label} `}${value.toString(16)} ${role}`;
const addressesOf = (marks: readonly PanicMark[]) => marks.map(({ addresses }) => addresses.map(shown));

const esp32Panic = `
Guru Meditation Error: Core  0 panic'ed (StoreProhibited). Exception was unhandled.

Core  0 register dump:
PC      : 0x400d2a1b  PS      : 0x00060730  A0      : 0x800d2a33  A1      : 0x3ffb5030
A2      : 0x00000004  A3      : 0x0000002a  A4      : 0x00000001  A5      : 0x3ffb50dc
EXCVADDR: 0x00000004  LBEG    : 0x4000c46c  LEND    : 0x4000c477  LCOUNT  : 0xffffffff


Backtrace: 0x400d2a18:0x3ffb5030 0x400d2a30:0x3ffb5050 0x400d4e6d:0x3ffb5080 |<-CORRUPTED


ELF file SHA256: 2f1d9a7c30b5

Rebooting...`;

const c3Panic = `
Guru Meditation Error: Core  0 panic'ed (Store access fault). Exception was unhandled.

Core  0 register dump:
MEPC    : 0x42000004  RA      : 0x4200004e  SP      : 0x3fc8f2f0  GP      : 0x3fc8a600
TP      : 0x3fc8a2ac  T0      : 0x40057fa6  T1      : 0x0000000f  T2      : 0x00000000
MSTATUS : 0x00001881  MTVEC   : 0x40380001  MCAUSE  : 0x00000007  MTVAL   : 0x00000000
MHARTID : 0x00000000

Stack memory:
3fc8f2f0: 0x00000030 0x00000021 0x3fc8aedc 0x4200004e 0xa5a5a5a5 0xa5a5a5a5 0x3fc8aedc 0x42000024
3fc8f310: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000

I (37) app: started
3fc8f330: 0x42000024
I (38) app: state
3fc8f350: 0x42000024`;

const esp8266Crash = `
--------------- CUT HERE FOR EXCEPTION DECODER ---------------

Exception (28):
epc1=0x40201064 epc2=0x00000000 epc3=0x00000000 excvaddr=0x00000000 depc=0x00000000

>>>stack>>>

ctx: cont
sp: 3ffffe20 end: 3fffffd0 offset: 0150
3fffff70:  40223e00 3fff6f50 00000010 40200027 <
3fffff80:  feefeffe feefeffe
<<<stack<<<

last failed alloc call: 40201234(1000)`;

describe('panic of an ESP32', () => {
  const marks = marksOf(esp32Panic);

  it('is recognised line by line', () => {
    expect(marks.map(({ kind }) => kind)).toEqual([
      ...['panic', 'registers', 'registers', 'registers', 'registers'],
      ...['backtrace', 'elf-hash'],
    ]);
    expect(marks[0]).toMatchObject({ severity: 'fault', sentence: expect.stringContaining('wrote to an address') });
  });

  it('gives the registers that can hold code, and marks the one with a return address', () => {
    expect(addressesOf(marks).slice(2, 5)).toEqual([
      ['PC 400d2a1b exact', 'A0 800d2a33 return'],
      ['A2 4 register', 'A3 2a register', 'A4 1 register', 'A5 3ffb50dc register'],
      [],
    ]);
  });

  it('reports an accessed address near zero', () => {
    expect(marks[4]?.sentence).toBe('EXCVADDR is 0x00000004: a member of a structure was used through a null pointer.');
  });

  it('gives the calls of the backtrace, and reports that the stack was overwritten', () => {
    expect(addressesOf(marks)[5]).toEqual(['400d2a18 exact', '400d2a30 frame', '400d4e6d frame']);
    expect(marks[5]?.sentence).toContain('the stack was overwritten');
  });

  it('gives the hash of the build', () => {
    expect(marks[6]?.hash).toBe('2f1d9a7c30b5');
  });

  it('is recognised in colour, in bytes and with a carriage return', () => {
    const recogniser = new PanicRecogniser();
    const bytes = new TextEncoder().encode('\x1b[0;31mE (120) BOD: Brownout detector was triggered\x1b[0m\r');
    expect(recogniser.line(bytes)?.kind).toBe('brownout');
    expect(recogniser.line('\x1b[0;31mBacktrace: 0x400d2a18:0x3ffb5030\x1b[0m\r')?.addresses).toHaveLength(1);
  });

  it.each([
    ['Backtrace:0x400d2a18:0x3ffb5030 0x400d2a30:0x3ffb5050', 2],
    ['Backtrace: 0x400d2a18:0x3ffb5030 |<-CONTINUES', 1],
    ['Backtrace: 0x400d2a18:0x3ffb5030 0x400d2a30:0x3ffb50', 2],
    // ESP-IDF 4.4 prints no blank between the pairs.
    ['Backtrace:0x400d2a18:0x3ffb50300x400d2a30:0x3ffb5050', 2],
    ['Backtrace:', undefined],
  ])('%s', (line, count) => {
    expect(new PanicRecogniser().line(line)?.addresses.length).toBe(count);
  });

  it('continues a backtrace that was broken into two lines', () => {
    const marks = marksOf(
      'Backtrace: 0x400d2a18:0x3ffb5030\n 0x400d2a30:0x3ffb5050\nRebooting...\n0x400d2a30:0x3ffb5050',
    );
    expect(addressesOf(marks)).toEqual([['400d2a18 exact'], ['400d2a30 frame']]);
  });
});

describe('panic of an ESP32-C3', () => {
  const marks = marksOf(c3Panic);

  it('gives the registers by their names on RISC-V', () => {
    expect(addressesOf(marks).slice(2, 4)).toEqual([
      ['MEPC 42000004 exact', 'RA 4200004e return'],
      ['T0 40057fa6 register', 'T1 f register', 'T2 0 register'],
    ]);
  });

  it('reports the use of a null pointer', () => {
    expect(marks[4]?.sentence).toBe('MTVAL is 0x00000000: a null pointer was used.');
  });

  it('gives the words of the stack, and behind other lines those at the next address', () => {
    const stack = marks.filter(({ kind }) => kind === 'stack');
    expect(stack.map(({ addresses }) => addresses.length)).toEqual([0, 8, 8, 1]);
    expect(stack[1]?.addresses[3]).toEqual({ value: 0x4200004e, role: 'stack' });
  });

  it('does not take over the kind of address of an earlier crash', () => {
    const recogniser = new PanicRecogniser();
    marksOf(c3Panic, recogniser);
    const later = marksOf(
      'abort() was called at PC 0x42000010 on core 0\nCore  0 register dump:\nMSTATUS : 0x00001881  MTVAL   : 0x00000000',
      recogniser,
    );
    expect(later.map(({ sentence }) => sentence?.includes('null pointer') ?? false)).toEqual([false, false, false]);
  });
});

describe('crash of an ESP8266', () => {
  const marks = marksOf(esp8266Crash);

  it('is recognised line by line', () => {
    expect(marks.map(({ kind }) => kind)).toEqual([
      ...['exception', 'registers', 'stack', 'stack', 'stack', 'stack', 'heap'],
    ]);
  });

  it('gives the instruction, the words of the stack and the call that ran out of memory', () => {
    expect(addressesOf(marks)).toEqual([
      [],
      ['epc1 40201064 exact'],
      [],
      ['40223e00 stack', '3fff6f50 stack', '10 stack', '40200027 stack'],
      ['feefeffe stack', 'feefeffe stack'],
      [],
      ['40201234 return'],
    ]);
    expect(marks[1]?.sentence).toBe('EXCVADDR is 0x00000000: a null pointer was used.');
  });

  it('is recognised in the wording of other SDKs', () => {
    expect(new PanicRecogniser().line('Fatal exception 29(StoreProhibitedCause):')?.kind).toBe('exception');
    expect(new PanicRecogniser().line('Fatal exception (0):')?.sentence).toContain('invalid instruction');
    const oneLine = new PanicRecogniser().line('Exception (9): epc1=0x402103f4 epc2=0x00000000 excvaddr=0x00000003');
    expect(oneLine?.addresses.map(shown)).toEqual(['epc1 402103f4 exact']);
  });
});

/** One line of each kind that firmware prints, with the kind of its mark and a word of the sentence. */
const lines: readonly (readonly [string, string, string])[] = [
  ['Guru Meditation Error of type LoadProhibited occurred on core  1. Exception was unhandled.', 'panic', 'read from'],
  ["Guru Meditation Error: Core  1 panic'ed (Interrupt wdt timeout on CPU1). ", 'panic', 'Interrupts were blocked'],
  ["Guru Meditation Error: Core  0 panic'ed (Cache error). ", 'panic', 'flash was busy'],
  ["Guru Meditation Error: Core  0 panic'ed (Something new). ", 'panic', 'crashed'],
  ['Debug exception reason: Stack canary watchpoint triggered (loopTask) ', 'stack-overflow', 'Task loopTask'],
  ['***ERROR*** A stack overflow in task wifi has been detected.', 'stack-overflow', 'Task wifi'],
  ['Detected in task "main" at 0x420066a4', 'stack-overflow', 'Task main'],
  ['Stack smashing protect failure!', 'stack-overflow', 'past the end'],
  ['abort() was called at PC 0x400d2138 on core 0', 'abort', 'aborted'],
  ['assert failed: xQueueSemaphoreTake queue.c:1549 (pxQueue)', 'assert', 'condition'],
  ['assert failed: 0x4037a1c2', 'assert', 'condition'],
  ['assertion "head != NULL" failed: file "multi_heap.c", line 201, function: multi_heap_free', 'assert', 'condition'],
  ['/esp/queue.c:1442 (xQueueGenericReceive)- assert failed!', 'assert', 'condition'],
  [
    'ESP_ERROR_CHECK failed: esp_err_t 0x103 (ESP_ERR_INVALID_STATE) at 0x400d2138',
    'error-check',
    'ESP_ERR_INVALID_STATE',
  ],
  ['ESP_ERROR_CHECK_WITHOUT_ABORT failed: esp_err_t 0x105 at 0x400d2138', 'error-check', 'error 0x105'],
  [
    'E (10349) task_wdt: Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:',
    'task-watchdog',
    'did not report',
  ],
  ['E (10349) task_wdt:  - IDLE0 (CPU 0)', 'task-watchdog', 'a task there never yields'],
  ['E (10349) task_wdt:  - uplink (CPU 0/1)', 'task-watchdog', 'Task uplink'],
  ['E (10349) task_wdt: CPU 0: main', 'task-watchdog', 'Task main was running on CPU 0'],
  ['Brownout detector was triggered', 'brownout', 'supply voltage'],
  ['CORRUPT HEAP: Bad tail at 0x3ffe270a. Expected 0xbaad5678 got 0xbaac5678', 'heap', 'overwritten'],
  ['Undefined behavior of type out_of_bounds', 'undefined-behavior', 'out of bounds'],
  ['Panic handler entered multiple times. Abort panic handling. Rebooting ...', 'panic', 'failed as well'],
  ["terminate called after throwing an instance of 'std::out_of_range'", 'abort', 'exception'],
  [
    'Backtrace ended abruptly: cannot find DWARF information for instruction at address 0x42000010',
    'backtrace',
    'ends early',
  ],
  ['Core  1 was running in ISR context:', 'registers', ''],
  ['I (90) app_init: ELF file SHA256:  f5429c0b8...', 'elf-hash', 'build'],
  ['Saved PC:0x4037df65', 'saved-pc', 'restarted'],
  ['waiting for download', 'download', 'boot pin'],
  ['wait usb download', 'download', 'boot pin'],
  ['invalid header: 0xffffffff', 'boot-failure', 'empty'],
  ['invalid header: 0x00e90203', 'boot-failure', 'no bootloader'],
  ['flash read err, 1000', 'boot-failure', 'damaged'],
  ['SHA-256 comparison failed:', 'boot-failure', 'damaged'],
  ['E (60) boot: No bootable app partitions in the partition table', 'boot-failure', 'no program'],
  ['Soft WDT reset', 'watchdog', 'delay or yield'],
  ['wdt reset', 'watchdog', 'delay or yield'],
  ['Panic core_esp8266_main.cpp:133 __yield', 'assert', 'the line says where'],
  ['Unhandled C++ exception: OOM', 'abort', 'memory ran out'],
  ['Abort called', 'abort', 'stack below'],
  ['User exception (panic/abort/assert)', 'abort', 'stack below'],
  ['Stack smashing detected at 0x40201234', 'stack-overflow', 'past the end'],
  ['Stack overflow detected', 'stack-overflow', '4 KB'],
];

describe('lines of a console', () => {
  it.each(lines)('%s', (line, kind, words) => {
    const mark = new PanicRecogniser().line(line);
    expect(mark?.kind).toBe(kind);
    expect(mark?.sentence ?? '').toContain(words);
  });

  it.each([
    'I (3401) wifi: connected, channel 6',
    'assertions: 12 passed',
    'core temperature 41.2',
    'PC  board rev 3',
    'ets go',
    'abort the upload? y/n',
    '3fc8f2f0: 0x00000030 0x00000021',
    '0x400d2a30:0x3ffb5050',
    '',
  ])('have no meaning in %j', (line) => {
    expect(new PanicRecogniser().line(line)).toBeUndefined();
  });

  it('have explanations of whole sentences', () => {
    for (const [line] of lines) {
      const { sentence } = new PanicRecogniser().line(line) ?? {};
      expect(sentence ?? 'Nothing to say.').toMatch(/^[A-Z].*\.$/);
      expect(sentence ?? '').not.toContain('!');
    }
  });

  it('are never skipped, nor are the lines that continue them', () => {
    const encoder = new TextEncoder();
    for (const text of [...lines.map(([line]) => line), esp32Panic, c3Panic, esp8266Crash]) {
      expect(new PanicRecogniser().skips(encoder.encode(`I (12) wifi: up\n${text}\n`))).toBe(false);
    }
    const recogniser = new PanicRecogniser();
    expect(recogniser.skips(encoder.encode('I (12) wifi: up\nno crash here\n'))).toBe(true);
    recogniser.line('Core  0 register dump:');
    expect(recogniser.skips(encoder.encode('I (12) wifi: up\n'))).toBe(false);
    recogniser.line('I (12) wifi: up');
    expect(recogniser.skips(encoder.encode('I (12) wifi: up\n'))).toBe(false);
    recogniser.line('Rebooting...');
    expect(recogniser.skips(encoder.encode('I (12) wifi: up\n'))).toBe(true);
  });

  it('never make it throw, and get addresses of 32 bits at most', () => {
    const pieces = [
      ...lines.map(([line]) => line),
      ...esp32Panic.split('\n'),
      ...c3Panic.split('\n'),
      ...esp8266Crash.split('\n'),
      ...['*** CRASH DETECTED ON PREVIOUS BOOT ***', 'BT0: 0x4018F32B  (backtrace)', 'Other core (0) backtrace:'],
      ...['CrashReport:', 'Code was executing from address 0x10E7A', '(MMARVALID) Accessed Address: 0x0 (nullptr)'],
      ...[
        'HardFault',
        'R0   : 00000001',
        '20001f80: 08000a1d 00000000',
        'call trace:',
        '1: fp: 200320fc   ra: 20029ec4',
      ],
    ];
    const line = fc.oneof(
      fc.string({ maxLength: 80 }),
      fc.uint8Array({ maxLength: 80 }),
      fc
        .tuple(fc.constantFrom(...pieces), fc.nat({ max: 120 }), fc.string({ maxLength: 6 }))
        .map(([piece, at, inserted]) => piece.slice(0, at) + inserted + piece.slice(at)),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (input) => {
        const recogniser = new PanicRecogniser();
        for (const each of input) {
          for (const { value } of recogniser.line(each)?.addresses ?? []) {
            expect(value >= 0 && value <= 0xffff_ffff).toBe(true);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('have the same marks as text and as bytes', () => {
    const pieces = [
      ...lines.map(([line]) => line),
      ...esp32Panic.split('\n'),
      ...c3Panic.split('\n'),
      'I (12) wifi: up',
    ];
    const line = fc
      .tuple(fc.constantFrom(...pieces), fc.nat({ max: 120 }), fc.string({ maxLength: 2 }))
      .map(([piece, at, inserted]) => piece.slice(0, at) + inserted + piece.slice(at));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), (input) => {
        const [texts, bytes] = [new PanicRecogniser(), new PanicRecogniser()];
        const encoder = new TextEncoder();
        expect(input.map((each) => bytes.line(encoder.encode(each)))).toEqual(input.map((each) => texts.line(each)));
      }),
    );
  });

  it('may be endless: only their start is looked at', () => {
    const endless = `Backtrace:${' 0x400d2a18:0x3ffb5030'.repeat(100_000)}`;
    expect(new PanicRecogniser().line(endless)?.addresses.length).toBeLessThan(800);
    expect(new PanicRecogniser().line(new TextEncoder().encode(endless))?.kind).toBe('backtrace');
  });
});
