import { afterEach, describe, expect, it, vi } from 'vitest';
import { openLogs, wantsLog } from './open-log.ts';

/** A tab that was opened, and the messages that it got. */
function tabThatOpens() {
  const tab = { postMessage: vi.fn(), close: vi.fn() };
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  return tab;
}

const ask = (source: unknown) =>
  window.dispatchEvent(
    new MessageEvent('message', { data: wantsLog, origin: location.origin, source: source as Window }),
  );

const log = { file: new Blob(['text']), name: 'one.log', lastModified: 5 };

afterEach(() => vi.restoreAllMocks());

describe('logs for another tab', () => {
  it('are given to the tab that was opened, and once', async () => {
    const tab = tabThatOpens();
    openLogs(Promise.resolve([log]));
    ask(window);
    expect(tab.postMessage).not.toHaveBeenCalled();
    ask(tab);
    ask(tab);
    await vi.waitFor(() => expect(tab.postMessage).toHaveBeenCalledOnce());
    expect(tab.postMessage).toHaveBeenCalledWith({ logs: [log] }, location.origin);
  });

  it('leave no tab behind if they cannot be read', async () => {
    const tab = tabThatOpens();
    openLogs(Promise.reject(new Error('The file is gone.')));
    await vi.waitFor(() => expect(tab.close).toHaveBeenCalledOnce());
    ask(tab);
    expect(tab.postMessage).not.toHaveBeenCalled();
  });
});
