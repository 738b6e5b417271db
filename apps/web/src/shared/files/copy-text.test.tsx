import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readHook, resetStores } from '../testing/stores.ts';
import { toasts } from '../testing/toasts.ts';
// The dialog loads this when it first opens. Imported here, so that no test waits for it.
import '../ui/dialog-popup.tsx';
import { CopyByHand } from './copy-by-hand.tsx';
import { copyText } from './copy-text.ts';
import { useTextToCopy } from './text-to-copy.ts';

const clipboard = (value: Pick<Clipboard, 'writeText'> | undefined) =>
  vi.stubGlobal('navigator', { ...navigator, clipboard: value });

beforeEach(() => {
  resetStores();
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
    expect(toasts().current?.text).toBe('Line copied');
    expect(readHook(useTextToCopy).text).toBeNull();
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
    expect(toasts().current).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(readHook(useTextToCopy).text).toBeNull();
  });

  it('offers the text when the browser denies the clipboard', async () => {
    clipboard({ writeText: () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError')) });
    await copyText('boot ok', 'Line copied');
    expect(readHook(useTextToCopy)).toEqual({
      text: 'boot ok',
      reason: 'The browser refused access to the clipboard.',
    });
    expect(toasts().current).toBeNull();
  });

  it('names the export when there is too much to copy by hand', async () => {
    clipboard(undefined);
    await copyText('x'.repeat(1_000_001), 'Log copied');
    expect(readHook(useTextToCopy).text).toBeNull();
    expect(toasts().current).toMatchObject({
      level: 'error',
      text: 'Nothing was copied, and this is too much to copy by hand.',
    });
  });
});
