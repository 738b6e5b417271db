import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { toasts } from '../testing/toasts.ts';
import { Dialog } from './dialog.tsx';
import { Menu } from './menu.tsx';
import { Popover } from './popover.tsx';
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

/** Each dialog deletes the row of its opener. */
function Rows() {
  const [rows, setRows] = useState(['1.0', '1.1']);
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <main>
      <h1>Versions</h1>
      <section>
        <button type="button">Add version</button>
        {rows.map((row) => (
          <div key={row}>
            <button type="button" onClick={() => setAsked(row)}>
              Delete {row}
            </button>
            <Dialog open={asked === row} onClose={() => setAsked(null)} title={`Delete ${row}?`}>
              <button type="button" onClick={() => setRows(rows.filter((other) => other !== row))}>
                Delete
              </button>
            </Dialog>
          </div>
        ))}
      </section>
    </main>
  );
}

describe('a dialog that takes its own opener away', () => {
  it('leaves the focus where the opener stood, not at the top of the page', async () => {
    render(<Rows />);
    await userEvent.click(screen.getByRole('button', { name: 'Delete 1.0' }));
    await screen.findByRole('dialog');
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Add version'));
  });
});

function OpenedFromMenu() {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <button type="button">First on the page</button>
      <Menu
        trigger={(props) => (
          <button type="button" {...props}>
            Options
          </button>
        )}
        items={[{ label: 'Remove', onSelect: () => setOpen(true) }]}
      />
      <Dialog open={open} onClose={() => setOpen(false)} title="Remove it?">
        <p>Gone for good.</p>
      </Dialog>
    </main>
  );
}

describe('a dialog that an item of a menu opens while it has the focus', () => {
  it('gives the focus back to the button of the menu, not to the top of the page', async () => {
    render(<OpenedFromMenu />);
    await userEvent.click(screen.getByRole('button', { name: 'Options' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }));
    await screen.findByRole('dialog', { name: 'Remove it?' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Options' })));
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
    // The menu takes the focus a moment after it has appeared. Until then the button receives the keys.
    const menu = await screen.findByRole('menu');
    await waitFor(() => expect(menu.contains(document.activeElement)).toBe(true));
    await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(onSelect).toHaveBeenCalledOnce();
    await waitFor(() => expect(screen.getByRole('button').getAttribute('aria-expanded')).toBe('false'));
  });
});

/** A drawer that Escape closes, with one popup of each kind. */
function Surroundings({ onEscape }: { onEscape: () => void }) {
  const [shown, setShown] = useState<'dialog' | 'popover' | null>(null);
  const anchor = useRef<HTMLButtonElement>(null);
  const close = () => setShown(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: stands for the drawer around the buttons.
    <div onKeyDown={({ key }) => (key === 'Escape' ? onEscape() : undefined)}>
      <Menu
        items={[{ label: 'Export', onSelect: () => undefined }]}
        trigger={(props) => (
          <button type="button" {...props}>
            menu
          </button>
        )}
      />
      <button type="button" onClick={() => setShown('dialog')}>
        dialog
      </button>
      <button type="button" ref={anchor} onClick={() => setShown('popover')}>
        popover
      </button>
      <Dialog open={shown === 'dialog'} onClose={close} title="Delete it?">
        <p>Gone for good.</p>
      </Dialog>
      <Popover open={shown === 'popover'} onClose={close} anchor={anchor} title="Notes">
        <p>Read them.</p>
      </Popover>
    </div>
  );
}

describe('Escape on the button of an open popup', () => {
  it.each([
    ['menu', 'menu'],
    ['dialog', 'dialog'],
    ['popover', 'dialog'],
  ])('closes the %s, and nothing around the button', async (kind, role) => {
    const onEscape = vi.fn();
    render(<Surroundings onEscape={onEscape} />);
    const button = screen.getByRole('button', { name: kind });
    await userEvent.click(button);
    const popup = await screen.findByRole(role);
    await waitFor(() => expect(popup.contains(document.activeElement)).toBe(true));
    // Stands for a key that comes before the popup has taken the focus.
    act(() => button.focus());
    fireEvent.keyDown(button, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole(role)).toBeNull());
    expect(onEscape).not.toHaveBeenCalled();
  });
});

/** A popover that is open at mount. Its button was not pressed and never had the focus. */
function OpenFromTheStart() {
  const [open, setOpen] = useState(true);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button type="button" ref={anchor} onClick={() => setOpen(!open)}>
        Library
      </button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={anchor} title="Saved">
        <input aria-label="Name" />
      </Popover>
      <input aria-label="Message" />
    </>
  );
}

/**
 * Delays the end of the popup's fading, which takes no time without a layout.
 * @returns Function that ends the fading.
 */
function fadeSlowly(): () => void {
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const fading = { finished, playState: 'running', pending: false } as unknown as Animation;
  HTMLElement.prototype.getAnimations = () => [fading];
  onTestFinished(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'getAnimations');
  });
  return () => {
    Object.assign(fading, { playState: 'finished' });
    resolve();
  };
}

describe('popover', () => {
  it('is closed by a press on its button, also where the button did not open it', async () => {
    render(<OpenFromTheStart />);
    const person = userEvent.setup();
    await person.click(await screen.findByRole('textbox', { name: 'Name' }));
    // The focus moves on pointer down, and the click follows on pointer up. A real user leaves time between them.
    await person.pointer({ keys: '[MouseLeft>]', target: screen.getByRole('button', { name: 'Library' }) });
    await act(async () => undefined);
    expect(screen.getByRole('dialog', { name: 'Saved' })).toBeDefined();
    await person.pointer('[/MouseLeft]');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['its close button', () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ])('closes by %s and gives the focus back', async (_how, close) => {
    render(<OpenFromTheStart />);
    await userEvent.click(await screen.findByRole('textbox', { name: 'Name' }));
    await close();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Library' })));
  });

  it('leaves the focus to a field outside of it whose press has closed it', async () => {
    render(<OpenFromTheStart />);
    const field = screen.getByRole('textbox', { name: 'Message' });
    await userEvent.click(await screen.findByRole('textbox', { name: 'Name' }));
    await userEvent.click(field);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(field);
  });

  it('leaves the focus to a field that has taken it while the popover fades', async () => {
    render(<OpenFromTheStart />);
    const field = screen.getByRole('textbox', { name: 'Message' });
    await userEvent.click(await screen.findByRole('textbox', { name: 'Name' }));
    const endFading = fadeSlowly();
    await userEvent.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeNull();
    act(() => field.focus());
    endFading();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(field);
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
  it('shows when it could not be fetched, and is tried again the next time', async () => {
    const offline = new TypeError('Failed to fetch dynamically imported module: http://localhost/assets/part.js');
    const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(offline).mockResolvedValue('part');
    const onFailure = vi.fn();
    const { rerender, container } = render(<Part wanted load={load} onFailure={onFailure} />);
    await waitFor(() => expect(onFailure).toHaveBeenCalledOnce());
    expect(toasts().current?.text).toContain('could not be loaded');
    rerender(<Part wanted={false} load={load} onFailure={onFailure} />);
    rerender(<Part wanted load={load} onFailure={onFailure} />);
    await waitFor(() => expect(container.textContent).toBe('part'));
  });

  it('shows when the browser could not run it, and says nothing of the connection', async () => {
    const load = () => Promise.reject(new SyntaxError("Unexpected token '{'"));
    const onFailure = vi.fn();
    render(<Part wanted load={load} onFailure={onFailure} />);
    await waitFor(() => expect(onFailure).toHaveBeenCalledOnce());
    expect(toasts().current?.text).toBe(
      'This browser could not run this part of the page. Update the browser, then try again.',
    );
  });
});
