import { act, cleanup, render, renderHook, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useQuickGuideOffer } from '../shared/quick-guide.ts';
import { sessionStore } from '../shared/session/page-session.ts';
import { testSession } from '../shared/session/testing.ts';
import { serveConfig, testConfig } from '../shared/testing/server-config.ts';
import { changeStore } from '../shared/testing/stores.ts';
import { afterLoading } from './after-loading.ts';
import { RouterFrame } from './app.tsx';
import { Header } from './header.tsx';

function renderAt(path: string): void {
  render(
    <MemoryRouter initialEntries={[path]}>
      <RouterFrame>
        <Header />
      </RouterFrame>
    </MemoryRouter>,
  );
}

beforeEach(() => {
  serveConfig({ ...testConfig, adminRole: 'bench-keepers' });
  sessionStore.forget();
  changeStore({ activity: null });
  renderAt('/app/uart');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('header', () => {
  it('offers a sign-in, and no feedback, to signed-out visitors', () => {
    expect(screen.getByRole('button', { name: 'Sign In' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Feedback' })).toBeNull();
  });

  it("says 'Signing In...' while that is under way", () => {
    act(() => changeStore({ activity: 'signing-in' }));
    const button = screen.getByRole('button', { name: 'Signing In...' });
    expect(button.getAttribute('aria-busy')).toBe('true');
    // It takes no press while the sign-in is under way.
    expect(button.getAttribute('aria-disabled')).toBe('true');
  });

  it('keeps the focus at the account through a sign-in and a sign-out, and takes it from nothing else', () => {
    screen.getByRole('button', { name: 'Sign In' }).focus();
    act(() => sessionStore.save(testSession()));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Account of mira.k' }));
    act(() => sessionStore.forget());
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sign In' }));
    const theme = screen.getByRole('button', { name: /theme/i });
    act(() => theme.focus());
    act(() => sessionStore.save(testSession()));
    expect(document.activeElement).toBe(theme);
    act(() => theme.blur());
    act(() => sessionStore.forget());
    expect(document.activeElement).toBe(document.body);
  });

  it('shows who is signed in, with picture or initials', () => {
    act(() => sessionStore.save(testSession()));
    expect(screen.getByRole('button', { name: 'Account of mira.k' }).textContent).toContain('MK');
    const picture = 'https://img.example/mira.png';
    act(() => sessionStore.save(testSession({ user: { ...testSession().user, picture } })));
    expect(screen.getByRole('button', { name: 'Account of mira.k' }).querySelector('img')?.src).toBe(picture);
    expect(screen.getByRole('button', { name: 'Feedback' })).toBeTruthy();
  });

  it("offers 'Sign out' and says 'Signing out...' while that is under way", async () => {
    // The window of the provider stays open, because the provider never answers.
    const open = vi.fn(() => ({ closed: false, close: () => undefined }));
    vi.stubGlobal('open', open);
    act(() => sessionStore.save(testSession()));
    await userEvent.click(screen.getByRole('button', { name: 'Account of mira.k' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign out' }));
    expect(open).toHaveBeenNthCalledWith(1, '', expect.stringMatching(/^wirebench-sign-out-/), expect.anything());
    expect(screen.getByRole('menuitem', { name: 'Signing out...' }).getAttribute('aria-disabled')).toBe('true');
  });

  it('links the dashboard in the menu only for users with the role that the server names', async () => {
    const withRoles = (...roles: string[]) =>
      act(() => sessionStore.save(testSession({ user: { ...testSession().user, roles } })));
    withRoles('admin');
    await userEvent.click(screen.getByRole('button', { name: 'Account of mira.k' }));
    await screen.findByRole('menuitem', { name: 'Sign out' });
    expect(screen.queryByRole('menuitem', { name: 'Admin Dashboard' })).toBeNull();
    withRoles('bench-keepers');
    expect(await screen.findByRole('menuitem', { name: 'Admin Dashboard' })).toBeTruthy();
  });

  it('marks the page that is shown', () => {
    expect(screen.getByRole('link', { name: 'Terminal' }).getAttribute('aria-current')).toBe('page');
    expect(screen.getByRole('link', { name: 'Docs' }).hasAttribute('aria-current')).toBe(false);
  });

  it.each([
    ['/', '/app/uart/docs', ''],
    ['/app/uart', '/app/uart/docs', '_blank'],
    ['/app/uart/docs', '/app/uart/docs', ''],
    ['/esp_flasher.html', '/app/esp-flasher/docs', '_blank'],
    ['/nrf_flasher.html', '/app/esp-flasher/docs', '_blank'],
    ['/app/esp-flasher/docs', '/app/esp-flasher/docs', ''],
    ['/app/releases', '/app/releases/docs', ''],
    ['/release.html', '/app/releases/docs', ''],
    ['/app/wirebench-esp32', '/app/wirebench-esp32/docs', ''],
    ['/app/wirebench-esp32/docs', '/app/wirebench-esp32/docs', ''],
    ['/esp32_bench.html', '/app/wirebench-esp32/docs', '_blank'],
    ['/live.html', '/app/uart/docs', '_blank'],
  ])('at %s Docs opens %s, where a board may be connected in a new tab', (path, guide, target) => {
    cleanup();
    renderAt(path);
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Docs' });
    expect([link.getAttribute('href'), link.target]).toEqual([guide, target]);
  });

  it('offers help once the page has loaded: video and docs, and the quick guide of a page that has one', async () => {
    expect(screen.queryByRole('button', { name: 'Help' })).toBeNull();
    act(afterLoading);
    const items = async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Help' }));
      const shown = (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent);
      await userEvent.keyboard('{Escape}');
      await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
      return shown;
    };
    expect(await items()).toEqual(['Watch video', 'Docs']);
    const page = renderHook(() => useQuickGuideOffer());
    expect(await items()).toEqual(['Quick guide', 'Watch video', 'Docs']);
    page.unmount();
    expect(await items()).toEqual(['Watch video', 'Docs']);
  });

  it('says that the browser is offline, until it is back', () => {
    expect(screen.queryByText('Offline')).toBeNull();
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    act(() => void window.dispatchEvent(new Event('offline')));
    expect(screen.getByRole('status').textContent).toContain('Offline');
    onLine.mockRestore();
    act(() => void window.dispatchEvent(new Event('online')));
    expect(screen.queryByText('Offline')).toBeNull();
  });

  it('opens and closes the menu of a phone', async () => {
    const button = screen.getByRole('button', { name: 'Menu' });
    await userEvent.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    await userEvent.keyboard('{Escape}');
    expect(button.getAttribute('aria-expanded')).toBe('false');
  });
});
