import { describe, expect, it } from 'vitest';
import type { CrashReport, ReportedTask, ReportedVariable } from './crash-report.ts';
import { causeHint, causeTitle, endText, reportText, shortPlace, variablePlaceText } from './report-text.ts';

const frame = { pc: 0x4200_8a3c, source: 'registers', sp: 0x3fc9_4b14, frameEnd: null, registers: [] } as const;
const count: ReportedVariable = {
  name: 'n',
  type: 'size_t',
  isParameter: true,
  value: '4',
  isKnown: true,
  place: { kind: 'memory', address: 0x3fc9_4b20 },
};
const index: ReportedVariable = {
  ...count,
  name: 'i',
  type: 'int',
  isParameter: false,
  value: 'optimised away',
  isKnown: false,
  place: null,
};
const task: ReportedTask = {
  tcb: 0x3fc9_0000,
  name: 'sensors',
  priority: 5,
  crashed: true,
  stack: { low: 0x3fc9_4000, high: 0x3fc9_5000, used: 1_432 },
  frames: [
    {
      ...frame,
      places: [
        { name: 'slot_value', file: 'main/filter.h', line: 22, variables: [] },
        { name: 'filter_median', file: 'main/filter.c', line: 41, variables: [count, index] },
      ],
    },
    { ...frame, pc: 0x4038_a1f2, source: 'scan', places: [] },
  ],
  end: 'corrupt',
  memory: { address: 0x3fc9_4b10, bytes: Uint8Array.from({ length: 40 }, (_, index) => 0x3f + index) },
};
const report: CrashReport = {
  machine: 'riscv',
  chipId: 5,
  chipRevision: 3,
  checksum: 'crc32',
  inInterrupt: false,
  panicDetails: null,
  exception: { name: 'Load access fault', number: 5, sentence: 'The program read from null.', address: 8 },
  appHash: null,
  fingerprint: null,
  tasks: [task],
};

describe('a core dump in words', () => {
  it('names the task that did not report to its watchdog, and the one that ran', () => {
    const panicDetails =
      'Task watchdog got triggered. The following tasks/users did not reset the watchdog in time:\n - IDLE0 (CPU 0)\n - IDLE1 (CPU 1)';
    expect(causeTitle({ ...report, panicDetails })).toBe(
      'Task watchdog: IDLE0 (CPU 0) and IDLE1 (CPU 1) did not report in time, while task sensors ran',
    );
  });

  it('says that it has one frame and LR where only registers are known', () => {
    const [first] = task.frames;
    const stopped = { ...frame, places: [], registers: [{ name: 'lr', value: 0x0800_0a1d }] };
    const known = { ...task, end: 'unknown' as const, memory: null };
    expect(endText({ ...known, frames: [stopped] })).toMatch(/frame that stopped\. LR names no caller\.$/);
    expect(endText({ ...known, frames: [stopped, stopped] })).toMatch(/stopped and the caller that LR names\.$/);
    expect(endText({ ...known, frames: first === undefined ? [] : [first] })).toBe(
      'The stack goes on, but nothing tells where the next frame is.',
    );
  });

  it('says what happened, where it happened, and what to check', () => {
    expect(causeTitle(report)).toBe('Load access fault at address 0x00000008 in task sensors');
    expect(causeHint(report)).toBe('The program read from null.');
  });

  it.each([
    ['on the stack of the frame', count.place, 'stack, sp + 12'],
    ['elsewhere', { kind: 'memory', address: 0x3fc8_0000 }, '0x3FC80000'],
    ['in a register', { kind: 'register', name: 's1' }, 's1'],
    ['nowhere', null, ''],
  ] as const)('says where a variable is: %s', (_what, place, text) => {
    expect(variablePlaceText({ ...count, place }, { ...frame, frameEnd: 0x3fc9_4b40, places: [] })).toBe(text);
  });

  it('says what the panic handler said, without the exception that abort() ends with', () => {
    const aborted = { ...report, panicDetails: 'abort() was called at PC 0x42009351 on core 0\n' };
    expect(causeTitle(aborted)).toBe('abort() was called at PC 0x42009351 on core 0, in task sensors');
    expect(causeHint(aborted)).toBeNull();
  });

  it.each([
    [
      'a cause without a name',
      { exception: { name: null, number: 99, sentence: null, address: null } },
      'Exception 99 in task sensors',
    ],
    ['an interrupt', { inInterrupt: true }, 'Load access fault at address 0x00000008 in an interrupt'],
    [
      'a stack that ran over',
      { tasks: [{ ...task, stack: { low: 0x3fc9_4000, high: 0x3fc9_5000, used: 4_256 } }] },
      'Stack overflow in task sensors: 160 bytes over its end',
    ],
    ['no cause and no task', { exception: null, tasks: [] }, 'The board crashed'],
  ])('%s', (_what, change, title) => {
    expect(causeTitle({ ...report, ...change })).toBe(title);
  });

  it('names inlined calls and guesses as text', () => {
    expect(reportText(report, ['ESP32-C3'])).toBe(
      [
        'Load access fault at address 0x00000008 in task sensors',
        'The program read from null.',
        'ESP32-C3',
        '',
        'sensors (crashed, priority 5, stack 1432 of 4096 bytes)',
        '#0  0x42008A3C slot_value at main/filter.h:22',
        '    inlined by filter_median at main/filter.c:41',
        '      n = 4',
        '      i = <optimised away>',
        '#1  0x4038A1F2 (a guess)',
        'The stack is damaged from here on: the next frame cannot be right.',
      ].join('\n'),
    );
  });

  it('names a file with its folder', () => {
    expect(shortPlace({ file: '/builds/esp-idf/components/esp_system/panic.c', line: 472 })).toBe(
      'esp_system/panic.c:472',
    );
    expect(shortPlace({ file: 'C:\\project\\main\\main.c', line: 4 })).toBe('main/main.c:4');
    expect(shortPlace({ file: 'main.c' })).toBe('main.c:?');
  });
});
