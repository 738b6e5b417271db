/** The release manager on a simulated server, for component tests. */

import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { vi } from 'vitest';
import { queryClient } from '../../../shared/api/query-client.ts';
import { sessionStore } from '../../../shared/session/page-session.ts';
import { testSession } from '../../../shared/session/testing.ts';
import { resetStores } from '../../../shared/testing/stores.ts';
import { Toaster } from '../../../shared/ui/toaster.tsx';
import { ReleaseManager } from '../manager/release-manager.tsx';
import { FakeRequest } from './fake-request.ts';
import { ReleaseServer } from './release-server.ts';

export interface ManagerBench {
  readonly server: ReleaseServer;
}

/**
 * Shows the manager with mira.k signed in.
 * @param prepare Fills the server before the page is shown.
 */
export function showManager(prepare: (server: ReleaseServer) => void = () => undefined): ManagerBench {
  const server = new ReleaseServer();
  prepare(server);
  vi.stubGlobal('fetch', server.fetch);
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  sessionStore.save(testSession({ expiresAt: Date.now() + 3_600_000 }));
  render(
    <>
      <ReleaseManager />
      <Toaster />
    </>,
  );
  return { server };
}

/** Resets everything after a test. */
export function clearManager(): void {
  cleanup();
  sessionStore.forget();
  queryClient.clear();
  resetStores();
  vi.unstubAllGlobals();
}

export const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));

/** Chooses an item of the menu of a project or a version: `weather-node`, `version 1.4.0`. */
export async function choose(what: string, item: string): Promise<void> {
  await userEvent.click(await screen.findByRole('button', { name: `More about ${what}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
}

export const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

/** Waits for the dialog, whose code is loaded when it first opens. */
export const dialog = (name: string | RegExp) => screen.findByRole('dialog', { name });
