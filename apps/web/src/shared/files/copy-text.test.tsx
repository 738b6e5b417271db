import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
// The dialog loads this when it first opens. Imported here, so that no test waits for it.
import '../ui/dialog-popup.tsx';
import { toastStore } from '../ui/toast.ts';
import { CopyByHand } from './copy-by-hand.tsx';
import { copyText } from './copy-text.ts';
import { textToCopy } from './text-to-copy.ts';

const clipboard = (value: Pick<Clipboard, 'writeText'> | undefined) =>
  vi.stubGlobal('navigator', { ...navigator, clipboard: value });

beforeEach(() => {
  toastStore.setState({ current: null, waiting: [] });
  textToCopy.setState({ text: null, reason: '' });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('copying text', () => {
  it('says what was copied', async () => {
    const writeText = vi.fn(async () => undefined);
    clipboard({ writeText });
    await copyText('boot ok', 'Line copied');
    expect(writeText).toHaveBeenCalledExactlyOnceWith('boot ok');
    expect(toastStore.getState().current?.text).toBe('Line copied');
    expect(textToCopy.getState().text).toBeNull();
  });

  it('does not swallow a clipboard that is not there: the text is offered, selected', async () => {
    clipboard(undefined);
    render(<CopyByHand />);
    await act(() => copyText('boot ok', 'Line copied'));
    const field = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text to copy' });
    expect(field.value).toBe('boot ok');
    expect(screen.getByText(/Only a page opened over https or from localhost/)).toBeDefined();
    fireEvent.focus(field);
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'boot ok'.length]);
    expect(toastStore.getState().current).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(textToCopy.getState().text).toBeNull();
  });

  it('offers the text when the browser denies the clipboard', async () => {
    clipboard({ writeText: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')) });
    await copyText('boot ok', 'Line copied');
    expect(textToCopy.getState()).toEqual({ text: 'boot ok', reason: 'The browser refused access to the clipboard.' });
    expect(toastStore.getState().current).toBeNull();
  });

  it('names the export when there is too much to copy by hand', async () => {
    clipboard(undefined);
    await copyText('x'.repeat(1_000_001), 'Log copied');
    expect(textToCopy.getState().text).toBeNull();
    expect(toastStore.getState().current).toMatchObject({
      level: 'error',
      text: 'Nothing was copied, and this is too much to copy by hand.',
    });
  });
});
