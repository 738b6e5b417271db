import { beforeEach, describe, expect, it, vi } from 'vitest';
import { takeOverMessage } from '../shared/offline/take-over.ts';
import { readHook, resetStores } from '../shared/testing/stores.ts';
import { keepOffline } from './after-loading.ts';
import { takeNewVersion, useHasNewerVersion } from './newer-version.ts';

interface Worker extends EventTarget {
  readonly postMessage: (message: unknown) => void;
}

const worker = (): Worker => Object.assign(new EventTarget(), { postMessage: vi.fn() });

/** A browser with a service worker container that a test plays. `null`: a page that no worker controls yet. */
function browser(controller: Worker | null) {
  const registration = Object.assign(new EventTarget(), {
    installing: null as Worker | null,
    waiting: null as Worker | null,
    update: vi.fn(() => Promise.resolve()),
  });
  const container = Object.assign(new EventTarget(), {
    controller,
    register: vi.fn(() => Promise.resolve(registration)),
    getRegistration: () => Promise.resolve(registration),
  });
  return {
    container,
    registration,
    navigator: { serviceWorker: container } as unknown as Navigator,
    /** A newer worker was found, and has all its files now. */
    found() {
      const newer = worker();
      registration.installing = newer;
      registration.dispatchEvent(new Event('updatefound'));
      registration.installing = null;
      registration.waiting = newer;
      newer.dispatchEvent(new Event('statechange'));
      return newer;
    },
    controlledBy(next: Worker) {
      registration.waiting = null;
      container.controller = next;
      container.dispatchEvent(new Event('controllerchange'));
    },
  };
}

const state = () => (readHook(useHasNewerVersion) ? 'ready' : 'none');
const reload = vi.fn();

beforeEach(() => {
  reload.mockClear();
  resetStores();
});

describe('a newer version', () => {
  it('is not reported on the first visit, and reloads nothing', async () => {
    const { navigator, found, controlledBy } = browser(null);
    await keepOffline(navigator, reload);
    controlledBy(found());
    expect([state(), reload.mock.calls.length]).toEqual(['none', 0]);
  });

  it('is offered when it is complete, and starts when the user confirms', async () => {
    const { navigator, found, controlledBy } = browser(worker());
    await keepOffline(navigator, reload);
    expect(state()).toBe('none');
    const newer = found();
    expect(state()).toBe('ready');
    expect(newer.postMessage).not.toHaveBeenCalled();
    takeNewVersion();
    expect(newer.postMessage).toHaveBeenCalledWith(takeOverMessage);
    expect(reload).not.toHaveBeenCalled();
    controlledBy(newer);
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is offered at once if it was already waiting', async () => {
    const { navigator, registration } = browser(worker());
    registration.waiting = worker();
    await keepOffline(navigator, reload);
    expect(state()).toBe('ready');
  });

  it('reloads nothing here after another tab took it, until this tab takes it', async () => {
    const { navigator, found, controlledBy } = browser(worker());
    await keepOffline(navigator, reload);
    controlledBy(found());
    expect([state(), reload.mock.calls.length]).toEqual(['ready', 0]);
    takeNewVersion();
    expect(reload).toHaveBeenCalledOnce();
  });

  it('is never offered if the browser has no service workers for this page', async () => {
    await keepOffline({} as Navigator, reload);
    expect(state()).toBe('none');
  });
});
