/**
 * A whole page of the workbench in a simulated document, with its bench and simulated boards on virtual time: what a person does on it and
 * reads on it, without layout, real focus order, storage of the browser and real ports. Those are for the tests in a browser.
 */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render } from '@testing-library/react';
import type { ComponentType } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, vi } from 'vitest';
import { BenchInThread } from './bench-in-thread.ts';
import { addBrowserParts, type BrowserOptions } from './browser-parts.ts';

let bench: BenchInThread | null = null;

/** To be called once in a test file: each test begins in a browser that has stored nothing, with modules of its own. */
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

/** Shows a page at `address`, with what the frame of the app has around each page: passing messages, and lines to copy by hand. */
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

/** Simulates a reload: all of the page goes, except data that the browser stores. `showPage` shows the next one. */
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
