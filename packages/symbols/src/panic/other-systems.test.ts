/** Recognises crashes of NuttX, and failures that name a place: Python, the Pico SDK, Linux. */
import { describe, expect, it } from 'vitest';
import { PanicRecogniser } from './panic-recogniser.ts';
import { checkDumps, type Dump } from './testing/crash-dumps.ts';

const dumps: readonly Dump[] = [
  {
    name: 'NuttX on Xtensa',
    source: 'NuttX, xtensa_assert.c and xtensa_registerdump.c',
    text: `xtensa_user_panic: User Exception: EXCCAUSE=001c task: sensor_main
_assert: Current Version: NuttX  12.6.0 1234567890 Mar  4 2026 22:33:58 xtensa
_assert: Assertion failed panic: at file: common/xtensa_assert.c:187 task: sensor_main 0x400d7a00
up_dump_register:    PC: 400d0a98    PS: 00060f30
up_dump_register:    A0: 800d0b84    A1: 3ffe0950    A2: ffffffe7    A3: 00000118
up_dump_register:   SAR: 0000001f CAUSE: 0000001c VADDR: 00000050
sched_dumpstack: backtrace| 3: 0x400d0a98 0x400d0b81 0x400d7a11`,
    says: ['read from an address', 'task sensor_main', 'VADDR is 0x00000050'],
    addresses: ['PC exact 400d0a98', 'A0 return 800d0b84', '- exact 400d0a98', '- frame 400d0b81', '- frame 400d7a11'],
  },
  {
    name: 'NuttX on RISC-V',
    source: 'NuttX, riscv_exception.c and riscv_registerdump.c',
    text: `riscv_exception: EXCEPTION: Store/AMO access fault. MCAUSE: 00000007, EPC: 42001c90, MTVAL: 00000000
dump_assert_info: Assertion failed panic: at file: common/riscv_exception.c:135 task: Idle_Task process: Kernel 0x42000bf0
up_dump_register: EPC: 42001c90
up_dump_register: A0: 00000015 A1: 3fc08564 A2: 3fc00138 A3: 00000002
up_dump_register: SP: 3fc08560 FP: 3fc08570 TP: 00000000 RA: 42001a00`,
    says: ['wrote to an address', 'MTVAL is 0x00000000: a null pointer'],
    addresses: ['EPC exact 42001c90', 'EPC exact 42001c90', 'RA return 42001a00'],
  },
  {
    name: 'an assertion of NuttX',
    source: 'NuttX, sched/misc/assert.c',
    text: 'dump_assert_info: Assertion failed fd >= 0: at file: sensors/bme.c:88 task: nsh_main process: nsh_main 0x42000bf0',
    says: ['An assertion failed at sensors/bme.c:88'],
    addresses: [],
  },
  {
    name: 'panic of the Pico SDK',
    source: 'Pico SDK, panic.c',
    text: '*** PANIC ***\n\nno DMA channel is free',
    says: ['stopped itself with panic', 'panic: no DMA channel is free.'],
    addresses: [],
  },
  {
    name: 'a traceback of MicroPython',
    source: 'MicroPython, py/obj.c',
    text: `Traceback (most recent call last):
  File "main.py", line 12, in <module>
  File "lib/sensor.py", line 40, in read
OSError: [Errno 19] ENODEV`,
    says: ['ended with OSError in read, lib/sensor.py line 40'],
    addresses: [],
  },
  {
    name: 'an oops of Linux on ARM',
    source: 'Linux, arch/arm/kernel/traps.c',
    text: `Unable to handle kernel NULL pointer dereference at virtual address 00000010
Internal error: Oops: 17 [#1] SMP ARM
CPU: 0 PID: 71 Comm: insmod Tainted: G           O
PC is at probe_sensor+0x1c/0x80 [sensor]
Kernel panic - not syncing: Fatal exception`,
    says: ['The Linux kernel stopped (NULL pointer dereference)', 'It happened in probe_sensor+0x1c/0x80'],
    addresses: [],
  },
  {
    name: 'esp-backtrace of Rust with the printed PanicInfo',
    source: 'esp-rs, esp-backtrace pull request 5',
    text: `!! A panic occured in 'src/main.rs', at line 77, column 5

PanicInfo {
    payload: Any { .. },
    message: Some(
        oh no,
    ),
    location: Location {
        file: "src/main.rs",
        line: 77,
        col: 5,
    },
    can_unwind: true,
}

Backtrace:

0x400d495e [sensor::__xtensa_lx_rt_main:/src/main.rs:77]
0x400d752c 0x400d5a41 0x400d5b00 0x400d5c00`,
    says: ['panicked at src/main.rs:77:5', 'The calls that led here'],
    addresses: ['- call 400d495e', '- call 400d752c', '- call 400d5a41', '- call 400d5b00', '- call 400d5c00'],
  },
  {
    name: 'a backtrace with two blanks',
    source: 'ESP-IDF before 3.0, debug_helpers.c',
    text: 'Backtrace:  0x400d2a18:0x3ffb5030  0x400d2a30:0x3ffb5050',
    says: ['The calls that led here'],
    addresses: ['- exact 400d2a18', '- frame 400d2a30'],
  },
  {
    name: 'a crash of Tasmota on RISC-V that a watchdog caused',
    source: 'Tasmota, support_crash_recorder.ino',
    text: '{"CrashDump":{"Exception":5,"Reason":"IntWdtCpu0","EPC":"420109ce","EXCVADDR":"00000000","CallChain":["4201a0f0","42010a10","4200b012"]}}',
    says: ['Interrupts were blocked'],
    addresses: ['EPC exact 420109ce', '- return 4201a0f0'],
  },
];

checkDumps(dumps);

describe('a traceback', () => {
  const marksOf = (text: string) => {
    const recogniser = new PanicRecogniser();
    return text.split('\n').flatMap((line) => recogniser.line(line) ?? []);
  };

  it('is no crash when it is of code that was typed, or of Ctrl+C', () => {
    const head = 'Traceback (most recent call last):\n';
    expect(marksOf(`${head}  File "<stdin>", line 1, in <module>\nNameError: name 'x' isn't defined\n>>> `)).toEqual(
      [],
    );
    expect(marksOf(`${head}  File "main.py", line 8, in <module>\nKeyboardInterrupt: \n>>> `)).toEqual([]);
  });
});
