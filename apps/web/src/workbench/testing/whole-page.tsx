/**
 * Shows whole pages of the workbench in a simulated document, with a bench and simulated boards on virtual time. It
 * has no layout, no real focus order, no browser storage and no real ports: tests in a browser cover those.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, vi } from 'vitest';
import { BenchInThread } from './bench-in-thread.ts';
import { addBrowserParts, type BrowserOptions } from './browser-parts.ts';

let bench: BenchInThread | null = null;

/** Sets up whole pages; call it once per test file. Each test begins with empty browser storage and fresh modules. */
export function withWholePages(options?: BrowserOptions): void {
  beforeEach(() => {
    vi.resetModules();
    addBrowserParts(options);
    bench = new BenchInThread();
  });
  afterEach(() => {
    closePage();
    localStorage.clear();
    sessionStorage.clear();
    vi.unstubAllGlobals();
  });
}

/** Returns the bench of the shown page. */
export function theBench(): BenchInThread {
  if (bench === null) {
    throw new Error('No page is shown.');
  }
  return bench;
}

/** Shows a page at `address` with the frame that the app puts around each page: toasts, and lines to copy by hand. */
export async function showPage(address: string, load: () => Promise<ComponentType>): Promise<void> {
  history.replaceState(null, '', address);
  const Page = await load();
  const { Toaster } = await import('../../shared/ui/toaster.tsx');
  const { CopyByHand } = await import('../../shared/files/copy-by-hand.tsx');
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter initialEntries={[address]}>
        <Page />
        <Toaster />
        <CopyByHand />
      </MemoryRouter>
    </QueryClientProvider>,
  );
}

/**
 * Simulates a reload: discards the page, but keeps the data that the browser stores. `showPage` shows the next page.
 */
export function reload(): void {
  closePage();
  vi.resetModules();
  bench = new BenchInThread();
}

function closePage(): void {
  cleanup();
  bench?.stop();
  bench = null;
}
