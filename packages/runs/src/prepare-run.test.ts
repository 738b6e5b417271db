import type { LineEnding } from '@wirebench/serial';
import { describe, expect, it } from 'vitest';
import { readEntry, writeEntry } from './pinned-message.ts';
import { prepareSteps } from './prepare-run.ts';

const ending: LineEnding = 'lf';
const read = (entry: unknown) => readEntry(entry, 'id')?.message ?? expect.unreachable();
const prepared = (entry: unknown, boards?: number) => {
  const messages = [read(entry)];
  return prepareSteps(messages, { all: messages, ending, ...(boards !== undefined && { boards }) });
};

describe('preparation of a run', () => {
  it.each([
    ['flow.loop', { flow: { answers: [{ text: 'OK' }], loop: 4 } }],
    ['flow.answers[2]', { flow: { answers: [{ text: 'OK' }, { expression: '/(/' }] } }],
    ['flow.answers[1]', { flow: { answers: [{ json: '{}' }] } }],
    ['flow.answers', { flow: { answers: 'OK' } }],
    ['flow.otherwise', { flow: { otherwise: { call: 'x' } } }],
    ['flow.tries', { flow: { tries: 1 } }],
    ['flow.spent', { flow: { spent: 'again' } }],
    ['flow', { flow: 'wait' }],
    ['expect', { expect: { text: 'OK' } }],
    ['timeoutMs', { expect: 'OK', timeoutMs: 'long' }],
    ['delayMs', { delayMs: -1 }],
    ['repeat', { repeat: 'often' }],
    ['hidden', { hidden: 'yes' }],
    ['file', { file: { by: 'kermit' } }],
    ['board', { board: 'left' }],
  ])('refuses a message whose %s it cannot read, and the message is kept as it was', (place, change) => {
    const entry = { content: 'AT', type: 'ascii', ...change };
    expect(prepared(entry)).toEqual({
      ok: false,
      reason: `"AT": this version cannot read its "${place}", so nothing is sent. Edit the command, or update Wirebench.`,
    });
    expect(writeEntry(read(entry))).toEqual(entry);
  });

  it.each([{ flow: {} }, { flow: { tries: 10 } }, { note: "the author's own" }, { timeoutMs: 86_400_000 }])(
    'takes a message with %o',
    (change) => {
      expect(prepared({ content: 'AT', ...change })).toMatchObject({ ok: true });
    },
  );

  it('compares an answer in hex byte by byte, and one in text as it is drawn', () => {
    const hex = { kind: 'bytes', bytes: Uint8Array.of(0x41, 0x42), isHex: true };
    const text = { kind: 'bytes', bytes: Uint8Array.of(0x41, 0x42) };
    const answers = [{ text: 'AB' }, { hex: '41 42' }];
    const answersOf = (entry: unknown) => {
      const steps = prepared(entry);
      return steps.ok
        ? steps.steps.map(({ answer, flow }) => [answer, flow?.answers.map(({ pattern }) => pattern)])
        : null;
    };
    expect(answersOf({ content: '01', type: 'hex', expect: '41 42' })).toEqual([[hex, undefined]]);
    expect(answersOf({ content: 'AT', expect: 'AB', flow: { answers } })).toEqual([[text, [text, text, hex]]]);
  });

  it('refuses a message for another board where there is one port', () => {
    expect(prepared({ content: 'AT', board: 2 })).toEqual({
      ok: false,
      reason: '"AT": it is for board 2. A panel has one port: "wirebench test" runs it.',
    });
    expect(prepared({ content: 'AT', board: 2 }, 4)).toMatchObject({ ok: true, steps: [{ board: 2 }] });
  });
});
