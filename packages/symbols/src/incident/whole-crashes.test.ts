/** Crashes of systems other than ESP-IDF, from the lines of a log to one entry of the list. */
import { describe, expect, it } from 'vitest';
import { PanicRecogniser } from '../panic/panic-recogniser.ts';
import { titleOf } from './crash-text.ts';
import { IncidentBook } from './incident-book.ts';

function incidentsOf(text: string) {
  const [recogniser, book] = [new PanicRecogniser(), new IncidentBook()];
  for (const [sequence, line] of text.split('\n').entries()) {
    const mark = recogniser.line(line);
    if (mark !== undefined) {
      book.add(1, mark, { sequence, at: 1_000 + sequence, text: line }, null);
    }
  }
  return book.incidents;
}

const zephyr = `[00:00:05.979,000] <err> os: ***** BUS FAULT *****
[00:00:05.979,000] <err> os:   Precise data bus error
[00:00:05.979,000] <err> os: r0/a1:  0x0002efe4  r1/a2:  0x00000008  r2/a3:  0x20061980
[00:00:05.979,000] <err> os: r3/a4:  0x24060000 r12/ip:  0x0003026a r14/lr:  0x000263eb
[00:00:05.979,000] <err> os: Faulting instruction address (r15/pc): 0x00023c8a
[00:00:05.979,000] <err> os: >>> ZEPHYR FATAL ERROR 25: Unknown error on CPU 0
[00:00:05.979,000] <err> os: Current thread: 0x20060668 (shell_uart)`;
const panic = `E: r0/a1:  0x00000004  r1/a2:  0x00000000  r2/a3:  0x00000003
E: r3/a4:  0x00000000 r12/ip:  0x00000000 r14/lr:  0x08000b35
E: Faulting instruction address (r15/pc): 0x08000a2c
E: >>> ZEPHYR FATAL ERROR 4: Kernel panic on CPU 0
E: Current thread: 0x20000410 (main)`;
const cmBacktrace = `Fault on interrupt or bare metal(no OS) environment
  R0 : 00000000  R1 : 20000428  R2 : 00000008  R3 : 00000001
  R12: 00000000  LR : 08000b35  PC : 08000a2c  PSR: 61000000
Usage fault is caused by Indicates a divide by zero has taken place (can be set only if DIV_0_TRP is set)
Show more call stack info by run: addr2line -e CmBacktrace.elf -a -f 08000a2c 08000b34`;
const mbed = `++ MbedOS Fault Handler ++
FaultType: HardFault
R0   : 00000001
LR   : 00001877
PC   : 00001858
UFSR : 00000100
-- MbedOS Fault Handler --
++ MbedOS Error Info ++
Error Message: Fault exception
Location: 0x1858`;

describe('a crash', () => {
  it.each([
    ['of Zephyr', zephyr, 'The program used an address at which nothing answers'],
    ['of Zephyr that no fault announces', panic, 'The code found an error that the whole system cannot recover from'],
    ['that CmBacktrace prints', cmBacktrace, 'The program divided a whole number by zero'],
    ['of Mbed OS', mbed, 'The program used a number at an address that is not a multiple of its size'],
  ])('%s is one, named by its cause', (_, text, title) => {
    const incidents = incidentsOf(text);
    expect(incidents).toHaveLength(1);
    expect(incidents[0]?.severity).toBe('fault');
    expect(titleOf(incidents[0] as NonNullable<(typeof incidents)[0]>)).toContain(title);
  });

  it.each([
    ['of Zephyr', zephyr],
    ['of Zephyr that no fault announces', panic],
    ['that CmBacktrace prints', cmBacktrace],
    ['of Mbed OS', mbed],
  ])('%s behind another one is a second one', (_, text) => {
    expect(incidentsOf(`${text}\n${text}`)).toHaveLength(2);
  });
});
