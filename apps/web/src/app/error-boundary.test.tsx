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

  it('tells a page whose code could not be fetched from one that failed', async () => {
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
