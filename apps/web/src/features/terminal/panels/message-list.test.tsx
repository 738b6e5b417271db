import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { newMessage } from '@wirebench/runs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { toasts } from '../../../shared/testing/toasts.ts';
import { newPanel } from './model/device-panel.ts';
import { PanelsPane } from './panels-pane.tsx';
import { changePanels, panelsNow } from './store/panels-store.ts';
import { ascii, onePanel, showTime, type TestMessage } from './testing/panel-rig.ts';

const contents = (place = 0) => panelsNow().panels[place]?.pinnedMessages.map(({ content }) => content) ?? [];
const field = () => screen.getByRole('textbox', { name: 'Add a command' });
const row = (content: string) => screen.getByRole('button', { name: `Send ${content}` }).closest('li') as HTMLElement;
const button = (name: string) => screen.getByRole('button', { name });
const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .filter(Boolean);
const show = (...messages: TestMessage[]) => {
  onePanel(...messages);
  render(<PanelsPane onShowTime={showTime} />);
};
const choose = async (content: string, item: string | RegExp) => {
  await userEvent.click(button(`Options of ${content}`));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('pinning', () => {
  it('takes what is typed, and empties the field', async () => {
    show();
    await userEvent.type(field(), 'wifi status{Enter}heap{Enter}');
    expect(contents()).toEqual(['wifi status', 'heap']);
    expect(field()).toHaveProperty('value', '');
  });

  it('accepts hex, and refuses invalid or odd digits', async () => {
    show();
    expect(screen.queryByRole('radio')).toBeNull();
    await userEvent.click(field());
    await userEvent.click(screen.getByRole('radio', { name: 'Hex' }));
    await userEvent.type(field(), 'b562{Enter}');
    expect(button('Send B5 62')).toBeDefined();
    await userEvent.type(field(), 'b56{Enter}');
    expect(alerts()).toEqual(['Hex string must have even number of characters']);
    await userEvent.type(field(), 'x{Enter}');
    expect(alerts()).toEqual(['Invalid hex characters detected']);
    await userEvent.type(field(), '{Backspace}');
    expect(alerts()).toEqual([]);
  });

  it('says that a command is too long while it is typed', async () => {
    show();
    await userEvent.click(field());
    await userEvent.paste('x'.repeat(257));
    expect(alerts()).toEqual(['Command exceeds maximum length of 256 characters. Please shorten your command.']);
    await userEvent.keyboard('{Enter}');
    expect(contents()).toEqual([]);
  });

  it('refuses the fifty-first', async () => {
    show(...Array.from({ length: 50 }, (_, index) => ascii(`message ${index}`)));
    await userEvent.type(field(), 'one more{Enter}');
    expect(alerts()).toEqual(['Maximum of 50 pinned messages reached. Delete one to make room.']);
    expect(contents()).toHaveLength(50);
  });

  it('refuses a duplicate, and shows the row that is there already until its animation ends', async () => {
    show(ascii('help'), ascii('info'));
    await userEvent.type(field(), 'help{Enter}');
    expect(alerts()).toEqual(['Command already exists in this panel']);
    expect(row('help').className).toContain('marked');
    expect(row('info').className).not.toContain('marked');
    // jsdom has no animations, so React listens for the prefixed event name there.
    fireEvent(row('help'), new Event('webkitAnimationEnd', { bubbles: true }));
    expect(row('help').className).not.toContain('marked');
  });
});

describe('deleting', () => {
  it('needs a second press within three seconds', () => {
    vi.useFakeTimers();
    show(ascii('help'));
    const first = () => fireEvent.keyDown(button('Send help'), { key: 'Delete' });
    first();
    expect(row('help').textContent).toContain('Delete?');
    act(() => vi.advanceTimersByTime(2_999));
    expect(row('help').textContent).toContain('Delete?');
    act(() => vi.advanceTimersByTime(1));
    expect(row('help').textContent).not.toContain('Delete?');
    first();
    expect(contents()).toEqual(['help']);
    fireEvent.click(button('Press again to delete help'));
    expect(contents()).toEqual([]);
  });

  it('is in the menu, and the focus goes to the button of the second press', async () => {
    show(ascii('help'), ascii('info'));
    await choose('help', /^Delete/);
    await vi.waitFor(() => expect(document.activeElement).toBe(button('Press again to delete help')));
    await userEvent.keyboard('{Enter}');
    expect(contents()).toEqual(['info']);
    expect(document.activeElement).toBe(button('Send info'));
  });

  it('works with the Delete key, and the focus goes to the next row', async () => {
    show(ascii('help'), ascii('info'), ascii('adc'));
    button('Send info').focus();
    await userEvent.keyboard('{Delete}');
    expect(screen.getAllByRole('status').at(-1)?.textContent?.trim()).toBe('Press again to delete "info"');
    await userEvent.keyboard('{Escape}{Delete}');
    expect(contents()).toHaveLength(3);
    await userEvent.keyboard('{Delete}');
    expect(contents()).toEqual(['help', 'adc']);
    expect(document.activeElement).toBe(button('Send adc'));
    await userEvent.keyboard('{Delete}{Delete}{Delete}{Delete}');
    expect(contents()).toEqual([]);
    expect(document.activeElement).toBe(field());
  });
});

describe('the keyboard', () => {
  it('reaches one row with Tab and the others with the arrow keys', async () => {
    show(ascii('help'), ascii('info'), ascii('adc'));
    button('Send help').focus();
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(button('Send info'));
    await userEvent.tab();
    expect(document.activeElement).toBe(button('Options of info'));
    await userEvent.keyboard('{ArrowDown}');
    expect(document.activeElement).toBe(button('Options of adc'));
    expect(button('Options of adc').getAttribute('aria-expanded')).toBe('false');
    await userEvent.keyboard('{Home}{End}{ArrowDown}');
    expect(document.activeElement).toBe(button('Options of adc'));
    await userEvent.tab();
    expect(document.activeElement).toBe(field());
  });

  it('moves a message with Alt and an arrow key', async () => {
    show(ascii('help'), ascii('info'), ascii('adc'));
    button('Send help').focus();
    await userEvent.keyboard('{Alt>}{ArrowDown}{ArrowDown}{ArrowDown}{/Alt}');
    expect(contents()).toEqual(['info', 'adc', 'help']);
    expect(document.activeElement).toBe(button('Send help'));
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(contents()).toEqual(['info', 'help', 'adc']);
    expect(screen.getAllByRole('status').at(-1)?.textContent?.trim()).toBe('"help" is now command 2 of 3');
  });
});

describe('editing', () => {
  it('changes the command, what it waits for and its numbers', async () => {
    show(ascii('help'));
    await choose('help', 'Edit');
    const form = screen.getByRole('form', { name: 'Edit the command' });
    const type = async (name: string, text: string) => {
      const input = within(form).getByRole('textbox', { name });
      await userEvent.clear(input);
      await userEvent.type(input, text);
    };
    await type('Command', 'info');
    await type('Wait for', 'demo>');
    await type('Wait at most', '250');
    await type('Then pause', '20');
    await type('Times to send', '3');
    await userEvent.keyboard('{Enter}');
    expect(panelsNow().panels[0]?.pinnedMessages[0]).toMatchObject({
      id: 'a0',
      content: 'info',
      expect: ascii('demo>'),
      timeoutMs: 250,
      delayMs: 20,
      repeat: 3,
    });
    expect(document.activeElement).toBe(button('Send info'));
  });

  it('adds a file to send after the message, and takes it away again', async () => {
    show(ascii('loady'));
    await choose('loady', 'Edit');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Then send' }), 'a file, YMODEM');
    await userEvent.type(screen.getByRole('textbox', { name: 'File name' }), 'u-boot.bin{Enter}');
    const message = () => panelsNow().panels[0]?.pinnedMessages[0];
    expect(message()?.file).toEqual({ by: 'ymodem', name: 'u-boot.bin' });
    expect(screen.getByText('Then sends u-boot.bin by YMODEM')).toBeDefined();
    await userEvent.click(button('Options of loady'));
    expect(await screen.findByRole('menuitem', { name: 'Choose the file…' })).toBeDefined();
    expect(screen.queryByRole('menuitem', { name: 'Repeat…' })).toBeNull();
    await userEvent.keyboard('{Escape}');
    await choose('loady', 'Edit');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Then send' }), 'nothing');
    await userEvent.click(button('Save'));
    expect(message()?.file).toBeNull();
  });

  it('refuses what cannot be, and keeps everything with Escape', async () => {
    show(ascii('help'), ascii('info'));
    await choose('help', 'Edit');
    await userEvent.clear(screen.getByRole('textbox', { name: 'Command' }));
    await userEvent.keyboard('info{Enter}');
    expect(alerts()).toEqual(['Command already exists in this panel']);
    await userEvent.type(screen.getByRole('textbox', { name: 'Then pause' }), '{Backspace}x{Enter}');
    expect(alerts()).toContain('Enter a whole number from 0 to 600\u2009000.');
    await userEvent.keyboard('{Escape}');
    expect(contents()).toEqual(['help', 'info']);
    expect(screen.queryByRole('form', { name: 'Edit the command' })).toBeNull();
  });

  it('gives back what was typed and not saved, when it is wanted', async () => {
    show(ascii('help'), ascii('info'));
    await choose('help', 'Edit');
    await userEvent.keyboard('{Escape}');
    expect(toasts().current).toBeNull();
    await choose('help', 'Edit');
    await userEvent.type(screen.getByRole('textbox', { name: 'Command' }), ' me');
    await userEvent.type(screen.getByRole('textbox', { name: 'Wait for' }), 'demo>');
    // Opens another form, which replaces this one.
    await choose('info', 'Edit');
    const discarded = toasts().current;
    expect([discarded?.text, discarded?.action?.label]).toEqual(['Changes to the command discarded', 'Undo']);
    act(() => discarded?.action?.onAction());
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Command' }).value).toBe('help me');
    await userEvent.click(button('Save'));
    expect(toasts().current).toBe(discarded);
    expect(panelsNow().panels[0]?.pinnedMessages[0]).toMatchObject({
      content: 'help me',
      expect: ascii('demo>'),
    });
  });

  it('refuses an answer that is no hex', async () => {
    show(ascii('help'));
    await choose('help', 'Edit');
    await userEvent.type(screen.getByRole('textbox', { name: 'Wait for' }), '4G');
    await userEvent.click(within(screen.getByRole('radiogroup', { name: 'Wait for: format' })).getByLabelText('Hex'));
    await userEvent.keyboard('{Enter}');
    await userEvent.click(button('Save'));
    expect(alerts()).toEqual(['Invalid hex characters detected']);
  });
});

describe('moving and copying', () => {
  const two = () => {
    show(ascii('help'), ascii('info'));
    act(() =>
      changePanels(({ panels }) => ({
        panels: [...panels, { ...newPanel('b', 'GNSS'), pinnedMessages: [newMessage('b0', ascii('help'))] }],
      })),
    );
  };
  const first = (name: string) => screen.getAllByRole('button', { name })[0] as HTMLElement;
  const chooseFirst = async (content: string, item: string | RegExp) => {
    await userEvent.click(first(`Options of ${content}`));
    await userEvent.click(await screen.findByRole('menuitem', { name: item }));
  };

  it('goes to another panel', async () => {
    two();
    await chooseFirst('info', 'Copy to GNSS');
    expect([contents(0), contents(1)]).toEqual([
      ['help', 'info'],
      ['help', 'info'],
    ]);
    await chooseFirst('info', /^Move up/);
    expect(contents(0)).toEqual(['info', 'help']);
  });

  it('is refused where the message is already, and shows it there', async () => {
    two();
    await userEvent.click(button('GNSS'));
    await chooseFirst('help', 'Move to GNSS');
    expect(alerts()).toEqual(['Message already exists in target panel']);
    const there = screen.getAllByRole('button', { name: 'Send help' })[1]?.closest('li');
    expect(there?.className).toContain('marked');
    expect(contents(0)).toEqual(['help', 'info']);
  });

  it('says that the panel is gone when another tab has removed it', async () => {
    two();
    await userEvent.click(first('Options of info'));
    const item = await screen.findByRole('menuitem', { name: 'Move to GNSS' });
    const click = () => fireEvent.click(item);
    changePanels(({ panels }) => ({ panels: panels.slice(0, 1) }));
    act(click);
    expect(alerts()).toEqual(['Device panel not found']);
  });

  it('with the mouse moves, and copies with Ctrl; a copy into the same panel is refused', () => {
    two();
    const [from, to] = screen.getAllByRole('list') as [HTMLElement, HTMLElement];
    const dataTransfer = { setData: () => undefined };
    const drag = (onto: HTMLElement, ctrlKey: boolean) => {
      fireEvent.dragStart(from.children[1] as HTMLElement, { dataTransfer });
      fireEvent.dragOver(onto, { dataTransfer, ctrlKey, clientY: 10 });
      // jsdom drops `ctrlKey` from DragEvent, so a MouseEvent is used.
      const drop = new MouseEvent('drop', { bubbles: true, cancelable: true, ctrlKey });
      act(() => onto.dispatchEvent(drop));
    };
    drag(from, true);
    expect(alerts()).toEqual(['Message already exists in this panel']);
    drag(to, true);
    expect([contents(0), contents(1)]).toEqual([
      ['help', 'info'],
      ['help', 'info'],
    ]);
    drag(to, false);
    expect(alerts()).toEqual(['Message already exists in target panel']);
  });
});
