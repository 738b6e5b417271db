import { describe, expect, it } from 'vitest';
import { readTest } from './board-test.ts';

const read = (content: unknown) => readTest({ name: 'Smoke', content: JSON.stringify(content) });
const faultsOf = (content: unknown) => {
  const result = read(content);
  return result.ok ? [] : result.faults;
};
const panic = { name: 'No panic', when: { line: 'panic' } };
const answered = { content: 'AT', expect: 'OK' };

describe('a JKit as a test', () => {
  it('has its boards, the rules that decide, and the limit of its time', () => {
    const rules = [{ ...panic, must: 'not-fire' }, panic, { ...panic, must: 'fire', on: false }];
    const result = read({ fields: [answered, { ...answered, board: 3 }], rules, test: { seconds: 60 } });
    expect(result).toMatchObject({
      ok: true,
      test: { name: 'Smoke', boards: [1, 3], seconds: 60, rules: [{ name: 'No panic', must: 'not-fire' }] },
    });
  });

  it.each([
    ['no JSON', 'x', ['Invalid jkit format.']],
    ['nothing to check', { fields: ['AT'] }, [expect.stringContaining('it checks nothing')]],
    ['a rule that decides nothing', { fields: ['AT'], rules: [panic] }, [expect.stringContaining('it checks nothing')]],
    [
      'an unknown key of flow',
      { fields: [{ content: 'AT', flow: { answers: [{ text: 'OK' }], loop: 1 } }] },
      [expect.stringContaining('"flow.loop"'), expect.stringContaining('it checks nothing')],
    ],
    ['an entry that is no message', { fields: [answered, 7] }, [expect.stringContaining('not a message')]],
    ['a cut message', { fields: [answered, 'x'.repeat(257)] }, [expect.stringContaining('truncated')]],
    [
      'more messages than a panel has',
      { fields: [answered, ...Array(50).fill('x')] },
      [expect.stringContaining('51 messages')],
    ],
    [
      'an expression in a rule that does not compile',
      { fields: [answered], rules: [{ when: { line: '/(/' } }] },
      [expect.stringMatching(/^rules\[1\]: /)],
    ],
    [
      'another must',
      { fields: [answered], rules: [{ ...panic, must: 'maybe' }] },
      ['rules[1].must: it is "fire" or "not-fire".'],
    ],
    [
      'an unknown part of a condition',
      { fields: [answered], rules: [{ when: { line: 'x', times: 3 }, must: 'fire' }] },
      ['rules[1].when.times: this version does not know it.'],
    ],
    ['an unknown limit', { fields: [answered], test: { watts: 5 } }, ['test.watts: this version does not know it.']],
    ['half a second', { fields: [answered], test: { seconds: 0.5 } }, [expect.stringContaining('test.seconds')]],
  ])('with %s is refused with the place', (_case, content, faults) => {
    expect(content === 'x' ? faultsOf('x') : faultsOf(content)).toEqual(faults);
  });
});
