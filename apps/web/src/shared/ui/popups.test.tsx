import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { Menu } from './menu.tsx';
import { toastStore } from './toast.ts';
import { useLoaded } from './use-loaded.ts';

afterEach(cleanup);

function Opener() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Choose
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Which chip family?">
        <a href="/esp_flasher.html">Espressif</a>
      </Dialog>
    </>
  );
}

describe('dialog', () => {
  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['its close button', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ])('closes by %s and gives the focus back', async (_how, close) => {
    render(<Opener />);
    const opener = screen.getByRole('button', { name: 'Choose' });
    await userEvent.click(opener);
    await screen.findByRole('dialog', { name: 'Which chip family?' });
    await close();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(opener));
  });
});

describe('menu', () => {
  it('is opened and used by the keyboard alone', async () => {
    const onSelect = vi.fn();
    render(
      <Menu
        trigger={(props) => (
          <button type="button" {...props}>
            More
          </button>
        )}
        items={[{ label: 'Export', onSelect: () => undefined }, 'separator', { label: 'Clear', onSelect }]}
      />,
    );
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('menu');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(onSelect).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-expanded')).toBe('false'));
  });
});

interface PartProps {
  wanted: boolean;
  load: () => Promise<string>;
  onFailure: () => void;
}

function Part({ wanted, load, onFailure }: PartProps) {
  return useLoaded(wanted, load, onFailure);
}

describe('a part that is fetched when it is wanted', () => {
  it('tells when it could not be fetched, and is tried again the next time', async () => {
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('part');
    const onFailure = vi.fn();
    const { rerender, container } = render(<Part wanted load={load} onFailure={onFailure} />);
    await waitFor(() => expect(onFailure).toHaveBeenCalledOnce());
    expect(toastStore.getState().current?.text).toContain('could not be loaded');
    rerender(<Part wanted={false} load={load} onFailure={onFailure} />);
    rerender(<Part wanted load={load} onFailure={onFailure} />);
    await waitFor(() => expect(container.textContent).toBe('part'));
  });
});
