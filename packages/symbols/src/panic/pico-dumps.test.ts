/** Recognises crashes that programs for RP2040 and RP2350 print: the Pico SDK, Arduino-Pico, ESPHome and handlers of their users. */
import { describe, expect, it } from 'vitest';
import { PanicRecogniser } from './panic-recogniser.ts';
import { panicsOfText } from './panic-text.ts';
import { checkDumps, type Dump } from './testing/crash-dumps.ts';

const dumps: readonly Dump[] = [
  {
    name: 'panic of the Pico SDK with its reason',
    source: 'pico-sdk, src/rp2_common/pico_platform_panic/panic.c',
    text: '*** PANIC ***\n\nNo DMA channel is free',
    says: ['stopped itself with panic', 'panic: No DMA channel is free.'],
    addresses: [],
  },
  {
    name: 'a failed hard_assert of the Pico SDK',
    source: 'pico-sdk, src/rp2_common/pico_runtime/runtime.c',
    text: '*** PANIC ***\n\nHard assert',
    says: ['stopped itself with panic', 'panic: Hard assert.'],
    addresses: [],
  },
  {
    name: 'assert of newlib, as Arduino-Pico and the SDK link it',
    source: 'newlib, newlib/libc/stdlib/assert.c',
    text: 'assertion "count < LIMIT" failed: file "/home/me/blink/blink.c", line 42, function: add_sample',
    says: ['An assertion failed: the line gives the condition and the place'],
    addresses: [],
  },
  {
    name: 'a handler with two columns',
    source: 'dawsonjon/PicoRX, pull request 270',
    text: `Undef 16-bit instr sr = 0x61000000
R0  = 0x00000028  R8  = 0x02feefa0
R1  = 0x00000268  R9  = 0x02feef99
R2  = 0xd0000000  R10 = 0x20006ce0
R3  = 0x00000000  R11 = 0x000001f3
R4  = 0x40054000  R12 = 0x20041d88
R5  = 0x20004a98  SP  = 0x20041fb0
R6  = 0x02ff35a7  LR  = 0x10002df5
R7  = 0x02ff353f  PC  = 0x100010f8`,
    says: ['a fault'],
    addresses: ['LR return 10002df5', 'PC exact 100010f8'],
  },
  {
    name: 'a handler of an RP2350 on its UART',
    source: 'gangg111/RP2350-UART-Crash-Diagnostics, README',
    text: `--- !!! CRASH DUMP DETECTED !!! ---
Exception Type: HardFault
R0:  0x00000000    R1:  0x20001234
R2:  0x00000001    R3:  0x10000F00
R12: 0x20040000    LR:  0x100004BF
PC:  0x100005A2    xPSR:0x01000000
--- END OF DUMP ---`,
    says: ['a fault'],
    addresses: ['LR return 100004bf', 'PC exact 100005a2'],
  },
];

checkDumps(dumps);

describe('a panic of the Pico SDK', () => {
  const sentencesOf = (text: string) => {
    const recogniser = new PanicRecogniser();
    return text.split('\n').flatMap((line) => recogniser.line(line)?.sentence ?? []);
  };

  it('takes one line for its text, and none of the next start', () => {
    expect(sentencesOf('*** PANIC ***\n\nout of memory\nsetup\nloop 1')).toEqual([
      'The program stopped itself with panic: the lines behind say why.',
      'The program stopped itself with panic: out of memory.',
    ]);
    expect(sentencesOf('*** PANIC ***\n*** Booting sensor 1.2 ***\nloop 1')).toHaveLength(1);
  });

  it('is one crash with its text', () => {
    const marks = panicsOfText('boot\n*** PANIC ***\n\nout of memory\n').flat();
    expect(marks.map(({ mark }) => mark.isContinued ?? false)).toEqual([false, true]);
  });
});
