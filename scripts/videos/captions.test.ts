import { describe, expect, it } from 'vitest';
import { readingTime, webVtt } from './captions.ts';

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

  it('stay long enough to be read, and never only flash up', () => {
    expect(readingTime('Done.')).toBe(2);
    expect(readingTime('x'.repeat(85))).toBe(5);
  });
});
