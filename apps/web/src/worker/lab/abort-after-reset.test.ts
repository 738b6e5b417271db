import { expect, it } from 'vitest';
import { abortAfterReset } from './abort-after-reset.ts';

it('an abort before the reset takes effect with the reset', () => {
  const cancelled = new AbortController();
  const { signal, onStep } = abortAfterReset(cancelled.signal);
  onStep('opening');
  cancelled.abort('enough');
  expect(signal.aborted).toBe(false);
  onStep('resetting');
  expect(signal.reason).toBe('enough');
});

it('an abort after the reset takes effect at once, and one that came before the connect with the reset', () => {
  const cancelled = new AbortController();
  const first = abortAfterReset(cancelled.signal);
  first.onStep('resetting');
  expect(first.signal.aborted).toBe(false);
  cancelled.abort();
  expect(first.signal.aborted).toBe(true);
  const second = abortAfterReset(cancelled.signal);
  expect(second.signal.aborted).toBe(false);
  second.onStep('resetting');
  expect(second.signal.aborted).toBe(true);
});
