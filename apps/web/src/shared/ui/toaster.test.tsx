import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetStores } from '../testing/stores.ts';
import { toast } from './toast.ts';
import { Toaster } from './toaster.tsx';

beforeEach(() => {
  resetStores();
  render(<Toaster />);
});
afterEach(cleanup);

/** The simulated document has no animations, so React listens for the event by its old name. */
const runOut = () => fireEvent(screen.getByTestId('toast-line'), new Event('webkitAnimationEnd', { bubbles: true }));

const show = (...parameters: Parameters<typeof toast>) => act(() => toast(...parameters));

describe('toaster', () => {
  it('has its two regions before there is anything to say', () => {
    expect(screen.getByRole('status').textContent).toBe('');
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('shows one message at a time: a newer one takes the place of the older', () => {
    show('Link to version 1.4.0 copied');
    show('Messages cleared');
    expect(screen.getByRole('status').textContent).toBe('Messages cleared');
  });

  it('takes a message away when its line has run out', () => {
    show('Messages cleared');
    runOut();
    expect(screen.getByRole('status').textContent).toBe('');
  });

  it('keeps an error until it is closed, but shows what came after it first', () => {
    show('Failed to share version', { level: 'error' });
    show('Link to version 1.4.0 copied');
    expect(screen.getByRole('status').textContent).toBe('Link to version 1.4.0 copied');
    expect(screen.getByRole('alert').textContent).toBe('');
    runOut();
    expect(screen.getByRole('status').textContent).toBe('');
    expect(screen.getByRole('alert').textContent).toBe('Failed to share version');
    expect(screen.queryByTestId('toast-line')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('shows the newer of two errors, then the older, and the same error once', () => {
    show('Authentication was cancelled', { level: 'error' });
    show('Failed to share version', { level: 'error', detail: 'No answer' });
    show('Authentication was cancelled', { level: 'error' });
    show('Failed to share version', { level: 'error', detail: 'Busy' });
    expect(screen.getByRole('alert').textContent).toBe('Failed to share versionBusy');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('alert').textContent).toBe('Authentication was cancelled');
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('offers the action that belongs to the message, once', () => {
    const onAction = vi.fn();
    show('Port 1 is gone', { level: 'warning', action: { label: 'Pick the board again', onAction } });
    fireEvent.click(screen.getByRole('button', { name: 'Pick the board again' }));
    expect(onAction).toHaveBeenCalledOnce();
    expect(screen.getByRole('status').textContent).toBe('');
  });
});
