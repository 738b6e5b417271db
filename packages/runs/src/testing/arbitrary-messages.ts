/** Arbitrary messages for property tests, including fields that other versions may have stored. */
import { hexText } from '@wirebench/serial';
import fc from 'fast-check';
import { answerFault, type MessageFlow, type Then, writeFlow } from '../message-flow.ts';
import { type MessageValue, valueFault } from '../message-value.ts';
import { fileWays, longestLabel, type MessageText, messageNumbers, type PinnedMessage } from '../pinned-message.ts';

const hexDigits = fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => hexText(bytes));

export const messageText: fc.Arbitrary<MessageText> = fc.oneof(
  fc.string({ minLength: 1, maxLength: 256, unit: 'binary' }).map((content): MessageText => {
    return { content: content.slice(0, 256), type: 'ascii' };
  }),
  hexDigits.map((content): MessageText => ({ content, type: 'hex' })),
);

/** Normalized by JSON, which turns negative zero into zero. */
export const anyValue = fc.jsonValue({ maxDepth: 1 }).map((value): unknown => JSON.parse(JSON.stringify(value)));

const unknownKey = fc.constantFrom('colour', 'note', 'x-device', 'id', 'name2');
export const unknownKeys = fc.dictionary(unknownKey, anyValue, { maxKeys: 2, noNullPrototype: true });

const number = (name: keyof typeof messageNumbers) =>
  fc.oneof(
    fc.constant(messageNumbers[name].usual),
    fc.integer({ min: messageNumbers[name].least, max: messageNumbers[name].most }),
  );

const label = fc.string({ maxLength: longestLabel }).map((text) => text.trim());

const go: fc.Arbitrary<Then> = fc.oneof(
  fc.constantFrom<Then>({ kind: 'next' }, { kind: 'again' }),
  fc.oneof(fc.constantFrom('Login', 'x'), fc.integer({ min: 1, max: 50 })).map((to): Then => ({ kind: 'goto', to })),
  fc.tuple(fc.boolean(), fc.string({ maxLength: 120 })).map(([passed, say]): Then => ({ kind: 'stop', passed, say })),
);

const answer = fc
  .record({
    written: fc.oneof(
      fc.string({ minLength: 1, maxLength: 256 }).map((content) => ({ form: 'text' as const, content })),
      hexDigits.map((content) => ({ form: 'hex' as const, content })),
      fc
        .constantFrom('/login: $/', '/heap: (?<free>\\d+)/i', '/a\\/b/')
        .map((content) => ({ form: 'expression' as const, content })),
    ),
    go,
  })
  .map(({ written, go }) => ({ ...written, go }))
  .filter((candidate) => answerFault(candidate) === null);

const messageValue: fc.Arbitrary<MessageValue> = fc
  .record({
    from: fc.integer({ min: -100_000, max: 100_000 }).map((whole) => whole / 1_000),
    width: fc.integer({ min: 1, max: 1_000_000 }).map((whole) => whole / 1_000),
    step: fc.constantFrom(0.001, 0.5, 1, 25),
    unit: fc.string({ maxLength: 16 }),
    perSecond: fc.integer({ min: 1, max: 50 }),
    whileDragging: fc.boolean(),
  })
  .map(({ width, ...value }) => ({ ...value, to: value.from + width }))
  .filter((value) => valueFault(value) === null);

export const messageFlow: fc.Arbitrary<MessageFlow | null> = fc
  .record({
    waitFirst: fc.boolean(),
    insert: fc.boolean(),
    value: fc.option(messageValue, { nil: null }),
    answers: fc.array(answer, { maxLength: 4 }),
    otherwise: go,
    tries: fc.integer({ min: 2, max: 10_000 }),
    spent: go.filter(({ kind }) => kind !== 'again'),
  })
  .map((flow) => (writeFlow(flow) === null ? null : flow));

export const message = (id: string): fc.Arbitrary<PinnedMessage> =>
  fc
    .record({
      text: messageText,
      label,
      hidden: fc.boolean(),
      expect: fc.option(messageText, { nil: null }),
      file: fc.option(fc.record({ by: fc.constantFrom(...fileWays), name: fc.string({ maxLength: 40 }) }), {
        nil: null,
      }),
      flow: fc.option(messageFlow, { nil: null }),
      timeoutMs: number('timeoutMs'),
      delayMs: number('delayMs'),
      repeat: number('repeat'),
      everyMs: number('everyMs'),
      others: unknownKeys,
    })
    .map(({ text, ...rest }) => ({ id, ...text, ...rest }));
