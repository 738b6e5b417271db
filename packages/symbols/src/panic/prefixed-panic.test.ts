/** Recognises crashes after prefixes of tools, and crashes that interrupt each other. */
import { describe, expect, it } from 'vitest';
import type { PanicMark } from './panic-mark.ts';
import { PanicRecogniser } from './panic-recogniser.ts';

const marksOf = (lines: readonly string[]): PanicMark[] => {
  const recogniser = new PanicRecogniser();
  return lines.flatMap((line) => recogniser.line(line) ?? []);
};

const xtensa = `Guru Meditation Error: Core  0 panic'ed (StoreProhibited). Exception was unhandled.

Core  0 register dump:
PC      : 0x400d2a1b  PS      : 0x00060730  A0      : 0x800d2a33  A1      : 0x3ffb5030
A2      : 0x00000004  A3      : 0x0000002a  A4      : 0x00000001  A5      : 0x3ffb50dc
EXCVADDR: 0x00000004  LBEG    : 0x4000c46c  LEND    : 0x4000c477  LCOUNT  : 0xffffffff

Backtrace: 0x400d2a18:0x3ffb5030 0x400d2a30:0x3ffb5050
 0x400d4e6d:0x3ffb5080

ELF file SHA256: 2f1d9a7c30b5

Rebooting...
ets Jul 29 2019 12:21:46

rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)`;

const riscv = `Guru Meditation Error: Core  0 panic'ed (Store access fault). Exception was unhandled.

Core  0 register dump:
MEPC    : 0x42000004  RA      : 0x4200004e  SP      : 0x3fc8f2f0  GP      : 0x3fc8a600
TP      : 0x3fc8a2ac  T0      : 0x40057fa6  T1      : 0x0000000f  T2      : 0x00000000
MSTATUS : 0x00001881  MTVEC   : 0x40380001  MCAUSE  : 0x00000007  MTVAL   : 0x00000000

Stack memory:
3fc8f2f0: 0x00000030 0x00000021 0x3fc8aedc 0x4200004e 0xa5a5a5a5 0xa5a5a5a5 0x3fc8aedc 0x42000024
40380000: 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000
ESP-ROM:esp32c3-api1-20210207
rst:0x3 (RTC_SW_SYS_RST),boot:0x8 (SPI_FAST_FLASH_BOOT)`;

const esp8266 = `Soft WDT reset

Exception (28):
epc1=0x40201064 epc2=0x00000000 epc3=0x00000000 excvaddr=0x00000000 depc=0x00000000

>>>stack>>>

ctx: cont
sp: 3ffffe20 end: 3fffffd0 offset: 0150
3fffff70:  40223e00 3fff6f50 00000010 40200027 <
40000080:  40223e00 3fff6f50 00000010 40200027
<<<stack<<<

last failed alloc call: 40201234(1000)
 ets Jan  8 2013,rst cause:2, boot mode:(3,6)`;

const others = `E (10303) task_wdt: Task watchdog got triggered. The following tasks did not reset the watchdog in time:
E (10303) task_wdt:  - IDLE0 (CPU 0)
E (10303) task_wdt: CPU 0: main
abort() was called at PC 0x400d2a1b on core 0
assert failed: xQueueSemaphoreTake queue.c:1545 (pxQueue)
Debug exception reason: Stack canary watchpoint triggered (main)
***ERROR*** A stack overflow in task main has been detected.
Detected in task "main" at 0x400d2a1b
ESP_ERROR_CHECK failed: esp_err_t 0x103 (ESP_ERR_INVALID_STATE) at 0x400d2a1b
CORRUPT HEAP: Bad head at 0x3ffb5030. Expected 0xabba1234 got 0x00000000
Undefined behavior of type out_of_bounds
terminate called after throwing an instance of 'int'
Saved PC:0x400d2a1b
invalid header: 0xffffffff
waiting for download
Panic core_esp8266_main.cpp:133 __yield
Unhandled C++ exception: OOM
Abort called
Stack smashing detected at 0x40201234
Stack overflow detected`;

let count = 995;
const prefixes: readonly (readonly [string, () => string])[] = [
  ['a time', () => `[12:34:${10 + (count++ % 50)}] `],
  ['a counter and a level', () => `[${count++}] [DEBUG] `],
  ['a bare counter', () => `${count++} `],
  ['a counter with a colon', () => `${count++}: `],
  ['Arduino IDE', () => `12:34:56.${count++ % 900} -> `],
  ['an export of Wirebench', () => `2026-11-20 14:03:05.${100 + (count++ % 900)}  Port 1  RX  `],
  ['a quotation', () => '> '],
  ['ESPHome', () => '[12:34:56][D][logger:123]: '],
  ['ESPHome with colours', () => '\u001b[0;36m[12:34:56][D][logger:123]:\u001b[0m '],
  ['journalctl', () => `Nov 25 12:34:56 pi picocom[${count}]: `],
  ['an unknown tool', () => `<esp-7 #${count++}> `],
  ['an erased line', () => '\u001b[K'],
  ['a carriage return', () => '\r'],
];

describe.each(prefixes)('behind %s', (_, prefix) => {
  it.each([
    ['a panic of Xtensa', xtensa],
    ['a panic of RISC-V', riscv],
    ['a crash of ESP8266', esp8266],
  ])('%s is read as without it', (_name, text) => {
    const plain = text.split('\n');
    const prefixed = marksOf(plain.map((line) => `${prefix()}${line}`));
    expect(prefixed.length).toBeGreaterThan(8);
    expect(prefixed).toEqual(marksOf(plain));
  });

  it.each(others.split('\n'))('%s is read as without it', (line) => {
    expect(marksOf([line])).toHaveLength(1);
    expect(marksOf([`${prefix()}${line}`])).toEqual(marksOf([line]));
  });
});

describe('a second crash', () => {
  const second = "Guru Meditation Error: Core  0 panic'ed (Interrupt wdt timeout on CPU0). ";

  it('is reported where it cuts a row of registers short', () => {
    const lines = riscv.split('\n');
    const [mark] = marksOf([...lines.slice(0, 4), `TP      : 0x40806428  T0      : 0x40028140  T1${second}`]).slice(-1);
    expect(mark).toMatchObject({ kind: 'panic', sentence: expect.stringContaining('interrupt') });
    expect(mark?.before).toMatchObject({ kind: 'registers', addresses: [{ label: 'T0', value: 0x4002_8140 }] });
  });

  it.each([
    ['a backtrace', 'Backtrace: 0x400d2a18:0x3ffb5030 0x400d2a30:0x3f', 'backtrace'],
    ['another panic', "Guru Meditation Error: Core  1 panic'ed (LoadProhibited). Exc", 'panic'],
    ['an abort', 'abort() was called at PC 0x400d2a1b on core 1', 'abort'],
    ['the reason of a start', 'rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST', 'reset'],
    ['the registers of ESP8266', 'epc1=0x40201064 epc2=0x000', 'registers'],
  ])('is reported where it cuts %s short', (_, head, kind) => {
    const [mark] = marksOf([`${head}${second}`]);
    expect(mark).toMatchObject({ kind: 'panic', before: { kind } });
  });

  it.each([
    ['a panic', second, 'panic'],
    ['an abort', 'abort() was called at PC 0x400d2a1b on core 1', 'abort'],
    ['an assertion', 'assert failed: xQueueSemaphoreTake queue.c:1545 (pxQueue)', 'assert'],
    ['a restart', 'rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)', 'reset'],
  ])('is reported as %s where it cuts a row of the stack short', (_, line, kind) => {
    const [mark] = marksOf(['Stack memory:', `3fc8f2f0: 0x00000030 0x000000${line}`]).slice(-1);
    expect(mark?.kind).toBe(kind);
  });
});

describe('a backtrace without blanks between its pairs', () => {
  it('keeps every frame', () => {
    const [mark] = marksOf([
      'Backtrace:0x40083916:0x3ffd35900x40088a05:0x3ffd35b0 0x4008f7fe:0x3ffd35d00x400d1234:0x3ffd35f0',
    ]);
    expect(mark?.addresses.map(({ value, role }) => [value, role])).toEqual([
      [0x4008_3916, 'exact'],
      [0x4008_8a05, 'frame'],
      [0x4008_f7fe, 'frame'],
      [0x400d_1234, 'frame'],
    ]);
  });

  it('keeps them on the lines that go on with it', () => {
    const [, mark] = marksOf(['Backtrace:0x40083916:0x3ffd3590', '0x40088a05:0x3ffd35b00x4008f7fe:0x3ffd35d0']);
    expect(mark?.addresses).toHaveLength(2);
  });
});
