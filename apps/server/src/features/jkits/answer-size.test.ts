import { type Jkit, jkitLimits } from '@wirebench/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withinAnswerSize } from './jkits.service.ts';

const jkit = (content: string, description = ''): Jkit => ({
  _id: '01990000-0000-7000-8000-000000000000',
  name: 'x'.repeat(60),
  type: 'uart',
  content,
  description,
  shared: true,
  tags: ['lte'],
  version: '1.0.0',
  publisher: 'maker',
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  rating: 4.333_333_333_333,
  ratingCount: 3,
});
const kilobytes = (count: number) => JSON.stringify({ fields: ['x'.repeat(count * 1_024)] });

describe('the size of an answer', () => {
  it('leaves a usual list as it is', () => {
    const jkits = Array.from({ length: 100 }, () => jkit(kilobytes(1)));
    expect(withinAnswerSize(jkits)).toEqual(jkits);
  });

  it('takes contents until it is full, and then those that still fit', () => {
    const jkits = [...Array.from({ length: 20 }, () => jkit(kilobytes(60))), jkit(kilobytes(1))];
    const contents = withinAnswerSize(jkits).map(({ content }) => content !== undefined);
    expect(contents).toEqual([...Array(16).fill(true), ...Array(4).fill(false), true]);
  });

  it('never gets longer, whatever the jkits hold', () => {
    const text = fc.oneof(
      fc.constant('"\\\n\t'),
      fc.constant('\u0001'),
      fc.constant('é'),
      fc.constant('🛠'),
      fc.string(),
    );
    const one = fc.tuple(text, fc.nat(60_000), text).map(([unit, length, description]) => {
      const content = JSON.stringify({ fields: [unit.repeat(Math.ceil(length / Math.max(1, unit.length)))] });
      return jkit(content.slice(0, jkitLimits.contentSize), description.repeat(80).slice(0, 500));
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 60 }), (jkits) => {
        const data = withinAnswerSize(jkits);
        const starred = { data: data.map((each) => ({ jkit: each, createdAt: each.createdAt })) };
        expect(Buffer.byteLength(JSON.stringify(starred))).toBeLessThanOrEqual(jkitLimits.answerSize);
        expect(data.map(({ content: _content, ...rest }) => rest)).toEqual(
          jkits.map(({ content: _content, ...rest }) => rest),
        );
      }),
      { numRuns: 50 },
    );
  });
});
