import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sessionStore } from '../../shared/session/page-session.ts';
import { testSession } from '../../shared/session/testing.ts';
import { toasts } from '../../shared/testing/toasts.ts';
import { testJkit } from './testing/jkit-server.ts';
import { clearLibrary, confirm, loadAnswer, open, press, rows, showLibrary } from './testing/library.tsx';

afterEach(clearLibrary);

const id = testJkit(1)._id;
const name = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Name' });

describe('the button of the library', () => {
  it('is disabled for visitors and says why', () => {
    const { server } = showLibrary(undefined, {}, false);
    const button = screen.getByRole('button', { name: 'JKit library for GNSS setup' });
    expect(button.getAttribute('aria-disabled')).toBe('true');
    const tooltip = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(tooltip?.textContent).toBe('Please login to use jkits');
    expect(server.calls).toEqual([]);
  });
});

describe('slots of one’s own jkits', () => {
  it('are as many as the server says, filled by age', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1, { name: 'esp-at-console', shared: true }), testJkit(2)];
      prepared.slots = 4;
    });
    await open();
    await screen.findByText('esp-at-console');
    expect(rows()).toEqual([
      '1esp-at-consoleShared2 messages, 1 hex. Saved 12 Nov 2025',
      '2jkit-2Private2 messages, 1 hex. Saved 12 Nov 2025',
      '3Empty slotSave this panel',
      '4Empty slot',
    ]);
    expect(screen.getByRole('tab', { name: 'My JKits 2/4' })).toBeDefined();
    expect(server.calls).toContain('GET /api/jkits?type=uart&limit=20&offset=0&sort=updatedAt');
  });

  it('take the panel under a name, which must be given', async () => {
    const { server, jkits } = showLibrary();
    await open();
    await press('Save this panel');
    await press('Save');
    expect(screen.getByText('Please enter a jkit name')).toBeDefined();
    await userEvent.type(await name(), 'gnss-m10-lab');
    await userEvent.type(screen.getByRole('textbox', { name: 'Tags' }), 'GNSS, u-blox,');
    await press('Save');
    await screen.findByText('gnss-m10-lab saved');
    expect(server.bodies).toContainEqual({
      type: 'uart',
      name: 'gnss-m10-lab',
      description: '',
      tags: ['GNSS', 'u-blox'],
      shared: false,
      version: '1.0.0',
      content: '{"fields":["AT"],"settings":{"lineEnding":false}}',
    });
    expect(jkits.attach).toHaveBeenCalledWith('a', expect.objectContaining({ name: 'gnss-m10-lab' }));
    await screen.findByRole('button', { name: 'gnss-m10-lab' });
  });

  it('keep what was typed when saving fails, when the library is closed, when its person signs out and in again, and try again', async () => {
    const { server } = showLibrary((prepared) => prepared.failAt('POST /api/jkits', 'offline'));
    await open();
    await press('Save this panel');
    await userEvent.type(await name(), 'kept');
    await press('Save');
    await screen.findByText('Save JKit failed: Network error: No response from server');
    await press('Close');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await open();
    expect((await name()).value).toBe('kept');
    act(() => sessionStore.clear());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    act(() => sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 })));
    await screen.findByRole('dialog', { name: 'JKit library' });
    expect((await name()).value).toBe('kept');
    server.failAt('POST /api/jkits', { status: 422, message: 'All 5 jkit slots are in use.' });
    await press('Save');
    await screen.findByText('Save JKit failed: All 5 jkit slots are in use.');
    server.failAt('POST /api/jkits', null);
    await press('Try again');
    await screen.findByText('kept saved');
  });

  it('give back what was typed when the form was cancelled', async () => {
    showLibrary();
    await open();
    await press('Save this panel');
    await userEvent.type(await name(), 'kept');
    await press('Cancel');
    await screen.findByText('New JKit discarded');
    expect(screen.queryByRole('textbox', { name: 'Name' })).toBeNull();
    await press('Undo');
    expect((await name()).value).toBe('kept');
  });

  it('give back an update that was cancelled, also when the library is closed by then', async () => {
    showLibrary((server) => {
      server.jkits = [testJkit(1)];
    });
    await open();
    await press('jkit-1');
    await press('Update');
    await userEvent.type(await screen.findByRole('textbox', { name: 'Description' }), 'Polls');
    await press('Cancel');
    await press('Close', await screen.findByRole('dialog', { name: 'JKit library' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await screen.findByText('Changes to jkit-1 discarded');
    await press('Undo');
    const form = await screen.findByRole('form', { name: 'Update jkit-1?' });
    expect(within(form).getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' }).value).toBe('Polls');
  });

  it('say nothing of a form that was cancelled as it was', async () => {
    showLibrary();
    await open();
    await press('Save this panel');
    await name();
    await press('Cancel');
    expect(toasts().current).toBeNull();
  });

  it('load into the panel once confirmed, with a way back', async () => {
    const undo = vi.fn();
    loadAnswer.result = { ok: true, warnings: [], undo };
    const jkit = testJkit(1);
    const { jkits } = showLibrary((server) => {
      server.jkits = [jkit];
    });
    await open();
    await press('jkit-1');
    await press('Load');
    expect(await screen.findByText('The 2 messages in GNSS setup are replaced.', { exact: false })).toBeDefined();
    expect(jkits.load).not.toHaveBeenCalled();
    await confirm('Load jkit-1?', 'Load');
    expect(jkits.load).toHaveBeenCalledWith('a', jkit, false);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.getByText('jkit-1 loaded')).toBeDefined();
    await press('Undo');
    expect(undo).toHaveBeenCalledOnce();
  });

  it('say what was lost in loading', async () => {
    loadAnswer.result = { ok: true, warnings: ['Cut.', 'Only 50.'], undo: () => undefined };
    showLibrary((server) => {
      server.jkits = [testJkit(1)];
    });
    await open();
    await press('jkit-1');
    await press('Load');
    await confirm('Load jkit-1?', 'Load');
    await screen.findByText('Cut. Only 50.');
  });

  it.each(['Invalid jkit format', 'No device instance available to load jkit'])(
    'stay with the refusal: %s',
    async (reason) => {
      loadAnswer.result = { ok: false, reason };
      showLibrary((server) => {
        server.jkits = [testJkit(1)];
      });
      await open();
      await press('jkit-1');
      await press('Load');
      await confirm('Load jkit-1?', 'Load');
      expect((await screen.findByText(reason)).textContent).toBe(reason);
      expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
    },
  );

  it('are walked with the arrow keys; Enter chooses, then loads', async () => {
    const { jkits } = showLibrary((server) => {
      server.jkits = [testJkit(1), testJkit(2)];
    });
    await open();
    (await screen.findByRole('button', { name: 'jkit-1' })).focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement?.textContent).toBe('jkit-2');
    await userEvent.keyboard('{Enter}{Enter}');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Load'));
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(jkits.load).toHaveBeenCalledWith('a', testJkit(2), false));
  });

  it('are updated with what the panel holds, as the next version', async () => {
    const { server, jkits } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1, { tags: ['GNSS'] })];
    });
    await open();
    await press('jkit-1');
    await press('Update');
    const form = await screen.findByRole('form', { name: 'Update jkit-1?' });
    await userEvent.type(within(form).getByRole('textbox', { name: 'Description' }), 'Polls');
    await press('Update', form);
    await screen.findByText('jkit-1 updated');
    expect(server.bodies).toContainEqual({
      basedOn: '2025-11-12T12:00:00.000Z',
      name: 'jkit-1',
      description: 'Polls',
      tags: ['GNSS'],
      version: '1.0.1',
      content: '{"fields":["AT"],"settings":{"lineEnding":false}}',
    });
    expect(jkits.attach).toHaveBeenCalledWith('a', expect.objectContaining({ version: '1.0.1' }));
  });

  it('are shared and unshared; the link is copied', async () => {
    const { server, jkits } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1)];
    });
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    await open();
    await press('jkit-1');
    await press('Share');
    await confirm('Share jkit-1?', 'Share');
    await screen.findByText('jkit-1 shared, link copied');
    expect(server.bodies).toContainEqual({ shared: true });
    expect(writeText).toHaveBeenCalledExactlyOnceWith(`${location.origin}/app/uart?jkit=${id}`);
    writeText.mockClear();
    await press('Copy link to jkit-1');
    expect(writeText).toHaveBeenCalledWith(`${location.origin}/app/uart?jkit=${id}`);
    await press('Unshare');
    await confirm('Unshare jkit-1?', 'Unshare');
    await screen.findByText('jkit-1 unshared');
    expect(server.bodies).toContainEqual({ shared: false });
    expect(jkits.refresh).toHaveBeenCalledTimes(2);
  });

  it('are deleted once confirmed, and not when it is given up', async () => {
    const { server, jkits } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1)];
    });
    await open();
    await press('jkit-1');
    await press('Delete');
    await confirm('Delete jkit-1?', 'Cancel');
    expect(server.jkits).toHaveLength(1);
    server.failAt('DELETE', 'offline');
    await press('Delete');
    await confirm('Delete jkit-1?', 'Delete');
    await screen.findByText('Delete JKit failed: Network error: No response from server');
    server.failAt('DELETE', null);
    await press('Try again');
    await screen.findByText('jkit-1 deleted');
    expect(jkits.forget).toHaveBeenCalledWith(id);
    expect(server.jkits).toEqual([]);
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Save this panel'));
  });

  it('keep their places when one of them is deleted, updated or saved', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1), testJkit(2), testJkit(3)];
    });
    const names = () =>
      rows()
        .slice(0, 4)
        .map((text) => text?.replace(/(Private|Shared).*/, ''));
    await open();
    await press('jkit-2');
    await press('Delete');
    await confirm('Delete jkit-2?', 'Delete');
    await waitFor(() => expect(names()).toEqual(['1jkit-1', '2Empty slotSave this panel', '3jkit-3', '4Empty slot']));
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Save this panel'));
    server.jkits = [testJkit(3, { updatedAt: '2026-01-01T12:00:00.000Z' }), testJkit(1)];
    await press('Save this panel');
    await userEvent.type(await name(), 'new');
    await press('Save');
    await waitFor(() => expect(names()).toEqual(['1jkit-1', '2new', '3jkit-3', '4Empty slotSave this panel']));
  });

  it('are removed from the list with a message when another tab deleted them', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1)];
    });
    await open();
    await press('jkit-1');
    await press('Share');
    server.jkits = [];
    server.failAt('PUT', { status: 404, message: 'This JKit does not exist, or it is private.' });
    await confirm('Share jkit-1?', 'Share');
    await waitFor(() => expect(screen.queryByRole('button', { name: 'jkit-1' })).toBeNull());
    expect(screen.getByText('This JKit does not exist, or it is private.')).toBeDefined();
  });

  it('report why they could not be listed, and retry', async () => {
    const { server } = showLibrary((prepared) => {
      prepared.failAt('GET /api/jkits?', { status: 503, message: 'The database is not responding.' });
    });
    await open();
    await screen.findByText('List JKits failed: The database is not responding.');
    server.failAt('GET /api/jkits?', null);
    await press('Try again');
    await screen.findByRole('button', { name: 'Save this panel' });
  });

  it('are loaded again when the window gets the focus', async () => {
    const { server } = showLibrary();
    await open();
    await screen.findByRole('button', { name: 'Save this panel' });
    server.jkits = [testJkit(1)];
    act(() => void window.dispatchEvent(new Event('focus')));
    await screen.findByRole('button', { name: 'jkit-1' });
  });
});

describe('a jkit of another user in the panel', () => {
  const about = { name: 'M10 polls', publisher: 'gnss-hut', version: '2.0' };
  const loadedJkit = { _id: id, ...about, shared: true, rating: 4.6, ratingCount: 9 };

  it('cannot be saved: the library names its owner', async () => {
    showLibrary(undefined, { loadedJkit });
    await open();
    await screen.findByText('You can only save your own JKits. This JKit belongs to gnss-hut.');
    expect(screen.queryByRole('button', { name: /^Update/ })).toBeNull();
  });

  it('shows its star, and the star is set and removed after a confirmation', async () => {
    const { server, jkits } = showLibrary(
      (prepared) => {
        prepared.jkits = [testJkit(1, { publisher: 'gnss-hut', shared: true })];
      },
      { loadedJkit },
    );
    await press('Star M10 polls');
    await confirm('Star M10 polls?', 'Star');
    await screen.findByText('M10 polls starred');
    expect(server.starred).toEqual([id]);
    expect(jkits.setStarred).toHaveBeenCalledWith(id, true);
    await press('Unstar M10 polls');
    await confirm('Unstar M10 polls?', 'Unstar');
    await screen.findByText('M10 polls unstarred');
    expect(server.starred).toEqual([]);
  });

  it('can be updated from the panel if it belongs to the user', async () => {
    showLibrary(
      (server) => {
        server.jkits = [testJkit(1)];
      },
      { loadedJkit: { ...loadedJkit, publisher: 'mira.k' } },
    );
    await press('Update M10 polls from this panel');
    await screen.findByRole('form', { name: 'Update jkit-1?' });
  });
});

describe('a refusal', () => {
  it('without a session signs out with the message of the server, and keeps the text', async () => {
    vi.stubGlobal('navigator', {
      ...navigator,
      locks: { request: (_: string, task: () => Promise<unknown>) => task() },
    });
    const { server } = showLibrary();
    await open();
    await press('Save this panel');
    await userEvent.type(await name(), 'kept');
    // Simulates a renewal in another tab, whose fresh token is refused as well.
    const refused = { status: 401, message: 'Please sign in to access jkits' };
    server.failAt('POST /api/jkits', refused);
    const stored = testSession({ accessToken: 'access-2', expiresAt: Date.now() + 3_600_000 });
    localStorage.setItem('wirebench.session', JSON.stringify(stored));
    await press('Save');
    await screen.findByText('Please sign in to access jkits');
    expect(sessionStore.current()).toBeNull();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    server.failAt('POST /api/jkits', null);
    act(() => sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 })));
    expect((await name()).value).toBe('kept');
  });

  it('names the owner if the jkit belongs to another user', async () => {
    vi.stubGlobal('navigator', {
      ...navigator,
      locks: { request: (_: string, task: () => Promise<unknown>) => task() },
    });
    const { server } = showLibrary((prepared) => {
      prepared.jkits = [testJkit(1)];
    });
    await open();
    await press('jkit-1');
    await press('Update');
    const message = 'You can only save your own JKits. This JKit belongs to gnss-hut.';
    server.failAt('PUT', { status: 403, message });
    const stored = testSession({ accessToken: 'access-2', expiresAt: Date.now() + 3_600_000 });
    localStorage.setItem('wirebench.session', JSON.stringify(stored));
    await press('Update', await screen.findByRole('form', { name: 'Update jkit-1?' }));
    await screen.findByText(`Update JKit failed: ${message}`);
  });
});
