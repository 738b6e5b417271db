import { describe, expect, it } from 'vitest';
import type { PanicAddress } from '../panic/panic-mark.ts';
import { addressesOf, addressRows, incidentText, rowText, titleOf } from './crash-text.ts';
import { explainedLines } from './explained-lines.ts';
import type { Incident, IncidentLine } from './incident.ts';
import { type DecodedPlace, machineOf } from './program-files.ts';

const line = (kind: IncidentLine['kind'], change: Partial<IncidentLine> = {}): IncidentLine => ({
  kind,
  severity: 'fault',
  addresses: [],
  sequence: 1,
  text: kind,
  ...change,
});
const incident = (...lines: readonly IncidentLine[]): Incident => {
  return { id: 1, port: 1, at: 0, until: 0, severity: 'fault', chip: 'esp32', hash: null, lines };
};
const at = (value: number, role: PanicAddress['role'], label?: string): PanicAddress => {
  return { value, role, ...(label !== undefined && { label }) };
};
const place: DecodedPlace = {
  file: 1,
  frames: [
    { name: 'square', file: '/src/calls.h', line: 2 },
    { name: '_start', file: '/src/bare.c', line: 25 },
  ],
};

describe('addresses of a crash', () => {
  it('stand there once, but for callers that called themselves', () => {
    const crash = incident(
      line('registers', { addresses: [at(0x10, 'exact', 'PC'), at(0x20, 'return', 'RA')] }),
      line('backtrace', { addresses: [at(0x10, 'exact'), at(0x20, 'frame'), at(0x20, 'frame')] }),
      line('stack', { addresses: [at(0x20, 'stack'), at(0x30, 'stack')] }),
    );
    expect(addressesOf(crash).map(({ value, role }) => `${value} ${role}`)).toEqual([
      '16 exact',
      '32 return',
      '32 frame',
      '32 frame',
      '48 stack',
    ]);
  });

  it('are called what they are, callers by their place', () => {
    const { rows } = addressRows([at(1, 'exact', 'PC'), at(2, 'exact'), at(3, 'frame'), at(4, 'frame')], []);
    expect(rows.map(({ label }) => label)).toEqual(['PC', 'At', 'Caller 1', 'Caller 2']);
  });

  it('are listed for each core, with callers counted from one', () => {
    const crash = incident(
      line('backtrace', { core: 0, addresses: [at(0x10, 'exact'), at(0x20, 'frame')] }),
      line('backtrace', { core: 1, addresses: [at(0x10, 'exact'), at(0x30, 'frame')] }),
    );
    const { rows } = addressRows(addressesOf(crash), []);
    expect(rows.map(({ core, label }) => [core, label])).toEqual([
      [0, 'At'],
      [0, 'Caller 1'],
      [1, 'At'],
      [1, 'Caller 1'],
    ]);
    expect(incidentText(crash, rows)).toContain(
      'CPU 0:\n0x00000010: ?? at ??:?\n0x00000020: ?? at ??:?\nCPU 1:\n0x00000010',
    );
    const [one] = addressesOf(incident(line('backtrace', { core: 0, addresses: [at(0x10, 'exact')] })));
    expect(one).not.toHaveProperty('core');
  });

  it('are hidden for registers and stack unless a file resolves them as code', () => {
    const addresses = [at(1, 'register', 'A2'), at(2, 'stack'), at(3, 'frame')];
    expect(addressRows(addresses, [])).toMatchObject({ rows: [{ label: 'Caller 1' }], hidden: 2 });
    expect(addressRows(addresses, [null, place, null])).toMatchObject({
      rows: [{ label: 'Stack' }, { label: 'Caller 1' }],
      hidden: 1,
    });
  });
});

describe('the title of a task watchdog', () => {
  it('names the tasks that did not report', () => {
    const crash = incident(
      line('task-watchdog', { sentence: 'A task did not report in time.' }),
      line('task-watchdog', { sentence: 'Nothing else got to run on CPU 0.', starved: 'IDLE0 (CPU 0)' }),
      line('task-watchdog', { sentence: 'Task main was running on CPU 0 at that moment.' }),
    );
    expect(titleOf(crash)).toBe('Task watchdog: IDLE0 (CPU 0) did not report in time.');
  });
});

describe('copied text', () => {
  it('is the output of addr2line for an address', () => {
    expect(rowText({ address: at(0x4020000c, 'exact'), label: 'At', place })).toBe(
      '0x4020000c: square at /src/calls.h:2\n (inlined by) _start at /src/bare.c:25',
    );
    expect(rowText({ address: at(0x10, 'exact'), label: 'At', place: null })).toBe('0x00000010: ?? at ??:?');
  });

  it('has event, restart reason, build and addresses for a crash', () => {
    const crash = {
      ...incident(
        line('panic', { sentence: 'It read where it may not.' }),
        line('reset', { severity: 'notice', sentence: 'It restarted.', text: 'rst:0xc (SW_CPU_RESET)' }),
      ),
      hash: 'abcdef0123',
    };
    expect(incidentText(crash, [{ address: at(1, 'frame'), label: 'Caller 1', place }]).split('\n')).toEqual([
      'It read where it may not.',
      'rst:0xc (SW_CPU_RESET)',
      'It restarted.',
      'ELF file SHA256: abcdef0123',
      '0x00000001: square at /src/calls.h:2',
      ' (inlined by) _start at /src/bare.c:25',
      '',
    ]);
  });
});

describe('a report that was cut', () => {
  const cut = incident(
    line('panic', { sentence: 'It read where it may not.' }),
    line('backtrace', { sentence: 'The calls.', missing: 'Frame 2 is missing in the log.' }),
    line('backtrace', { missing: 'Frame 2 is missing in the log.' }),
  );

  it('says so in its copied text, once', () => {
    expect(incidentText(cut, []).split('\n')).toEqual([
      'It read where it may not.',
      'Frame 2 is missing in the log.',
      '',
    ]);
  });

  it('says so beside its sentences', () => {
    expect(explainedLines(cut).map(({ sentence, isMissing }) => [sentence, isMissing])).toEqual([
      ['Frame 2 is missing in the log.', true],
    ]);
  });
});

describe('the title of a crash', () => {
  it('is the first sentence about the worst of its lines', () => {
    expect(
      titleOf(
        incident(
          line('reset', { severity: 'notice', sentence: 'It started.' }),
          line('boot-failure', { sentence: 'Its flash is empty.' }),
        ),
      ),
    ).toBe('Its flash is empty.');
  });

  it('is the line itself if no sentence describes it', () => {
    expect(titleOf(incident(line('registers', { text: 'PC : 0x400d5b3e' })))).toBe('PC : 0x400d5b3e');
  });
});

describe('the processor of a chip', () => {
  it('is known by the name that its ROM has', () => {
    expect(['esp32', 'esp32s3', 'esp8266', 'esp32c3', 'esp32p4', null].map(machineOf)).toEqual([
      'xtensa',
      'xtensa',
      'xtensa',
      'riscv',
      'riscv',
      null,
    ]);
  });
});
