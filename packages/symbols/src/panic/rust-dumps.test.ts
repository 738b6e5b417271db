/** Recognises panics and exceptions of programs in Rust. */
import { checkDumps, type Dump } from './testing/crash-dumps.ts';

const dumps: readonly Dump[] = [
  {
    name: 'esp-backtrace of Rust',
    source: 'esp-rs, esp-backtrace/src/lib.rs',
    text: `\u001b[31m
====================== PANIC ======================
panicked at src/main.rs:44:5:
index out of bounds: the len is 3 but the index is 7

Backtrace:

0x420ffd16
0x42049124 - esp_rtos::fmt::__unwrap_failed
    at src/fmt.rs:238
0x42041c00`,
    says: ['panicked at src/main.rs:44:5', 'The calls that led here'],
    addresses: ['- call 420ffd16', '- call 42049124', '- call 42041c00'],
  },
  {
    name: 'esp-backtrace of Rust in older versions',
    source: 'esp-rs, esp-backtrace/src/lib.rs',
    text: `!! A panic occured in 'src/main.rs', at line 25, column 5:

PanicInfo {
    message: oh no,
}

Backtrace:

0x4200123e`,
    says: ['panicked at src/main.rs:25:5'],
    addresses: ['- call 4200123e'],
  },
  {
    name: 'an exception of Rust on Xtensa',
    source: 'esp-rs, esp-backtrace/src/lib.rs',
    text: `Exception occured 'LoadProhibited'
Context
PC=0x420060b3       PS=0x00060015
A0=0x820060b6       A1=0x3fcb0000
0x420060b0`,
    says: ['read from an address'],
    addresses: ['PC exact 420060b3', 'A0 return 820060b6', '- call 420060b0'],
  },
  {
    name: 'an exception of Rust on RISC-V',
    source: 'esp-rs, esp-backtrace/src/lib.rs',
    text: `Exception 'Load access fault' mepc=0x42000176, mtval=0x00000000
0x4200012c`,
    says: ['read from an address', 'MTVAL is 0x00000000: a null pointer'],
    addresses: ['MEPC exact 42000176', '- call 4200012c'],
  },
  {
    name: 'a panic of Rust before 1.73',
    source: "Rust, core::panic::PanicInfo's Display",
    text: "panicked at 'called `Option::unwrap()` on a `None` value', src/bin/blinky.rs:31:42",
    says: ['panicked at src/bin/blinky.rs:31:42'],
    addresses: [],
  },
  {
    name: 'a hard fault of Rust',
    source: 'cortex-m-rt, src/lib.rs, ExceptionFrame',
    text: `HardFault at ExceptionFrame {
    r0: 0x20000000,
    r1: 0x00000001,
    r2: 0x00000000,
    r3: 0x00000000,
    r12: 0x00000000,
    lr: 0x08000b35,
    pc: 0x08000a2c,
    xpsr: 0x61000000,
}`,
    says: ['a fault'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
  {
    name: 'a hard fault of Rust in one line',
    source: 'cortex-m-rt, src/lib.rs, ExceptionFrame',
    text: 'HardFault: ExceptionFrame { r0: 0x20000000, r1: 0x1, r2: 0x0, r3: 0x0, r12: 0x0, lr: 0x08000b35, pc: 0x08000a2c, xpsr: 0x61000000 }',
    says: ['a fault'],
    addresses: ['LR return 8000b35', 'PC exact 8000a2c'],
  },
];

checkDumps(dumps);
