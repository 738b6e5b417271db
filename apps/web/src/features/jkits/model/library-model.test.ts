import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentSummary } from './content-summary.ts';
import { descriptionCut } from './description-cut.ts';
import { shownContent } from './jkit-messages.ts';
import { nextVersion } from './next-version.ts';
import { replacedText } from './panel-texts.ts';
import { savedText } from './saved-text.ts';

const hex = (content: string) => ({ content, type: 'hex' });
const summary = (fields: unknown, settings?: unknown) =>
  contentSummary({ type: 'uart', content: JSON.stringify({ fields, settings }) });

describe('the summary of a jkit', () => {
  it.each([
    [{ name: 'motor', messages: [{}, {}], files: [{}] }, 'motor, 2 messages, 1 file'],
    [{ name: 'modbus', registers: [{}] }, 'modbus, 1 register'],
    [{ name: 7, messages: 'x' }, ''],
    [null, ''],
  ])('counts the parts of the decoder %j', (content, text) => {
    expect(contentSummary({ type: 'decoder', content: JSON.stringify(content) })).toBe(text);
  });

  it.each([
    [['AT'], undefined, '1 message, LF'],
    [['AT', 'ATI'], { lineEnding: true }, '2 messages, CRLF'],
    [['AT'], { lineEnding: true, ending: 'cr' }, '1 message, CR'],
    [['AT'], { ending: 'none' }, '1 message, no line ending'],
    [['AT', hex('41')], undefined, '2 messages, 1 hex'],
    [[hex('41'), hex('42')], undefined, '2 messages, all hex'],
    [[7, null, { type: 'hex' }], undefined, '0 messages, LF'],
  ])('counts the messages of %j with the settings %j', (fields, settings, text) => {
    expect(summary(fields, settings)).toBe(text);
  });

  it('exists for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((json) => `{"fields":[${json}]}`),
        ),
        (content) => {
          expect(shownContent(content).messages.every((message) => typeof message.content === 'string')).toBe(true);
        },
      ),
    );
  });
});

describe('a description', () => {
  it('is cut at 80 characters, in one line, and no character in halves', () => {
    expect(descriptionCut(' x\n y ')).toEqual({ text: 'x y', cut: false });
    expect(descriptionCut('x'.repeat(80))).toEqual({ text: 'x'.repeat(80), cut: false });
    expect(descriptionCut('x'.repeat(81))).toEqual({ text: `${'x'.repeat(80)}…`, cut: true });
    expect(descriptionCut(`${'x'.repeat(79)} word`).text).toBe(`${'x'.repeat(79)}…`);
    expect(descriptionCut('👩‍🔧'.repeat(81)).text).toBe(`${'👩‍🔧'.repeat(80)}…`);
  });
});

describe('the time of saving', () => {
  it('is a time today, a day this year, and has its year before', () => {
    const now = new Date(2026, 10, 20, 15).getTime();
    const saved = (...at: [number, number, number, number, number]) => savedText(new Date(...at).toISOString(), now);
    expect(saved(2026, 10, 20, 13, 40)).toBe('Saved today 13:40');
    expect(saved(2026, 10, 12, 13, 40)).toBe('Saved 12 Nov');
    expect(saved(2025, 10, 12, 13, 40)).toBe('Saved 12 Nov 2025');
  });
});

describe('the next version', () => {
  it.each([
    ['1.0.0', '1.0.1'],
    ['1.9', '1.10'],
    ['v3-beta', 'v4-beta'],
    ['draft', 'draft'],
    ['', ''],
  ])('after %j is %j', (version, next) => {
    expect(nextVersion(version)).toBe(next);
  });
});

it('says how many messages a load replaces', () => {
  const text = (count: number) => replacedText({ name: 'GNSS', pinnedMessages: Array.from({ length: count }) });
  expect(replacedText({ name: 'Motor', type: 'decoder', pinnedMessages: [] })).toBe(
    'The decoder Motor is replaced. You can undo that.',
  );
  expect([text(0), text(1), text(2)]).toEqual([
    'Its messages are added to GNSS.',
    'The message in GNSS is replaced.',
    'The 2 messages in GNSS are replaced.',
  ]);
});
