import { describe, expect, it } from 'vitest';
import { errorMessage, operationFailure } from './api-error.ts';

describe('operation failures', () => {
  it.each([
    [new Error('HTTP 503'), 'HTTP 503'],
    [{ message: 'of the error' }, 'of the error'],
    [{ response: { message: 'of the response' } }, 'of the response'],
    [{ response: { data: { message: 'of its data' } } }, 'of its data'],
    [{ message: '' }, 'An unexpected error occurred'],
    ['text', 'An unexpected error occurred'],
    [null, 'An unexpected error occurred'],
    [undefined, 'An unexpected error occurred'],
  ])('take their message from %j', (error, message) => {
    expect(errorMessage(error)).toBe(message);
    expect(operationFailure('Saving', error)).toBe(`Saving failed: ${message}`);
  });
});
