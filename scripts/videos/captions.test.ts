import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { captionLines, readingTime, webVtt } from './captions.ts';

describe('captions', () => {
  it('are a WebVTT file with a cue for each, in minutes, seconds and milliseconds', () => {
    const captions = [
      { from: 0, to: 3.25, text: 'The terminal opens.', place: 'bottom' },
      { from: 59.9996, to: 61.5, text: 'A command is sent.', place: 'top' },
    ] as const;
    expect(webVtt(captions)).toBe(
      'WEBVTT\n\n' +
        '00:00.000 --> 00:03.250 line:80%\nThe terminal opens.\n\n' +
        '01:00.000 --> 01:01.500 line:12%\nA command is sent.\n',
    );
  });

  it('are broken into even lines that fit a phone', () => {
    expect(captionLines('A command is typed below the log. Enter sends it.')).toEqual([
      'A command is typed below',
      'the log. Enter sends it.',
    ]);
    expect(captionLines('Share copies the link.')).toEqual(['Share copies the link.']);
  });

  it('have at most 40 characters in a line, and lose none', () => {
    const word = fc.stringMatching(/^[a-z]{1,40}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 30 }), (words) => {
        const lines = captionLines(words.join(' '));
        expect(lines.every(({ length }) => length <= 40)).toBe(true);
        expect(lines.join(' ')).toBe(words.join(' '));
      }),
    );
  });

  it('stay long enough to be read, and never only flash up', () => {
    expect(readingTime('Done.')).toBe(2);
    expect(readingTime('x'.repeat(85))).toBe(5);
  });
});
