import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkFeedbackMessage,
  type FeedbackMessageFault,
  FeedbackQuery,
  FeedbackStatsQuery,
  feedbackLimits,
  feedbackText,
  NewFeedback,
} from './index.ts';

const email = 'maker@wirebench.example';
const refusalOf = (body: unknown) => NewFeedback.safeParse(body).error?.issues[0]?.message;

describe('feedback message', () => {
  it.each<[string, string, FeedbackMessageFault | null]>([
    ['nothing', '', 'empty'],
    ['white space only', ' \n\t ', 'empty'],
    ['19 characters', 'x'.repeat(19), 'tooShort'],
    ['19 characters padded to 25', `   ${'x'.repeat(19)}   `, 'tooShort'],
    ['20 characters', 'x'.repeat(20), null],
    ['140 characters', 'x'.repeat(140), null],
    ['140 characters padded', `\n${'x'.repeat(140)}  `, null],
    ['141 characters', 'x'.repeat(141), 'tooLong'],
  ])('%s', (_name, message, fault) => {
    expect(checkFeedbackMessage(message)).toBe(fault);
    expect(refusalOf({ email, message })).toBe(fault === null ? undefined : feedbackText[fault]);
  });

  it('is refused with texts that name the limits', () => {
    expect([feedbackText.empty, feedbackText.tooShort, feedbackText.tooLong]).toEqual([
      'Please enter your feedback',
      `Please enter at least ${feedbackLimits.minLength} characters`,
      `Message cannot exceed ${feedbackLimits.maxLength} characters`,
    ]);
    expect(feedbackText.tooLong).toBe('Message cannot exceed 140 characters');
  });
});

describe('feedback body', () => {
  const message = 'The terminal kept every byte of mine';

  it('drops what it does not know', () => {
    expect(NewFeedback.parse({ email, message, _id: 'mine', rating: 5 })).toEqual({ email, message });
  });

  it.each([
    ['no body', undefined, 'The body must be a JSON object'],
    ['a list', [], 'The body must be a JSON object'],
    ['no message', { email }, feedbackText.empty],
    ['a number as message', { email, message: 5 }, feedbackText.empty],
    ['no sender', { message }, 'Please enter an e-mail address'],
    ['a blank sender', { email: '  ', message }, 'Please enter an e-mail address'],
    ['a sender of 255 characters', { email: 'x'.repeat(255), message }, 'E-mail cannot exceed 254 characters'],
    ['a NUL, which no PostgreSQL keeps', { email, message: `${message}\0` }, 'Text cannot contain a NUL character'],
  ])('refuses %s', (_name, body, refusal) => {
    expect(refusalOf(body)).toBe(refusal);
  });

  it('takes a name as sender, since not every account has an address', () => {
    expect(NewFeedback.parse({ email: ' Mina Maker ', message }).email).toBe('Mina Maker');
  });

  it('keeps text that UTF-8 can carry, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 20, maxLength: 60 }), (text) => {
        fc.pre(checkFeedbackMessage(text) === null && !text.includes('\0'));
        expect(NewFeedback.parse({ email, message: text }).message).toBe(text);
      }),
    );
    expect(NewFeedback.parse({ email, message: `${message} \ud800` }).message).toBe(`${message} \ufffd`);
  });
});

describe('feedback queries', () => {
  it('come as text and have defaults', () => {
    expect(FeedbackQuery.parse({})).toEqual({ page: 1, limit: feedbackLimits.pageSize });
    expect(FeedbackQuery.parse({ page: '3', limit: '100', email: '' })).toEqual({ page: 3, limit: 100, email: '' });
    expect(FeedbackStatsQuery.parse({})).toEqual({ timeZone: 'UTC' });
  });

  it.each([{ page: '0' }, { page: 'one' }, { page: '1.5' }, { limit: '101' }, { limit: '' }, { page: ['1', '2'] }])(
    'refuse %j',
    (query) => {
      expect(FeedbackQuery.safeParse(query).success).toBe(false);
    },
  );

  it('take time zones that exist', () => {
    expect(FeedbackStatsQuery.safeParse({ timeZone: 'Asia/Kolkata' }).success).toBe(true);
    expect(FeedbackStatsQuery.safeParse({ timeZone: 'Mars/Olympus' }).success).toBe(false);
  });
});
