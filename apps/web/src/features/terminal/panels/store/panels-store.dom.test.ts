import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BenchTick } from '../../../../protocol/bench/bench-tick.ts';
import { readHook } from '../../../../shared/testing/stores.ts';

const call = vi.fn(() => Promise.resolve());

/** Imports the modules again, as a page load does. */
async function freshPage() {
  vi.resetModules();
  const { replaceBench } = await import('../../../../workbench/bench.ts');
  replaceBench({ call: call as never });
  const { panelsNow } = await import('./panels-store.ts');
  const { benchStatus } = await import('../../../../workbench/bench-status.ts');
  const { useToasts } = await import('../../../../shared/ui/toast.ts');
  const actions = await import('./panel-actions.ts');
  const setState = (port: 1 | 2, state: BenchTick['status']['ports'][1]['state']) => {
    const { tick } = benchStatus;
    const ports = { ...tick.status.ports, [port]: { ...tick.status.ports[port], state } };
    benchStatus.accept({ ...tick, status: { ...tick.status, ports } });
  };
  return {
    toasts: () => readHook(useToasts),
    actions,
    setState,
    panels: () => panelsNow().panels,
  };
}

describe('the panels of a page', () => {
  beforeEach(() => {
    localStorage.clear();
    vi.restoreAllMocks();
    call.mockClear();
  });

  it('survive a reload', async () => {
    const { actions, panels } = await freshPage();
    const id = panels()[0]?.id ?? '';
    actions.addDevicePanel();
    actions.pinMessage(id, { content: 'help', type: 'ascii' });
    actions.setTarget(id, 2);
    actions.setEnding(id, 'crlf');
    actions.setCollapsed(id, true);
    const again = await freshPage();
    expect(again.panels()).toEqual(panels());
    expect(again.panels()[0]).toMatchObject({ pinnedTargetPort: 2, lineEnding: true, collapsed: true });
  });

  it('follow another tab, and write nothing back', async () => {
    const { actions, panels } = await freshPage();
    actions.addDevicePanel();
    const key = 'wirebench.panel.2';
    const stored = JSON.parse(localStorage.getItem(key) ?? '');
    localStorage.setItem(key, JSON.stringify({ ...stored, name: 'GNSS' }));
    const write = vi.spyOn(Storage.prototype, 'setItem');
    window.dispatchEvent(new StorageEvent('storage', { key }));
    expect(panels().map(({ name }) => name)).toEqual(['Panel 1', 'GNSS']);
    expect(write).not.toHaveBeenCalled();
  });

  it('say once that the storage is full, and go on in this tab', async () => {
    const { actions, panels, toasts } = await freshPage();
    const write = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
    actions.addDevicePanel();
    actions.addDevicePanel();
    expect(panels()).toHaveLength(3);
    const { current, waiting } = toasts();
    expect(current?.text).toMatch(/^The panels could not be saved: the browser's storage for this site is full\./);
    expect(waiting).toEqual([]);
    write.mockRestore();
    actions.addDevicePanel();
    expect((await freshPage()).panels()).toHaveLength(4);
  });

  it('lose their target when its port disconnects, and that is on the timeline', async () => {
    const { actions, panels, setState } = await freshPage();
    actions.addDevicePanel();
    actions.addDevicePanel();
    const [a, b, c] = panels().map(({ id }) => id);
    setState(1, 'connected');
    setState(2, 'connected');
    actions.setTarget(a ?? '', 1);
    actions.setTarget(b ?? '', 1);
    actions.setTarget(c ?? '', 2);
    setState(1, 'disconnecting');
    expect(panels().map(({ pinnedTargetPort }) => pinnedTargetPort)).toEqual([1, 1, 2]);
    setState(1, 'disconnected');
    expect(panels().map(({ pinnedTargetPort }) => pinnedTargetPort)).toEqual([-1, -1, 2]);
    expect(call.mock.calls).toEqual([
      ['notice', 'info', 'Panel 1 and Panel 2 no longer have a target: Port 1 disconnected.', 1],
    ]);
    setState(2, 'reconnecting');
    expect(call).toHaveBeenLastCalledWith('notice', 'info', 'Panel 3 no longer has a target: Port 2 disconnected.', 2);
  });

  it('lose a target without a word if they are empty and it was not chosen', async () => {
    const { panels, setState } = await freshPage();
    setState(1, 'connected');
    expect(panels()[0]?.pinnedTargetPort).toBe(1);
    setState(1, 'disconnected');
    expect(panels()[0]?.pinnedTargetPort).toBe(-1);
    expect(call).not.toHaveBeenCalled();
  });

  it('say so if they hold a command', async () => {
    const { actions, panels, setState } = await freshPage();
    setState(1, 'connected');
    actions.pinMessage(panels()[0]?.id ?? '', { content: 'help', type: 'ascii' });
    setState(1, 'disconnected');
    expect(call.mock.calls).toEqual([['notice', 'info', 'Panel 1 no longer has a target: Port 1 disconnected.', 1]]);
  });

  it('keep a target that was chosen before its port was connected', async () => {
    const { actions, panels, setState } = await freshPage();
    actions.setTarget(panels()[0]?.id ?? '', 1);
    setState(1, 'connecting');
    setState(1, 'disconnected');
    setState(1, 'connected');
    expect(panels()[0]?.pinnedTargetPort).toBe(1);
    expect(call).not.toHaveBeenCalled();
  });
});
