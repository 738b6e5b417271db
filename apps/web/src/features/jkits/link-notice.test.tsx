import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readHook } from '../../shared/testing/stores.ts';
import { Toaster } from '../../shared/ui/toaster.tsx';
import { LinkNotice } from './link-notice.tsx';
import { useLink } from './link-store.ts';
import { linkedJkit } from './model/jkit-link.ts';
import type { LinkedPanels } from './open-linked.ts';
import { JkitServer, testJkit } from './testing/jkit-server.ts';
import { clearLibrary, press } from './testing/library.tsx';
import { useLinkedJkit } from './use-linked-jkit.ts';

afterEach(() => {
  clearLibrary();
});

const jkit = testJkit(1, { shared: true, publisher: 'gnss-hut' });

function show(prepare: (server: JkitServer) => void = () => undefined, changes: Partial<LinkedPanels> = {}) {
  const server = new JkitServer();
  server.jkits = [jkit];
  prepare(server);
  vi.stubGlobal('fetch', server.fetch);
  const load = vi.fn<LinkedPanels['load']>(() => ({ ok: true, warnings: [], undo: () => undefined }));
  const panels: LinkedPanels = {
    type: 'uart',
    load,
    placeFor: () => ({ id: 'b', name: 'Panel 2', loaded: false }),
    show: vi.fn(),
    ...changes,
  };
  function Page() {
    useLinkedJkit(`?baud=9600&jkit=${jkit._id}`, panels);
    return (
      <>
        <LinkNotice panels={panels} />
        <Toaster />
      </>
    );
  }
  const { rerender } = render(<Page />);
  return { server, load, panels, again: () => rerender(<Page />) };
}

describe('a link to a jkit', () => {
  it.each([
    ['?jkit=01978c00-0000-7000-8000-000000000001', '01978c00-0000-7000-8000-000000000001'],
    ['?jkit=../search', null],
    ['?jkit=', null],
    ['?baud=9600', null],
  ])('%s asks for %s', (search, id) => {
    expect(linkedJkit(search)).toBe(id);
  });

  it('loads it once without a sign-in if no panel loses messages', async () => {
    const { server, load, panels, again } = show();
    await screen.findByText('jkit-1 loaded');
    again();
    expect(load).toHaveBeenCalledExactlyOnceWith('b', jkit, false);
    expect(panels.show).toHaveBeenCalledOnce();
    expect(server.calls.filter((call) => call.startsWith('GET /api'))).toEqual([`GET /api/jkits/${jkit._id}`]);
  });

  it('keeps a panel that already has it', async () => {
    const { load, panels } = show(undefined, { placeFor: () => ({ id: 'b', name: 'Panel 2', loaded: true }) });
    await waitFor(() => expect(panels.show).toHaveBeenCalled());
    expect(load).not.toHaveBeenCalled();
  });

  it('reports that no panel is free', async () => {
    const reason = 'No device instance available to load jkit';
    const load = vi.fn<LinkedPanels['load']>(() => ({ ok: false, reason }));
    show(undefined, { placeFor: () => null, load });
    expect((await screen.findByText(reason)).textContent).toBe(reason);
    await press('Dismiss');
    expect(screen.queryByText(reason)).toBeNull();
  });

  it('reports a failed load with its reason, and retries', async () => {
    const { server, load } = show((prepared) => {
      prepared.jkits = [];
    });
    await screen.findByText('Load JKit failed: This JKit does not exist, or it is private.');
    server.failAt('GET /api/jkits/', 'offline');
    await press('Try again');
    await screen.findByText('Load JKit failed: Network error: No response from server');
    server.failAt('GET /api/jkits/', null);
    server.jkits = [jkit];
    await press('Try again');
    await screen.findByText('jkit-1 loaded');
    expect(load).toHaveBeenCalledOnce();
  });

  it('shows a failure of the terminal only there, and not in the editor of chips', async () => {
    show((prepared) => {
      prepared.jkits = [];
    });
    await screen.findByText(/^Load JKit failed/);
    cleanup();
    const chips: LinkedPanels = { type: 'chip', load: vi.fn(), placeFor: () => null, show: vi.fn() };
    render(<LinkNotice panels={chips} />);
    expect(screen.queryByText(/^Load JKit failed/)).toBeNull();
    expect(readHook(() => useLink('uart')).failure).not.toBeNull();
  });
});
