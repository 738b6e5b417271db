/** Renders the library of one panel with a simulated server, for component tests. */

import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { Jkit } from '@wirebench/contract';
import { vi } from 'vitest';
import { queryClient } from '../../../shared/api/query-client.ts';
import { sessionStore } from '../../../shared/session/page-session.ts';
import { testSession } from '../../../shared/session/testing.ts';
import { resetStores } from '../../../shared/testing/stores.ts';
// Preloads modules that the page imports lazily, so that no test waits for them.
import '../../../shared/ui/dialog-popup.tsx';
import '../../../shared/ui/popover-popup.tsx';
import { Toaster } from '../../../shared/ui/toaster.tsx';
import type { JkitPanel, LoadResult, PanelJkits } from '../jkit-panel.ts';
import '../library.tsx';
import { LibraryButton } from '../library-button.tsx';
import { LoadedLine } from '../loaded-line.tsx';
import '../star-toggle.tsx';
import { JkitServer } from './jkit-server.ts';

/** Result of the panel's `load`. `clearLibrary` resets it to success. */
export const loadAnswer: { result: LoadResult } = { result: { ok: true, warnings: [], undo: () => undefined } };

export function showLibrary(
  prepare: (server: JkitServer) => void = () => undefined,
  panel: Partial<JkitPanel> = {},
  signedIn = true,
) {
  const server = new JkitServer();
  prepare(server);
  vi.stubGlobal('fetch', server.fetch);
  if (signedIn) {
    sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
  }
  const jkits = {
    contentOf: vi.fn<PanelJkits['contentOf']>(() => '{"fields":["AT"],"settings":{"lineEnding":false}}'),
    load: vi.fn((_panel: string, _jkit: Jkit, _starred: boolean) => loadAnswer.result),
    attach: vi.fn<PanelJkits['attach']>(),
    refresh: vi.fn<PanelJkits['refresh']>(),
    forget: vi.fn<PanelJkits['forget']>(),
    setStarred: vi.fn<PanelJkits['setStarred']>(),
  };
  const shown: JkitPanel = {
    id: 'a',
    name: 'GNSS setup',
    pinnedMessages: [1, 2],
    loadedJkit: null,
    isStarred: false,
    ...panel,
  };
  render(
    <>
      <LibraryButton panel={shown} jkits={jkits} />
      <LoadedLine panel={shown} jkits={jkits} />
      <Toaster />
    </>,
  );
  return { server, jkits };
}

/** Resets everything after a test. */
export function clearLibrary(): void {
  cleanup();
  sessionStore.forget();
  localStorage.clear();
  queryClient.clear();
  resetStores();
  loadAnswer.result = { ok: true, warnings: [], undo: () => undefined };
  vi.unstubAllGlobals();
}

export const press = async (name: string | RegExp, inside?: HTMLElement) =>
  userEvent.click(await (inside === undefined ? screen : within(inside)).findByRole('button', { name }));

/** Opens the library at a tab. Its lists may still be loading. */
export async function open(tab = 'My JKits'): Promise<HTMLElement> {
  await press('JKit library for GNSS setup');
  const dialog = await screen.findByRole('dialog', { name: 'JKit library' });
  await userEvent.click(await within(dialog).findByRole('tab', { name: new RegExp(`^${tab}`) }));
  return dialog;
}

/** Presses the confirming button of a dialog. */
export async function confirm(question: string, action: string): Promise<void> {
  await press(action, await screen.findByRole('dialog', { name: question }));
}

export const rows = () =>
  screen
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
    .filter((text) => text !== '');
