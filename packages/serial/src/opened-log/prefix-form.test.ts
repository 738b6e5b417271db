import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../testing/line-channels.ts';
import { LogClock } from './log-clock.ts';
import { type LogProgram, logProgram, logProgramNames } from './log-programs.ts';

const decoder = new TextDecoder('latin1');
const two = fc.nat(99).map((value) => String(value).padStart(2, '0'));
const three = fc.nat(999).map((value) => String(value).padStart(3, '0'));
const date = fc.tuple(fc.integer({ min: 1970, max: 2100 }), two, two).map((parts) => parts.join('-'));
const time = fc.tuple(two, two, two).map((parts) => parts.join(':'));
/** Pieces of prefixes in any order, so that nearly whole ones are among them. */
const begin = fc.oneof(
  fc.tuple(fc.constantFrom('', '['), date, fc.constantFrom(' ', 'T'), time, fc.constantFrom('', '.'), three),
  fc.tuple(fc.constantFrom('', '['), time, fc.constantFrom('', '.'), three),
);
const end = fc.constantFrom('', '] ', ' -> ', ' > ', ' ', '\t', '  RX  ', '  TX  ', '  RX  a  TX  ', '  Port 1  RX  ');
const line = fc.tuple(begin, end, fc.string({ maxLength: 5 })).map(([first, middle, last]) => {
  return `${first.join('')}${middle}${last}`;
});

function byForms({ forms = [] }: LogProgram, text: string) {
  const bytes = utf8(text);
  for (const form of forms) {
    const at = form.timeAt(bytes, 0, new LogClock(0));
    if (at !== null) {
      return { at, direction: form.direction, length: form.length };
    }
  }
  return null;
}

function byExpression({ prefix, read }: LogProgram, text: string) {
  prefix.lastIndex = 0;
  const match = prefix.exec(decoder.decode(utf8(text)));
  if (match === null) {
    return null;
  }
  const { at, direction = 'received' } = read(match, new LogClock(0));
  return { at, direction, length: prefix.lastIndex };
}

describe('fixed forms of prefixes', () => {
  it('read what the expression of their program reads', () => {
    let seen = 0;
    fc.assert(
      fc.property(fc.constantFrom(...logProgramNames), line, (name, text) => {
        const found = byForms(logProgram(name), text);
        seen += Number(found !== null);
        expect(found ?? byExpression(logProgram(name), text)).toEqual(byExpression(logProgram(name), text));
      }),
      { numRuns: 3_000 },
    );
    expect(seen).toBeGreaterThan(20);
  });

  it.each([
    ['tio', '[14:03:05.019] '],
    ['tio-date', '[2026-11-25T12:34:56.789] '],
    ['tio-delta', '[00:00:01.000] '],
    ['minicom', '[2026-11-25 12:34:56] '],
    ['arduino', '14:03:05.120 -> '],
    ['platformio', '14:03:05.120 > '],
    ['coolterm', '2026-11-25 12:34:56.789 '],
    ['idf-monitor', '2026-11-25 12:34:56 '],
    ['wirebench', '2026-11-20 14:03:05.123  TX  '],
  ] as const)('of %s are found', (name, text) => {
    const found = byForms(logProgram(name), `${text}text`);
    expect(found?.length).toBe(text.length);
    expect(found).toEqual(byExpression(logProgram(name), `${text}text`));
  });

  it('end before the end of the text', () => {
    expect(byForms(logProgram('tio'), '[14:03:05.12')).toBeNull();
  });
});

it('a direction in the text of a line is not the direction of the line', () => {
  const found = byExpression(logProgram('wirebench'), '2026-11-20 14:03:05.123  RX  got  TX  done');
  expect(found).toMatchObject({ direction: 'received', length: '2026-11-20 14:03:05.123  RX  '.length });
});
