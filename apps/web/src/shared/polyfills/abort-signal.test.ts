import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { provideAbortSignal } from './abort-signal.ts';

const native = {
  controller: Object.getOwnPropertyDescriptors(AbortController.prototype),
  prototype: Object.getOwnPropertyDescriptors(AbortSignal.prototype),
  signal: Object.getOwnPropertyDescriptors(AbortSignal),
};

/** Behaves like Chromium 89: signals have no reasons, and `AbortSignal.any` is missing. */
beforeEach(() => {
  for (const name of ['any', 'timeout', 'abort']) {
    Reflect.deleteProperty(AbortSignal, name);
  }
  for (const name of ['reason', 'throwIfAborted']) {
    Reflect.deleteProperty(AbortSignal.prototype, name);
  }
  provideAbortSignal();
});
afterEach(() => {
  Object.defineProperties(AbortController.prototype, native.controller);
  Object.defineProperties(AbortSignal.prototype, native.prototype);
  for (const name of ['any', 'timeout', 'abort'] as const) {
    Object.defineProperty(AbortSignal, name, native.signal[name]);
  }
});

describe('signals in a browser without newer ones', () => {
  it('keep the reason of the first end', () => {
    const controller = new AbortController();
    controller.abort('unplugged');
    controller.abort('closed');
    expect(controller.signal.reason).toBe('unplugged');
    expect(() => controller.signal.throwIfAborted()).toThrow('unplugged');
  });

  it('end without a reason as a browser ends them', () => {
    const controller = new AbortController();
    controller.signal.throwIfAborted();
    expect(controller.signal.reason).toBeUndefined();
    controller.abort();
    expect(controller.signal.reason).toMatchObject({ name: 'AbortError' });
  });

  it('end with any of several, for its reason', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const either = AbortSignal.any([one.signal, other.signal]);
    expect(either.aborted).toBe(false);
    other.abort('unplugged');
    one.abort('late');
    expect([either.aborted, either.reason]).toEqual([true, 'unplugged']);
  });

  it('are over at once when one of several is', () => {
    const over = AbortSignal.any([new AbortController().signal, AbortSignal.abort('closed')]);
    expect([over.aborted, over.reason]).toEqual([true, 'closed']);
  });
});
