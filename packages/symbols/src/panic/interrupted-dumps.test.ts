/** Recognises dumps whose rows stand between lines of a tool, and behind long prefixes. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PanicMark } from './panic-mark.ts';
import { PanicRecogniser } from './panic-recogniser.ts';

const marksOf = (lines: readonly string[]): PanicMark[] => {
  const recogniser = new PanicRecogniser();
  return lines.flatMap((line) => recogniser.line(line) ?? []);
};

/** Returns what a person sees of a dump: addresses by role, memory, and the cores of both. */
const framesOf = (lines: readonly string[]) =>
  marksOf(lines).flatMap(({ addresses, memory, core }) =>
    addresses.length === 0 && memory === undefined ? [] : [{ addresses, memory, core }],
  );

const esphome = `*** CRASH DETECTED ON PREVIOUS BOOT ***
  Reason: Fault - LoadProhibited (cause 28)
  Crashed core: 1
  PC:  0x4018F32B  (fault location)
  EXCVADDR: 0x00000004  (faulting address)
  BT0: 0x4018F32B  (backtrace)
  BT1: 0x4018F30D  (backtrace)
  BT2: 0x4018F2EF  (backtrace)
Other core (0) backtrace:
  BT0: 0x40083F21  (backtrace)
  BT1: 0x40088A05  (backtrace)
Use: addr2line -pfiaC -e firmware.elf 0x4018F32B 0x4018F32B 0x4018F30D 0x4018F2EF
Other core: addr2line -pfiaC -e firmware.elf 0x40083F21 0x40088A05`;

const xtensa = `Guru Meditation Error: Core  0 panic'ed (StoreProhibited). Exception was unhandled.
Core  0 register dump:
PC      : 0x400d2a1b  PS      : 0x00060730  A0      : 0x800d2a33  A1      : 0x3ffb5030
A2      : 0x00000004  A3      : 0x0000002a  A4      : 0x00000001  A5      : 0x3ffb50dc
A10     : 0x00000004  A11     : 0x0000002a  A12     : 0x400d1111  A13     : 0x3ffb50dc
EXCVADDR: 0x00000004  LBEG    : 0x4000c46c  LEND    : 0x4000c477  LCOUNT  : 0xffffffff
Backtrace: 0x400d2a18:0x3ffb5030 0x400d2a30:0x3ffb5050
 0x400d4e6d:0x3ffb5080
Core  1 register dump:
PC      : 0x400d4e6d  PS      : 0x00060730  A0      : 0x800d2a33  A1      : 0x3ffb6080
Backtrace: 0x400d4e6d:0x3ffb6080 0x400d4e90:0x3ffb60a0
ELF file SHA256: 2f1d9a7c30b5
Rebooting...`;

const riscv = `Guru Meditation Error: Core  0 panic'ed (Store access fault). Exception was unhandled.
Core  0 register dump:
MEPC    : 0x42000004  RA      : 0x4200004e  SP      : 0x3fc8f2f0  GP      : 0x3fc8a600
TP      : 0x3fc8a2ac  T0      : 0x40057fa6  T1      : 0x0000000f  T2      : 0x00000000
MSTATUS : 0x00001881  MTVEC   : 0x40380001  MCAUSE  : 0x00000007  MTVAL   : 0x00000000
Stack memory:
3fc8f2f0: 0x00000030 0x00000021 0x3fc8aedc 0x4200004e 0xa5a5a5a5 0xa5a5a5a5 0x3fc8aedc 0x42000024
3fc8f310: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x42000024
3fc8f330: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x42000024`;

const esp8266 = `Exception (28):
epc1=0x40201064 epc2=0x00000000 epc3=0x00000000 excvaddr=0x00000000 depc=0x00000000
>>>stack>>>
ctx: cont
sp: 3ffffe20 end: 3fffffd0 offset: 0150
3fffff70:  40223e00 3fff6f50 00000010 40200027 <
3fffff80:  40223e00 3fff6f50 00000010 40200027
<<<stack<<<`;

const zephyr = `***** BUS FAULT *****
  Precise data bus error
  BFAR Address: 0x24060000
r0/a1:  0x0002efe4  r1/a2:  0x00000008  r2/a3:  0x20061980
r3/a4:  0x24060000 r12/ip:  0x0003026a r14/lr:  0x000263eb
 xpsr:  0x21000000
Faulting instruction address (r15/pc): 0x00023c8a
>>> ZEPHYR FATAL ERROR 25: Unknown error on CPU 0`;

const zephyrRiscv = ` mcause: 7, Store/AMO access fault
  mtval: 4
     a0: 2002f640    t0: 2002f640
     a1: fffffffe    t1: 2002f530
     ra: 500e2000
   mepc: 2002f99c
call trace:
      0: ra: 2002f99c [func2+0x30]
      1: fp: 200320fc   ra: 20029ec4
      2: sp: 20032124 ra: 20029fc4`;

const cmBacktrace = `Fault on interrupt or bare metal(no OS) environment
  addr: 20000420    data: 08000a1d
  addr: 20000424    data: 00000000
  R0 : 00000000  R1 : 20000428  R2 : 00000008  R3 : 00000001
  R12: 00000000  LR : 08000b35  PC : 08000a2c  PSR: 61000000
Show more call stack info by run: addr2line -e CmBacktrace.elf -a -f 08000a2c 08000b34 08000c10`;

const mbed = `++ MbedOS Fault Handler ++
FaultType: HardFault
R0   : 00000001
R1   : 0000030A
R12  : 00003D07
SP   : 2002FF18
LR   : 00001877
PC   : 00001858
xPSR : 61000043
UFSR : 00000100`;

const dumps = { esphome, xtensa, riscv, esp8266, zephyr, zephyrRiscv, cmBacktrace, mbed };
const named = Object.entries(dumps).map(([name, text]) => [name, text.split('\n')] as const);

/** Lines that tools write between the lines of a board. */
const toolLines = [
  'WARNING Decoded 0x4018f32b: setup()::{lambda()#3}::_FUN() at /IDF_BUILD/ol.yaml:75 (discriminator 1)',
  ' (inlined by) _FUN at /IDF_BUILD/ol.yaml:76 (discriminator 1)',
  '--- 0x400d2a18: app_main at /src/main.c:12',
  '--- (inlined by) square at /src/calls.h:2',
  '0x400d2a18: loop() at src/main.cpp:42',
  '  #0  0x400d2a18:0x3ffb5030 in loop at src/main.cpp:42',
  '0x40384cd6 - taskSelectHighestPriorityTaskSMP',
  "/toolchain/bin/xtensa-esp-elf-addr2line: 'firmware.elf': No such file",
  'I (37) app: started',
  'value 12',
];

describe('a dump between the lines of a tool', () => {
  it('keeps the frames behind three lines of names, as ESPHome prints them', () => {
    const [first, second, third] = toolLines;
    const lines = esphome
      .split('\n')
      .flatMap((line) => [`[21:19:24.586][E][esp32.crash:432]: ${line}`, first, second, third ?? '']);
    const marks = marksOf(lines as string[]);
    expect(
      marks.flatMap(({ addresses, core }) => addresses.map(({ value, role }) => [core, role, value.toString(16)])),
    ).toEqual([
      [1, 'exact', '4018f32b'],
      [1, 'exact', '4018f32b'],
      [1, 'frame', '4018f30d'],
      [1, 'frame', '4018f2ef'],
      [0, 'frame', '40083f21'],
      [0, 'frame', '40088a05'],
    ]);
    expect(marks.map(({ sentence }) => sentence ?? '').join(' ')).toContain('read from an address');
    expect(marks.some(({ missing }) => missing !== undefined)).toBe(false);
  });

  it('keeps the registers and the stack between the lines of idf.py monitor', () => {
    const lines = riscv.split('\n').flatMap((line) => [line, toolLines[2] ?? '', toolLines[3] ?? '']);
    expect(framesOf(lines)).toEqual(framesOf(riscv.split('\n')));
    expect(marksOf(lines).filter(({ kind }) => kind === 'stack')).toHaveLength(4);
  });

  // Without digits and signs, because `R0:1` would be a row of a dump.
  const line = fc.oneof(
    fc.constantFrom(...toolLines),
    fc.string({ maxLength: 60 }).map((text) => `~ ${text.replaceAll(/[\d:=]/g, '')}`),
  );
  const between = fc.array(fc.array(line, { maxLength: 30 }), { minLength: 20, maxLength: 20 });
  /** A prefix of words in front of a counter, so that it is of no known form. */
  const prefix = fc
    .array(fc.stringMatching(/^[a-z]{1,12}[#@/_.-]?$/), { minLength: 1, maxLength: 40 })
    .map((words) => `<${words.join(' ')} #`);
  const known = fc.constantFrom(
    () => '',
    (count: number) => `[12:34:${10 + (count % 50)}][E][esp32.crash:${count}]: `,
    (count: number) => `Nov 25 12:34:${10 + (count % 50)} host esphome[${count}]: `,
    (count: number) => `2026-11-25T12:34:56.${1_000_000 + count}Z `,
  );

  it.each(named)('reads as without them: %s', (_, plain) => {
    const frames = framesOf(plain);
    fc.assert(
      fc.property(between, fc.option(prefix), known, (foreign, words, knownPrefix) => {
        let count = 0;
        const lines = plain.flatMap((text, index) => [text, ...(foreign[index % foreign.length] ?? [])]);
        const prefixed = lines.map((text) => {
          count++;
          return `${words === null ? knownPrefix(count) : `${words}${count}> `}${text}`;
        });
        expect(framesOf(prefixed)).toEqual(frames);
      }),
    );
  });

  it('ends at the restart', () => {
    const lines = [
      ...xtensa.split('\n').slice(0, 3),
      'I (37) app: started',
      'rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)',
    ];
    const row = 'A2      : 0x00000004  A3      : 0x0000002a  A4      : 0x00000001  A5      : 0x3ffb50dc';
    expect(marksOf([...lines, row]).map(({ kind }) => kind)).toEqual(['panic', 'registers', 'registers', 'reset']);
    expect(marksOf([...lines.slice(0, -1), row]).at(-1)?.kind).toBe('registers');
  });

  it.each([
    ['a register that was printed', riscv, 'T0      : 0x40057fa6'],
    ['a name that is no register', riscv.split('\nStack')[0] ?? '', 'Handle  : 0x40057fa6'],
    ['an earlier address of the stack', riscv, '3fc8f2f0: 0x00000030 0x00000021'],
    ['an earlier frame', zephyrRiscv, '1: fp: 200320fc   ra: 20029ec4'],
    ['a register in another form', mbed, 'R5 = 12'],
  ])('is not continued by %s', (_, text, row) => {
    const lines = [...text.split('\n'), ...Array.from({ length: 12 }, (_line, index) => `value ${index}`)];
    expect(marksOf([...lines, row])).toEqual(marksOf(lines));
  });
});

describe('a prefix', () => {
  it.each([120, 121, 400, 4_000])('is removed with %s characters', (length) => {
    const prefix = `pod/${'monitor-'.repeat(length)}`.slice(0, length - 3);
    const plain = xtensa.split('\n');
    expect(framesOf(plain.map((line, index) => `${prefix}${index % 10}: ${line}`))).toEqual(framesOf(plain));
  });

  it('is removed with the identifier of a container', () => {
    const prefix = '/var/lib/docker/containers/4f1d2c3b4a596877665544332211ffeeddccbbaa99887766554433221100ffee';
    const plain = riscv.split('\n');
    expect(framesOf(plain.map((line) => `${prefix}: ${line}`))).toEqual(framesOf(plain));
  });
});

describe('a report that was cut', () => {
  const missingOf = (lines: readonly string[]) => marksOf(lines).flatMap(({ missing }) => missing ?? []);

  it('names the frames that are missing between others', () => {
    const lines = esphome.split('\n');
    expect(missingOf(lines.filter((line) => !line.includes('BT1')))).toEqual(['Frame 1 is missing in the log.']);
    const [head] = zephyrRiscv.split('      1:');
    expect(missingOf([...(head ?? '').split('\n'), '4: fp: 200320fc   ra: 20029ec4'])).toEqual([
      'Frames 1 to 3 are missing in the log.',
    ]);
  });

  it('says that ESPHome keeps 16 frames', () => {
    const frames = Array.from({ length: 16 }, (_, index) => `BT${index}: 0x4018F3${10 + index}  (backtrace)`);
    expect(missingOf(['*** CRASH DETECTED ON PREVIOUS BOOT ***', ...frames])).toEqual([
      'ESPHome keeps 16 frames of a core: callers further out may be missing.',
    ]);
  });

  it('says that a line was too long', () => {
    const pairs = Array.from({ length: 800 }, (_, index) => `0x400d2a18:0x3ffb${5000 + index}`);
    expect(missingOf([`Backtrace: ${pairs.join(' ')}`])).toEqual([
      'Only the first 16,384 characters of this line were read: frames may be missing.',
    ]);
  });

  it('says so where the firmware does', () => {
    expect(missingOf(['Backtrace: 0x400d2a18:0x3ffb5030 |<-CONTINUES'])[0]).toContain(
      'more calls than the board printed',
    );
    expect(missingOf(['Backtrace: 0x400d2a18:0x3ffb5030 |<-CORRUPTED'])[0]).toContain('the stack was overwritten');
  });

  it('says so where the board restarted within the stack of an ESP8266', () => {
    const restart = ' ets Jan  8 2013,rst cause:2, boot mode:(3,6)';
    expect(missingOf([...esp8266.split('\n').slice(0, -1), restart])).toEqual([
      'The board restarted before the end of the stack: callers may be missing.',
    ]);
    expect(missingOf([...esp8266.split('\n'), restart])).toEqual([]);
  });

  it('says so where another crash cut its line short', () => {
    const [mark] = marksOf([
      'Stack memory:',
      "3fc8f2f0: 0x00000030 0x000000Guru Meditation Error: Core  1 panic'ed (Cache error). ",
    ]).slice(-1);
    expect(mark?.before?.missing).toContain('cut this line short');
  });

  it('says so where a line has more crashes than are read', () => {
    const one = 'abort() was called at PC 0x400d2138 on core 0 ';
    expect(missingOf([one.repeat(4)])).toEqual([]);
    expect(missingOf([one.repeat(7)])).toEqual([
      'More than 4 crashes and restarts are in this line: parts of them may be missing.',
    ]);
  });
});
