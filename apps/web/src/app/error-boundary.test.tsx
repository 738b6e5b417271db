import { cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorBoundary } from './error-boundary.tsx';
import { lazyPage } from './lazy-page.ts';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

function Failing(): never {
  throw new Error('row 7 has no port');
}

describe('error boundary', () => {
  it('says what failed and offers to reload', () => {
    render(
      <ErrorBoundary>
        <Failing />
      </ErrorBoundary>,
    );
    expect(screen.getByRole('heading').textContent).toBe('Something went wrong on this page');
    expect(screen.getByText('row 7 has no port')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('distinguishes a page whose code could not be fetched from one that failed', async () => {
    const Page = lazyPage(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')));
    render(
      <ErrorBoundary>
        <Suspense>
          <Page />
        </Suspense>
      </ErrorBoundary>,
    );
    expect((await screen.findByRole('heading')).textContent).toBe('This page could not be loaded');
    expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  });

  it('distinguishes code that the browser could not run from a server that did not answer', async () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11) AppleWebKit/537.36 Chrome/88.0 Safari/537.36' });
    const Page = lazyPage(() => Promise.reject(new TypeError('Promise.withResolvers is not a function')));
    render(
      <ErrorBoundary>
        <Suspense>
          <Page />
        </Suspense>
      </ErrorBoundary>,
    );
    expect((await screen.findByRole('heading')).textContent).toBe('This browser could not run this page');
    expect(
      screen.getByText('This is Chrome 88. Update the browser, or use a current Chrome, Edge or Firefox, then reload.'),
    ).toBeTruthy();
    expect(screen.getByText('Promise.withResolvers is not a function')).toBeTruthy();
    expect(screen.queryByText(/The server did not answer/)).toBeNull();
    vi.unstubAllGlobals();
  });

  it('gives the next page its chance', () => {
    const { rerender } = render(
      <ErrorBoundary resetKey="/broken">
        <Failing />
      </ErrorBoundary>,
    );
    rerender(
      <ErrorBoundary resetKey="/">
        <p>Home again</p>
      </ErrorBoundary>,
    );
    expect(screen.getByText('Home again')).toBeTruthy();
  });
});
