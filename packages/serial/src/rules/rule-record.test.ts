import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acts, newRule, nothingUnknown, type Rule, ruleColours } from './rule.ts';
import { conditionFault, readRule, writeRule } from './rule-record.ts';

const { id: _, ...base } = newRule({
  id: '',
  name: 'Errors red',
  mayAct: false,
  where: 'panel',
  condition: { kind: 'line', find: 'level:error', matchCase: false },
});

const read = (value: unknown) => {
  const result = readRule(value);
  return result.ok ? result.rule : expect.unreachable(result.message);
};
const refusal = (value: unknown) => {
  const result = readRule(value);
  return result.ok ? expect.unreachable('It was read') : result.message;
};

const condition: fc.Arbitrary<Rule['condition']> = fc.oneof(
  fc.record({
    kind: fc.constant('line' as const),
    find: fc.constantFrom('error', '/a+/i', 'hex:B5 62'),
    matchCase: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('silence' as const),
    seconds: fc.integer({ min: 1, max: 86_400 }),
    find: fc.constantFrom('', 'alive'),
  }),
  fc.record({
    kind: fc.constant('value' as const),
    series: fc.constantFrom('heap', 'Column 2'),
    side: fc.constantFrom('above' as const, 'below' as const),
    limit: fc.integer(),
  }),
);
const actions: fc.Arbitrary<Rule['actions']> = fc
  .record({
    colour: fc.constantFrom(null, ...ruleColours),
    colours: fc.constantFrom('line' as const, 'match' as const),
    mark: fc.boolean(),
    note: fc.boolean(),
    sound: fc.boolean(),
    notify: fc.boolean(),
    answer: fc.constantFrom(
      null,
      { kind: 'text' as const, content: 'root' },
      { kind: 'hex' as const, content: 'B5 62' },
      { kind: 'pinned' as const, content: 'Log in' },
    ),
    run: fc.boolean(),
    record: fc.constantFrom(null, 'start' as const, 'stop' as const),
  })
  .map((all) => ({ ...all, colours: all.colour === null ? 'line' : all.colours }));

describe('a rule', () => {
  it('comes back from its record, without the permission to act', () => {
    const rule = fc.record({
      name: fc.constantFrom('Errors', 'login'),
      isOn: fc.boolean(),
      mayAct: fc.boolean(),
      where: fc.constantFrom('panel' as const, 'all' as const),
      must: fc.constantFrom(null, 'fire' as const, 'not-fire' as const),
      condition,
      actions,
      others: fc.constantFrom(nothingUnknown, { rule: { owner: 'me' }, when: { since: 2 }, do: { flash: true } }),
    });
    fc.assert(
      fc.property(rule, (any) => {
        expect(read(JSON.parse(JSON.stringify(writeRule(any))))).toEqual({ ...any, mayAct: false });
      }),
    );
  });

  it('keeps a "must" that this version does not know', () => {
    const stored = { name: 'Errors', must: 'maybe', when: { line: 'level:error' }, do: {} };
    const rule = read(stored);
    expect(rule).toMatchObject({ must: null, others: { rule: { must: 'maybe' } } });
    expect(writeRule(rule)).toEqual(stored);
  });

  it('is written without what is usual', () => {
    expect(writeRule(base)).toEqual({ name: 'Errors red', when: { line: 'level:error' }, do: {} });
  });

  it('is written with an answer as text, or with its kind', () => {
    const written = (kind: 'text' | 'hex' | 'pinned') =>
      writeRule({ ...base, actions: { ...base.actions, answer: { kind, content: 'AB' } } })['do'];
    expect(written('text')).toEqual({ answer: 'AB' });
    expect(written('hex')).toEqual({ answer: { hex: 'AB' } });
    expect(written('pinned')).toEqual({ answer: { pinned: 'AB' } });
  });

  it('keeps a place that this version does not know', () => {
    const record = { name: 'Rule', where: 'desk', when: { line: 'a' }, do: {} };
    expect(writeRule(read(record))).toEqual(record);
    expect(read({ ...record, where: 'panel' })).toMatchObject({ where: 'panel', others: { rule: {} } });
    expect(read({ ...record, where: 'panel' }).others.rule).toEqual({});
  });

  it('keeps colours and recordings that this version does not know', () => {
    const record = { name: 'Rule', when: { line: 'a' }, do: { colour: 'pink', record: 'pause', mark: true } };
    expect(read(record).actions).toMatchObject({ colour: null, record: null, mark: true });
    expect(writeRule(read(record))).toEqual(record);
  });

  it('never brings the permission to act along', () => {
    const { mayAct, actions: does } = read({ mayAct: true, when: { line: 'login:' }, do: { answer: 'root' } });
    expect(mayAct).toBe(false);
    expect(acts({ actions: does })).toBe(true);
  });

  it.each([
    [7, 'A rule is an object with "when" and "do".'],
    [{}, 'The rule has no "when".'],
    [
      { when: { moon: 'full' } },
      'This version does not know the condition of the rule. It knows "line", "silence" and "series".',
    ],
    [{ when: { line: ' ' } }, 'Say which lines the rule is about, for example error or level:error.'],
    [{ when: { line: 5 } }, 'The "line" of a rule is not a text.'],
    [{ when: { line: 'port:9' } }, 'There is no port 9. Ports are 1 to 4, as in port:1,2.'],
    [{ when: { line: 'x'.repeat(257) } }, 'A condition has at most 256 characters.'],
    [
      { when: { line: '/login$\\n/' } },
      'This rule can never fire: no line can match /login$\\n/. Lines have no line feed, and ^ and $ are their ends.',
    ],
    [
      { when: { line: '/ok$./' } },
      'This rule can never fire: no line can match /ok$./. Lines have no line feed, and ^ and $ are their ends.',
    ],
    [{ when: { line: 'wifi not:WIFI' } }, 'This rule can never fire: not:WIFI leaves out every line that it is about.'],
    [
      { when: { line: 'GRÖẞE not:größe' } },
      'This rule can never fire: not:größe leaves out every line that it is about.',
    ],
    [
      { when: { line: 'level:error dir:tx' } },
      'This rule can never fire: sent lines have no level. Leave out level: or dir:tx.',
    ],
    [
      { when: { line: 'level:success' } },
      'This rule can never fire: only notices have the level success. Add dir:notice.',
    ],
    [{ when: { silence: 86_401 } }, 'A silence is a whole number of seconds from 1 to 86400.'],
    [{ when: { series: 'x'.repeat(257), below: 1 } }, 'Name the series, with at most 256 characters.'],
    [{ when: { line: 'a' }, do: { answer: 'x'.repeat(257) } }, 'An answer has from 1 to 256 characters.'],
    [{ when: { silence: 0 } }, 'A silence is a whole number of seconds from 1 to 86400.'],
    [{ when: { series: 'heap' } }, 'A rule about a value needs a limit: "above" or "below" with a number.'],
    [{ when: { series: ' ', below: 1 } }, 'Name the series, with at most 256 characters.'],
    [{ when: { line: 'a' }, do: { answer: 5 } }, 'An answer is a text, or an object with "hex" or "pinned".'],
    [{ when: { line: 'a' }, do: { answer: { hex: 'B' } } }, 'Hex string must have even number of characters'],
    [{ when: { line: 'a' }, do: { answer: '' } }, 'An answer has from 1 to 256 characters.'],
  ])('is refused with a sentence: %j', (value, sentence) => {
    expect(refusal(value)).toBe(sentence);
  });

  it('keeps the meaning that words of a stored condition have always had', () => {
    const { condition } = read({ name: 'Lost', when: { line: 'wifi lost' } });
    expect(condition).toMatchObject({ find: 'wifi and:lost' });
    expect(writeRule({ ...base, condition })).toMatchObject({ when: { line: 'wifi lost' } });
    expect(
      writeRule({ ...base, condition: { ...base.condition, find: 'line 42' } as Rule['condition'] }),
    ).toMatchObject({
      when: { line: '"line 42"' },
    });
  });

  it.each([
    { when: { silence: 1 } },
    { when: { silence: 86_400 } },
    { when: { series: 'x'.repeat(256), below: 1 } },
    { when: { line: 'x'.repeat(256) } },
    { when: { line: 'a' }, do: { answer: 'x'.repeat(256) } },
  ])('is taken at its limits: %j', (value) => {
    expect(readRule(value).ok).toBe(true);
  });

  it('is refused if its limit is no number', () => {
    const condition = { kind: 'value', series: 'heap', side: 'below' } as const;
    expect(conditionFault({ ...condition, limit: 20_000 })).toBeNull();
    expect(conditionFault({ ...condition, limit: Number.NaN })).toBe('The limit is a number, such as 20000.');
  });

  it.each([
    '/ login: ?$/',
    '/^é+$/u',
    '/\\bok\\b/',
    '/[^a]$/',
    '/$/',
    'wifi not:wifi6',
    'é not:e',
    '/a/ not:a',
    'a not:/a/',
    'hex:61 not:a',
    'a not:hex:61',
    'level:error',
  ])('takes the condition %s, which may fire', (line) => {
    expect(read({ when: { line } }).condition).toMatchObject({ find: line });
  });

  it('takes any JSON without a failure', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(typeof readRule(value).ok).toBe('boolean');
      }),
    );
  });
});
