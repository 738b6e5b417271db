/** Tests when a frame came, in the words of its row and of the opened frame. */
import { describe, expect, it } from 'vitest';
import type { FramedLine } from '../framing/channel-decoder.ts';
import { timingOfFrame, wordsOfFrame } from './frame-words.ts';

const bytes = new Uint8Array([7]);
const framed = (facts: Partial<FramedLine>): FramedLine => ({
  frame: {
    decoder: 'modbus',
    message: 'read',
    key: '7 read',
    who: '07',
    kind: 'right',
    sentence: 'read 0',
    fields: [],
  },
  kind: 'frame',
  isText: false,
  number: 2,
  role: 'answer',
  question: 1,
  ms: null,
  isLate: false,
  askedOn: null,
  unanswered: null,
  missing: 0,
  ...facts,
});

describe('the time of a frame', () => {
  it.each([
    ['no question', {}, '', ''],
    ['an answer', { ms: 18.4 }, '18 ms', '18 ms after the question'],
    [
      'an answer on the other port of a bus',
      { ms: 0.25, askedOn: 2 },
      '0.3 ms after Port 2',
      '0.3 ms after the question on Port 2',
    ],
    ['an answer of unknown time', { askedOn: 2 }, 'after Port 2', 'after the question on Port 2'],
    ['a late answer', { ms: 1_500, isLate: true }, 'after 1.5 s', '1.5 s after the question, after the time for it'],
    [
      'a late answer of a short limit',
      { ms: 350, isLate: true },
      'after 350 ms',
      '350 ms after the question, after the time for it',
    ],
    [
      'a late answer on the other port of a bus',
      { ms: 1_500, isLate: true, askedOn: 2 },
      '1.5 s after Port 2',
      '1.5 s after the question on Port 2, after the time for it',
    ],
    ['a question without an answer', { unanswered: 1_000 }, 'no answer in 1000 ms', 'no answer in 1000 ms'],
    [
      'an answer after lost frames',
      { ms: 3, missing: 2 },
      '3 ms · 2 missing before',
      '3 ms after the question, 2 missing before',
    ],
  ] as const)('is said of %s', (_, facts, aside, timing) => {
    expect([wordsOfFrame(framed(facts), bytes).aside, timingOfFrame(framed(facts))]).toEqual([aside, timing]);
  });
});
