import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerFault, plainFlow, readFlow, writeFlow } from './message-flow.ts';
import { readEntry, writeEntry } from './pinned-message.ts';
import { messageFlow } from './testing/arbitrary-messages.ts';

const read = (entry: unknown) => readEntry(entry, 'id')?.message ?? expect.unreachable();

describe('branches of a message', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(messageFlow, (flow) => {
        expect(flow === null ? null : readFlow(JSON.parse(JSON.stringify(writeFlow(flow))))).toEqual(flow);
      }),
    );
  });

  it('are one field of a JKit, short where nothing differs from the usual', () => {
    const entry = {
      content: 'unlock {seed}',
      type: 'ascii',
      expect: 'OK',
      timeoutMs: 1_000,
      flow: {
        insert: true,
        answers: [
          { text: 'ERROR', go: { stop: 'failed', say: 'Locked' } },
          { expression: '/busy (\\d+)/', go: 'again' },
          { hex: '06 0D', go: { to: 'Reset' } },
        ],
        otherwise: { to: 3 },
        tries: 5,
      },
    };
    expect(read(entry).flow).toMatchObject({ waitFirst: false, spent: { kind: 'stop', passed: false, say: '' } });
    expect(writeEntry(read(entry))).toEqual(entry);
    expect(writeFlow(plainFlow)).toBeNull();
  });

  it('go on after an answer that does not say otherwise', () => {
    expect(readFlow({ answers: [{ text: 'OK' }] })?.answers[0]?.go).toEqual({ kind: 'next' });
  });

  it.each([
    7,
    {},
    { answers: 'OK' },
    { answers: [{ text: '' }] },
    { answers: [{ text: 'a', hex: '06' }] },
    { answers: [{ regex: 'a' }] },
    { answers: [{ expression: '/(/' }] },
    { answers: [{ expression: '/(a)\\1/' }] },
    { answers: [{ text: 'a', go: { call: 'x' } }] },
    { answers: [{ text: 'a', go: { to: 'x', say: 'y' } }] },
    { answers: [{ text: 'a', go: { to: 0 } }] },
    { answers: Array.from({ length: 11 }, () => ({ text: 'a' })) },
    { tries: 1 },
    { spent: 'again' },
    { waitFirst: true, loop: 4 },
  ])('are kept as they are where this version cannot follow them: %j', (flow) => {
    const message = read({ content: 'AT', type: 'ascii', flow });
    expect(message.flow).toBeNull();
    expect(writeEntry(message)).toEqual({ content: 'AT', type: 'ascii', flow });
  });

  it('leave messages without them as they were, braces included', () => {
    const entry = { content: 'set {1} {{x}} {"a":1}', type: 'ascii' };
    expect(read(entry).flow).toBeNull();
    expect(writeEntry(read(entry))).toEqual(entry);
  });

  it('have answers with a fault that says what to do', () => {
    expect(answerFault({ form: 'text', content: 'OK\r\n' })).toBeNull();
    expect(answerFault({ form: 'text', content: '' })).toBe('Type an answer, or remove it.');
    expect(answerFault({ form: 'hex', content: '06 0' })).toBe('Write whole bytes in hex, such as 06 0D.');
    expect(answerFault({ form: 'expression', content: 'heap' })).toBe(
      'Write an expression as /…/, with flags i, s or u behind it.',
    );
    expect(answerFault({ form: 'expression', content: '/heap/ now' })).toContain('Write an expression as');
    expect(answerFault({ form: 'expression', content: '/a(?=b)/' })).toContain('Lookahead');
    expect(answerFault({ form: 'expression', content: '/heap: (\\d+)/i' })).toBeNull();
  });
});
