/** Recognises the output of firmware on several processor cores. */
import { describe, expect, it } from 'vitest';
import { PanicRecogniser } from './panic-recogniser.ts';
import { starvedTasks, starvedTitle } from './task-watchdog.ts';

const marksOf = (text: string) => {
  const recogniser = new PanicRecogniser();
  return text.split('\n').flatMap((line) => recogniser.line(line) ?? []);
};

const watchdog = `E (10303) task_wdt: Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:
E (10303) task_wdt:  - IDLE0 (CPU 0)
E (10303) task_wdt:  - IDLE1 (CPU 1)
E (10303) task_wdt:  - uplink
E (10303) task_wdt: Tasks currently running:
E (10303) task_wdt: CPU 0: main
E (10303) task_wdt: CPU 1: worker
E (10303) task_wdt: Print CPU 0 (current core) backtrace


Backtrace: 0x400d2a18:0x3ffb5030 0x400d2a30:0x3ffb5050
E (10303) task_wdt: Print CPU 1 backtrace


Backtrace: 0x400d4e6d:0x3ffb6080 0x400d4e90:0x3ffb60a0`;

describe('a task watchdog of two cores', () => {
  const marks = marksOf(watchdog);

  it('says of which core each backtrace is', () => {
    const backtraces = marks.filter(({ addresses }) => addresses.length > 0);
    expect(backtraces.map(({ kind, core }) => [kind, core])).toEqual([
      ['backtrace', 0],
      ['backtrace', 1],
    ]);
  });

  it('names the tasks that did not report', () => {
    expect(marks.flatMap(({ starved }) => starved ?? [])).toEqual(['IDLE0 (CPU 0)', 'IDLE1 (CPU 1)', 'uplink']);
    expect(starvedTitle(['IDLE0 (CPU 0)', 'IDLE1 (CPU 1)', 'uplink'])).toBe(
      'Task watchdog: IDLE0 (CPU 0), IDLE1 (CPU 1) and uplink did not report in time',
    );
  });

  it('names them in the details of a core dump', () => {
    const details =
      'Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:\n - IDLE0 (CPU 0)\n - main (CPU 0/1)';
    expect(starvedTasks(details)).toEqual(['IDLE0 (CPU 0)', 'main (CPU 0/1)']);
    expect(starvedTasks('assert failed: x\n - IDLE0 (CPU 0)')).toEqual([]);
  });
});

describe('a panic of two cores', () => {
  it('says of which core registers, backtraces and stacks are', () => {
    const marks = marksOf(`Guru Meditation Error: Core  1 panic'ed (Interrupt wdt timeout on CPU1).
Core  1 register dump:
PC      : 0x400d2a1b  PS      : 0x00060730
Backtrace: 0x400d2a18:0x3ffb5030
Core  0 register dump:
PC      : 0x400d4e6d  PS      : 0x00060730
Backtrace: 0x400d4e6d:0x3ffb6080
rst:0xc (SW_CPU_RESET),boot:0x13 (SPI_FAST_FLASH_BOOT)`);
    expect(marks.map(({ core }) => core)).toEqual([1, 1, 1, 1, 0, 0, 0, undefined]);
  });

  it('gives the saved counters of all levels of interrupts but those that are zero', () => {
    const [, mark] = marksOf(`Core  0 was running in ISR context:
EPC1    : 0x400d1111  EPC2    : 0x00000000  EPC3    : 0x400d3333  EPC7    : 0x400d7777`);
    expect(mark?.addresses.map(({ label, role }) => [label, role])).toEqual([
      ['EPC1', 'exact'],
      ['EPC3', 'exact'],
      ['EPC7', 'exact'],
    ]);
  });
});
