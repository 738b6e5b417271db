import { describe, expect, it, vi } from 'vitest';
import { whileAwake } from './wake-lock.ts';

/** A page with a lock that the browser releases when the page is hidden (W3C, Screen Wake Lock, section 9). */
function page() {
  const held = new Set<object>();
  const listeners = new Set<() => void>();
  const request = vi.fn(async () => {
    const lock = {
      release: async () => {
        held.delete(lock);
      },
    };
    held.add(lock);
    return lock;
  });
  const document = {
    visibilityState: 'visible',
    addEventListener: (_type: string, listener: () => void) => void listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => void listeners.delete(listener),
  };
  const show = (state: 'visible' | 'hidden') => {
    document.visibilityState = state;
    if (state === 'hidden') {
      held.clear();
    }
    for (const listener of listeners) {
      listener();
    }
  };
  return { held, listeners, request, document, wakeLock: { request }, show };
}

const noStop = () => undefined;
const settle = () => new Promise((resolve) => setTimeout(resolve));

describe('the wake lock of a write', () => {
  it('is asked for before the write, again when the page is visible again, and released at the end', async () => {
    const parts = page();
    const written = Promise.withResolvers<string>();
    const onStopped = vi.fn();
    const work = whileAwake(
      parts,
      async () => {
        expect(parts.request).toHaveBeenCalledOnce();
        return written.promise;
      },
      onStopped,
    );
    await settle();
    expect(parts.held.size).toBe(1);
    parts.show('hidden');
    await settle();
    expect(parts.held.size).toBe(0);
    parts.show('visible');
    await settle();
    expect(parts.held.size).toBe(1);
    written.resolve('complete');
    expect(await work).toBe('complete');
    await settle();
    expect(parts.held.size).toBe(0);
    expect(parts.listeners.size).toBe(0);
    expect(onStopped).not.toHaveBeenCalled();
  });

  it('is released after a failure, which names a page that was hidden', async () => {
    const parts = page();
    const written = Promise.withResolvers<never>();
    const onStopped = vi.fn();
    const work = whileAwake(parts, () => written.promise, onStopped);
    const failed = expect(work).rejects.toThrow('unplugged');
    parts.show('hidden');
    parts.show('visible');
    await settle();
    const unplugged = new Error('unplugged');
    written.reject(unplugged);
    await failed;
    await settle();
    expect(onStopped).toHaveBeenCalledExactlyOnceWith(unplugged);
    expect(parts.held.size).toBe(0);
  });

  it('is no reason for a failure of a page that stayed in front', async () => {
    const onStopped = vi.fn();
    await expect(whileAwake(page(), () => Promise.reject(new Error('garbage')), onStopped)).rejects.toThrow('garbage');
    expect(onStopped).not.toHaveBeenCalled();
  });

  it('is released when it comes after the end of the write', async () => {
    const parts = page();
    const late = Promise.withResolvers<{ release(): Promise<void> }>();
    parts.request.mockReturnValueOnce(late.promise);
    await whileAwake(parts, async () => undefined, noStop);
    const release = vi.fn(async () => undefined);
    late.resolve({ release });
    await settle();
    expect(release).toHaveBeenCalledOnce();
  });

  it.each([
    ['a browser without it', undefined],
    ['a refusal', { request: () => Promise.reject(new DOMException('low battery', 'NotAllowedError')) }],
  ])('does not hinder a write in %s', async (_name, wakeLock) => {
    expect(await whileAwake({ ...page(), wakeLock }, async () => 'complete', noStop)).toBe('complete');
  });
});
