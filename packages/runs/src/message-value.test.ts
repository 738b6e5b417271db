import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MessageValue, nearestValue, sentNumber, usualValue, withValue } from './message-value.ts';
import { filledMessage, numbersOf, readEntry, writeEntry } from './pinned-message.ts';
import { prepareSteps } from './prepare-run.ts';

const read = (entry: unknown) => readEntry(entry, 'id')?.message ?? expect.unreachable();
const entry = (flow: unknown, content = 'fan {value}') => ({ content, type: 'ascii', flow });
const prepare = (message: ReturnType<typeof read>) => prepareSteps([message], { all: [message], ending: 'lf' });
const range = (change: Partial<MessageValue>): MessageValue => ({ ...usualValue, ...change });

describe('numbers for a message', () => {
  it('are a part of its flow, short where nothing differs from the usual', () => {
    const written = entry({ value: { from: -10, to: 10.5, step: 0.5, unit: '°C', whileDragging: true } });
    expect(numbersOf(read(written))).toEqual({
      from: -10,
      to: 10.5,
      step: 0.5,
      unit: '°C',
      perSecond: 10,
      whileDragging: true,
    });
    expect(writeEntry(read(written))).toEqual(written);
    expect(writeEntry(read(entry({ value: { from: 0, to: 100, step: 1 } })))).toEqual(
      entry({ value: { from: 0, to: 100 } }),
    );
  });

  it.each([
    [{ from: 0 }],
    [{ from: 0, to: '100' }],
    [{ from: 5, to: 5 }],
    [{ from: 0, to: 1, step: 2 }],
    [{ from: 0, to: 1, step: 0 }],
    [{ from: 0, to: 1, step: 1e-7 }],
    [{ from: 0, to: 2e9 }],
    [{ from: 0, to: 1, perSecond: 0 }],
    [{ from: 0, to: 1, unit: 'x'.repeat(17) }],
    [{ from: 0, to: 1, curve: 'log' }],
    [7],
  ])('are kept where this version cannot read them whole, and the message is not sent: %j', (value) => {
    const written = entry({ value });
    expect(writeEntry(read(written))).toEqual(written);
    expect(prepare(read(written))).toMatchObject({
      ok: false,
      reason: expect.stringContaining('cannot read its "flow.value"'),
    });
  });

  it('are asked for only where the text has a place for one', () => {
    const value = { from: 0, to: 100 };
    expect(numbersOf(read(entry({ value }, 'fan 5')))).toBeNull();
    expect(numbersOf(read({ content: '01 02', type: 'hex', flow: { value } }))).toBeNull();
    expect(numbersOf(read({ content: 'fan {value}' }))).toBeNull();
    expect(prepare(read({ content: 'fan {value}' }))).toMatchObject({ ok: true });
  });

  it('keep a message from being sent until one is chosen', () => {
    const message = read(entry({ value: { from: 0, to: 100 } }));
    expect(prepare(message)).toEqual({
      ok: false,
      reason:
        '"fan {value}": no number was chosen for {value}. Send it by itself first; a test has the number in its text.',
    });
    const prepared = prepare(filledMessage(message, 62));
    expect(prepared).toMatchObject({ ok: true, steps: [{ bytes: new TextEncoder().encode('fan 62\n') }] });
    expect(filledMessage(message, 62).flow).toBeNull();
  });

  it('leave captured text, doubled braces and branches in their places', () => {
    expect(withValue('a {value} {1} {{value} {value}', '7')).toBe('a 7 {1} {{value} 7');
    const message = read(entry({ insert: true, value: { from: 0, to: 9 }, answers: [{ expression: '/(\\d+)/' }] }));
    expect(filledMessage(message, 3)).toMatchObject({ content: 'fan 3', flow: { insert: true, value: null } });
  });

  it.each([
    [range({}), 62.4, '62'],
    [range({}), 101, '100'],
    [range({}), -1, '0'],
    [range({ from: -1, to: 1, step: 0.1 }), 0.04, '0.0'],
    [range({ from: -1, to: 1, step: 0.1 }), 0.949, '0.9'],
    [range({ from: 0, to: 10, step: 3 }), 10, '9'],
    [range({ from: 0.25, to: 5, step: 0.5 }), 0.9, '0.75'],
    [range({ from: 0, to: 1, step: 0.000_001 }), 0.123_456_7, '0.123457'],
  ])('are those of the range, with its decimals: %#', (numbers, wanted, text) => {
    expect(sentNumber(numbers, nearestValue(numbers, wanted))).toBe(text);
  });

  it('stay within the range for any wish', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), fc.constantFrom(0.1, 0.3, 1, 7), (wanted, step) => {
        const numbers = range({ from: -5, to: 5, step });
        const value = nearestValue(numbers, wanted);
        expect(value).toBeGreaterThanOrEqual(-5);
        expect(value).toBeLessThanOrEqual(5);
        expect(nearestValue(numbers, value)).toBe(value);
      }),
    );
  });
});
