/** The question before a link leads away from the document that shares a bench. */
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LeaveQuestion } from './bar-below-header.tsx';
import { changeSharing } from './sharing-store.ts';

const onLeave = vi.fn();
const followed = vi.fn((event: MouseEvent) => event.preventDefault());

function show(link: React.ReactNode) {
  render(
    <>
      {link}
      <LeaveQuestion onLeave={onLeave} />
    </>,
  );
  // This listener runs last. The browser follows a click that reaches it.
  window.addEventListener('click', followed, { once: true });
}

const question = () => screen.findByRole('dialog', { name: 'Leave this page and stop sharing?' });
const noQuestion = () => expect(screen.queryByText('Leave this page and stop sharing?')).toBeNull();

describe('a link while a bench is shared', () => {
  beforeEach(() => {
    onLeave.mockReset();
    followed.mockClear();
    vi.stubGlobal('open', vi.fn());
  });
  afterEach(() => {
    cleanup();
    changeSharing({ phase: 'off', leaving: null });
    window.removeEventListener('click', followed);
    vi.unstubAllGlobals();
  });

  it('to another document asks, and leaves only when told to', async () => {
    show(<a href="/esp_flasher.html">Flasher</a>);
    await userEvent.click(screen.getByText('Flasher'));
    await userEvent.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    expect(onLeave).not.toHaveBeenCalled();
    await userEvent.click(screen.getByText('Flasher'));
    await userEvent.click(within(await question()).getByRole('button', { name: 'Stop sharing and leave' }));
    expect(onLeave).toHaveBeenCalledWith({ href: `${location.origin}/esp_flasher.html` });
  });

  it('can be opened in a new tab, where sharing goes on here', async () => {
    show(<a href="/esp_flasher.html">Flasher</a>);
    await userEvent.click(screen.getByText('Flasher'));
    await userEvent.click(within(await question()).getByRole('button', { name: 'Open in a new tab' }));
    expect(window.open).toHaveBeenCalledWith(`${location.origin}/esp_flasher.html`, '_blank', 'noopener');
    expect(onLeave).not.toHaveBeenCalled();
  });

  it.each([
    ['that the router has taken', { href: '/docs', onClick: (event: React.MouseEvent) => event.preventDefault() }],
    ['to a place on this page', { href: '#end' }],
    ['to a new tab', { href: '/esp_flasher.html', target: '_blank' }],
    ['to a file', { href: '/firmware.bin', download: true }],
  ])('%s asks nothing', async (_what, props) => {
    show(<a {...props}>Next page</a>);
    await userEvent.click(screen.getByText('Next page'));
    expect(followed).toHaveBeenCalledOnce();
    noQuestion();
  });
});
