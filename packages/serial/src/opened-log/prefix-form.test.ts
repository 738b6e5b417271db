import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { LogClock } from './log-clock.ts';
import { logPrograms } from './log-programs.ts';
import { PrefixForm, type PrefixTime } from './prefix-form.ts';

const day = new Date(2026, 10, 25, 12).getTime();
const midnight = new Date(2026, 10, 25).getTime();

/** Returns the time and the text behind a prefix; null without one. */
function read(pattern: string, time: PrefixTime, line: string) {
  const form = new PrefixForm(pattern, time);
  const bytes = utf8(line);
  return form.read(bytes, 0, bytes.length) ? [form.timeOf(new LogClock(day)), line.slice(form.end)] : null;
}

describe('a form of a prefix', () => {
  it.each([
    ['hh:mm:ss.f ', 'clock', '14:03:05.120 x', midnight + 50_585_120],
    ['hh:mm:ss.f ', 'clock', '14:03:05.120456 x', midnight + 50_585_120.456],
    ['hh:mm:ss.f ', 'clock', '14:03:05.1 x', midnight + 50_585_100],
    ['h:m:ss.f -> ', 'clock', '4:3:05.120 -> x', midnight + 14_585_120],
    ['h:mm:ss a ', 'clock', '12:03:05 AM x', midnight + 185_000],
    ['h:mm:ss a ', 'clock', '2:03:05 pm x', midnight + 50_585_000],
    ['[d hh:mm:ss.f] ', 'elapsed', '[1 00:00:05.120] x', midnight + 86_405_120],
    ['[S.ffffff] ', 'elapsed', '[   12.250000] x', midnight + 12_250],
    ['[S.fff] ', 'delta', '[61.250] x', midnight + 61_250],
    ['(S.ffffff) ', 'dated', '(1436509052.249713) x', 1_436_509_052_249.713],
    ['w b DD hh:mm:ss YYYY ', 'dated', 'Fri Nov  6 14:03:05 2026 x', new Date(2026, 10, 6, 14, 3, 5).getTime()],
    ['b DD hh:mm:ss ', 'yearless', 'Nov 26 14:03:05 x', new Date(2026, 10, 26, 14, 3, 5).getTime()],
    ['b DD hh:mm:ss ', 'yearless', 'Dec 31 14:03:05 x', new Date(2025, 11, 31, 14, 3, 5).getTime()],
    ['YYYY-MM-DDThh:mm:ssz ', 'dated', '2026-11-20T14:03:05+01:30 x', Date.UTC(2026, 10, 20, 12, 33, 5)],
    ['YYYY-MM-DDThh:mm:ssz ', 'dated', '2026-11-20T14:03:05Z x', Date.UTC(2026, 10, 20, 14, 3, 5)],
    ['YYYY-MM-DDThh:mm:ssz ', 'dated', '2026-11-20T14:03:05 x', new Date(2026, 10, 20, 14, 3, 5).getTime()],
    ['[hh:mm:ss.f x] ', 'clock', '[14:03:05.120456 0.000123] x', midnight + 50_585_120.456],
  ] as const)('%s reads %s times: %s', (pattern, time, line, at) => {
    expect(read(pattern, time, line)).toEqual([at, 'x']);
  });

  it.each([
    ['hh:mm:ss.f ', 'clock', '24:03:05.120 x'],
    ['hh:mm:ss.f ', 'clock', '14:60:05.120 x'],
    ['hh:mm:ss.f ', 'clock', '4:03:05.120 x'],
    ['hh:mm:ss.f ', 'clock', '14:03:05. x'],
    ['h:mm:ss a ', 'clock', '13:03:05 PM x'],
    ['DD/MM/YYYY hh:mm:ss ', 'dated', '11/20/2026 14:03:05 x'],
    ['[S.f] ', 'dated', '[12.250] x'],
    ['[S.fff] ', 'delta', '[12.250000] x'],
    ['[S.fff] ', 'delta', '[1763643705.250] x'],
  ] as const)('%s finds no %s time in %s', (pattern, time, line) => {
    expect(read(pattern, time, line)).toBeNull();
  });

  it('may lack its last blank where the line ends', () => {
    expect(read('hh:mm:ss.f -> ', 'clock', '14:03:05.120 ->\n')).toEqual([midnight + 50_585_120, '\n']);
    expect(read('hh:mm:ss.f -> ', 'clock', '14:03:05.120 ->')).toEqual([midnight + 50_585_120, '']);
    expect(read('hh:mm:ss.f -> ', 'clock', '14:03:05.120 ->x')).toBeNull();
  });
});

describe('a prefix with a kind of line', () => {
  const stamp = '2026-11-20 14:03:05.120  ';
  const form = new PrefixForm('YYYY-MM-DD hh:mm:ss.fff  K', 'dated');
  const latin1 = new TextDecoder('latin1');

  /** Returns the port, the direction and the offset behind the prefix; null without a prefix. */
  function kindOf(line: string) {
    const bytes = utf8(line);
    return form.read(bytes, 0, bytes.length) ? [form.portOf(bytes), form.direction, form.end] : null;
  }

  it('may lack its last blanks where the line ends', () => {
    expect(kindOf(`${stamp}RX \n`)).toEqual([null, 'received', stamp.length + 3]);
    expect(kindOf(`${stamp}Port 1  TX \n`)).toEqual(['Port 1', 'sent', stamp.length + 11]);
    expect(kindOf(`${stamp}RX\n`)).toBeNull();
  });

  it('is the same as the one that the expression of exported logs finds', () => {
    const { prefix } = logPrograms.wirebench.own;
    const piece = fc.constantFrom('Port 1', 'RX', 'TX', 'INFO', 'ERROR', '  ', '  RX  ', '  TX  ', ' ', '\t', 'é', 'x');
    const long = fc.nat({ max: 300 }).map((length) => 'a'.repeat(length));
    fc.assert(
      fc.property(fc.array(fc.oneof({ weight: 6, arbitrary: piece }, long), { maxLength: 9 }), (pieces) => {
        const line = `${stamp}${pieces.join('')}.\n`;
        prefix.lastIndex = 0;
        const match = prefix.exec(latin1.decode(utf8(line)));
        const [port, kind] = [match?.[8] ?? null, match?.[9]];
        // Without the groups of the time, the expression takes it for the name of a port.
        const isOwn = match?.[1] !== undefined && (kind === 'RX' || kind === 'TX');
        const expected = isOwn ? [port, kind === 'TX' ? 'sent' : 'received', prefix.lastIndex] : null;
        expect(kindOf(line)).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
  });

  it('has the names of many ports', () => {
    for (let port = 0; port < 40; port++) {
      expect(kindOf(`${stamp}Port ${port % 20}  RX  x`)?.[0]).toBe(`Port ${port % 20}`);
    }
  });
});

describe('times without a date', () => {
  it('stay the same on a day on which clocks are changed', () => {
    const clock = new LogClock(new Date(2026, 2, 29).getTime());
    expect(clock.timeOfDay(14 * 3_600_000)).toBe(new Date(2026, 2, 29, 14).getTime());
  });

  it('have no known day after they went back in the middle of the day', () => {
    const clock = new LogClock(day);
    clock.timeOfDay(36_000_000);
    clock.timeOfDay(35_999_000);
    expect(clock.isUnsteady).toBe(false);
    clock.timeOfDay(33_000_000);
    expect(clock).toMatchObject({ isUnsteady: true, days: 0, lacksDates: true });
  });
});
