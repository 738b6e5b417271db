import { commonFailureText, FlashError } from '@wirebench/flasher/core';
import { ManifestError } from '@wirebench/flasher/release';
import { OpenError } from '@wirebench/port';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../boards/button-board.ts';
import { failureOf } from './failure.ts';

describe('a failure', () => {
  it('of a board has the remedy of its family and the state of the board', () => {
    const error = new FlashError('unplugged', commonFailureText.unplugged, { state: 'incomplete' });
    expect(failureOf(error, (code) => `Remedy for ${code}.`)).toEqual({
      code: 'unplugged',
      message: 'The board was unplugged.',
      remedy: 'Remedy for unplugged.',
      boardState: 'incomplete',
    });
  });

  it.each([
    [new ManifestError('no-cors', { host: 'maker.example' }), 'no-cors', 'Access-Control-Allow-Origin'],
    [new FileFault('app.hex: Line 3 is damaged.'), 'unusable-file', 'app.hex'],
    [new OpenError('busy', null), 'busy', 'could not be opened'],
    [new DOMException('denied', 'SecurityError'), 'permission-denied', 'does not let this page'],
    [new TypeError('Failed to fetch dynamically imported module: x'), 'not-loaded', 'could not be loaded'],
    [new RangeError('odd'), 'unexpected', 'odd'],
  ])('before the board has changed nothing: %s', (error, code, words) => {
    const failure = failureOf(error);
    expect(failure).toMatchObject({ code, boardState: 'unchanged' });
    expect(failure.message).toContain(words);
  });
});
