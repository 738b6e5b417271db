import { describe, expect, it } from 'vitest';
import { JkitContent } from './jkit-content.ts';

const withMessage = (message: unknown) => JkitContent.safeParse({ fields: [message] });

describe('content of a jkit', () => {
  it('has texts and messages that say how they are sent', () => {
    const content = {
      fields: ['AT', { content: 'AT+COPS=?', expect: 'OK', timeoutMs: 180_000 }, { content: '01 0f', type: 'hex' }],
      settings: { lineEnding: true, ending: 'cr' },
    };
    expect(JkitContent.parse(content)).toEqual(content);
  });

  it.each([
    ['an answer that is hex though the message is text', { content: 'x', expect: { content: 'B5 62', type: 'hex' } }],
    ['a pause and repetitions', { content: 'x', delayMs: 0, repeat: 10_000 }],
    ['256 characters', 'x'.repeat(256)],
    ['a wait of a day', { content: 'x', timeoutMs: 86_400_000 }],
    ['a board of a test on several', { content: 'x', board: 4 }],
    ['a key of `flow` that only later versions know', { content: 'x', flow: { loop: 4 } }],
    ['a number to choose', { content: 'fan {value}', flow: { value: { from: 0, to: 100 } } }],
    [
      'all that a slider needs',
      {
        content: 'fan {value}',
        flow: { value: { from: -1, to: 1, step: 0.1, unit: '%', perSecond: 50, whileDragging: true } },
      },
    ],
    ['a label that logs show in its place', { content: 'x', label: 'Password', hidden: true }],
  ])('may have %s', (_case, message) => {
    expect(withMessage(message).success).toBe(true);
  });

  it.each([
    ['an empty message', ''],
    ['257 characters', 'x'.repeat(257)],
    ['half a byte', { content: '01 0', type: 'hex' }],
    ['letters that are no hex', { content: '0g', type: 'hex' }],
    ['an answer that is half a byte', { content: 'x', expect: { content: '0', type: 'hex' } }],
    ['a wait of nothing', { content: 'x', timeoutMs: 0 }],
    ['a wait of more than a day', { content: 'x', timeoutMs: 86_400_001 }],
    ['a board 0', { content: 'x', board: 0 }],
    ['half a repetition', { content: 'x', repeat: 1.5 }],
    ['a hiding that is no truth value', { content: 'x', hidden: 'yes' }],
    ['a range without numbers', { content: 'x {value}', flow: { value: { from: 1, to: 1 } } }],
    ['a step wider than its range', { content: 'x {value}', flow: { value: { from: 0, to: 1, step: 2 } } }],
    ['more than 50 sendings a second', { content: 'x', flow: { value: { from: 0, to: 1, perSecond: 51 } } }],
    ['another type', { content: 'x', type: 'text' }],
  ])('has no %s', (_case, message) => {
    expect(withMessage(message).success).toBe(false);
  });

  it('may have rules, of which it checks nothing', () => {
    const content = { fields: [], rules: [{ when: { line: 'a' }, do: { colour: 'red' } }, 7] };
    expect(JkitContent.parse(content)).toEqual(content);
  });

  it('may have a limit of its time as a test', () => {
    const content = { fields: [], test: { seconds: 60 } };
    expect(JkitContent.parse(content)).toEqual(content);
    expect(JkitContent.safeParse({ fields: [], test: { seconds: 0 } }).success).toBe(false);
  });

  it('has at most fifty messages', () => {
    const fields = Array.from({ length: 51 }, (_, number) => `message ${number}`);
    expect(JkitContent.safeParse({ fields: fields.slice(1) }).success).toBe(true);
    expect(JkitContent.safeParse({ fields }).success).toBe(false);
  });
});
