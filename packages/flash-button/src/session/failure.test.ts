import { commonFailureText, FlashError } from '@wirebench/flasher/core';
import { FileFault } from '@wirebench/flasher/images';
import { ManifestError } from '@wirebench/flasher/release';
import { OpenError } from '@wirebench/port';
import { describe, expect, it } from 'vitest';

import { failureOf } from './failure.ts';

describe('a failure', () => {
  it('takes the remedy of the family and the state of the board', () => {
    const error = new FlashError('unplugged', commonFailureText.unplugged, { state: 'incomplete' });
    expect(failureOf(error, (code) => `Remedy for ${code}.`)).toEqual({
      code: 'unplugged',
      message: 'The board was unplugged.',
      remedy: 'Remedy for unplugged.',
      boardState: 'incomplete',
    });
  });

  it.each(['baud-refused', 'read-failed', 'stub-failed'])('names no setting that the dialog lacks: %s', (code) => {
    const error = new FlashError(code, { what: 'It failed.', remedy: '' }, { state: 'unchanged' });
    const { remedy } = failureOf(error, () => 'Choose a lower baud rate, or connect without the stub.');
    expect(remedy).toBe('Try again with a shorter cable, or at another USB port of the computer.');
  });

  it.each([
    [new ManifestError('no-cors', { host: 'maker.example' }), 'no-cors', 'Access-Control-Allow-Origin'],
    [new FileFault('app.hex: Line 3 is damaged.'), 'unusable-file', 'app.hex'],
    [new OpenError('busy', null), 'busy', 'could not be opened'],
    [new DOMException('denied', 'SecurityError'), 'permission-denied', 'does not let this page'],
    [new TypeError('Failed to fetch dynamically imported module: x'), 'not-loaded', 'could not be loaded'],
    [new RangeError('odd'), 'unexpected', 'odd'],
  ])('reports the board as unchanged for faults other than of a board: %s', (error, code, words) => {
    const failure = failureOf(error);
    expect(failure).toMatchObject({ code, boardState: 'unchanged' });
    expect(failure.message).toContain(words);
  });
});
