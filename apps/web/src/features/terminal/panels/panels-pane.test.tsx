import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { newMessage } from '@wirebench/runs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newPanel } from './model/device-panel.ts';
import { PanelsPane } from './panels-pane.tsx';
import { changePanels, panelsNow } from './store/panels-store.ts';
import { ascii, call, onePanel, sent, setPortState, showTime } from './testing/panel-rig.ts';

const panelNames = () => screen.getAllByRole('heading', { level: 3 }).map((title) => title.textContent);
const panel = (name: string) => screen.getByRole('region', { name });
const choose = async (button: string, item: string | RegExp) => {
  await userEvent.click(screen.getByRole('button', { name: button }));
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};
const aim = async (target: RegExp, port: string | RegExp) => {
  await userEvent.click(screen.getByRole('button', { name: target }));
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: port }));
};
const alerts = () =>
  screen
    .getAllByRole('alert')
    .map(({ textContent }) => textContent)
    .filter(Boolean);

describe('device panels', () => {
  beforeEach(() => {
    onePanel();
    render(<PanelsPane onShowTime={showTime} />);
  });
  afterEach(cleanup);

  it('are added until there are four, and then say why not', async () => {
    const add = screen.getByRole('button', { name: 'Add panel' });
    for (const _ of [2, 3, 4]) {
      await userEvent.click(add);
    }
    expect(panelNames()).toEqual(['Panel 1', 'Panel 2', 'Panel 3', 'Panel 4']);
    expect(screen.getByText('4 panels, no commands yet')).toBeDefined();
    expect(alerts()).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Add panel' }));
    expect(alerts()).toEqual(['Maximum of 4 device panels reached. Cannot add more panels.']);
    expect(
      screen.getByRole('button', { name: 'Add panel', description: 'Maximum of 4 devices allowed' }),
    ).toBeDefined();
    await choose('Options of Panel 2', 'Remove panel');
    expect(alerts()).toEqual([]);
  });

  it('are renamed; an empty name falls back, Escape keeps the old one', async () => {
    await choose('Options of Panel 1', 'Rename');
    await userEvent.clear(screen.getByRole('textbox', { name: 'Name of Panel 1' }));
    await userEvent.keyboard('GNSS setup{Enter}');
    expect(panelNames()).toEqual(['GNSS setup']);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /^GNSS setup/ }));
    await userEvent.dblClick(screen.getByRole('button', { name: /^GNSS setup/ }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Name of GNSS setup' }), 'other{Escape}');
    expect(panelNames()).toEqual(['GNSS setup']);
    await choose('Options of GNSS setup', 'Rename');
    await userEvent.clear(screen.getByRole('textbox', { name: 'Name of GNSS setup' }));
    await userEvent.tab();
    expect(panelNames()).toEqual(['Panel 1']);
  });

  it('are removed at once if they are empty, and a hint follows the last one', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Add panel' }));
    await choose('Options of Panel 1', 'Remove panel');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Panel 2' }));
    await choose('Options of Panel 2', 'Remove panel');
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add panel' }));
    expect(panelsNow().panels).toEqual([]);
    expect(screen.getByText(/No panels/)).toBeDefined();
  });

  it('keep what is typed in them while another part of the terminal is on a phone’s screen', async () => {
    await userEvent.click(screen.getByRole('textbox', { name: 'Add a command' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Hex' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Add a command' }), 'B5 62');
    cleanup();
    render(<PanelsPane onShowTime={showTime} />);
    expect(screen.getByRole('textbox', { name: 'Add a command' })).toHaveProperty('value', 'B5 62');
    await userEvent.type(screen.getByRole('textbox', { name: 'Add a command' }), '{Enter}');
    expect(panelsNow().panels[0]?.pinnedMessages[0]).toMatchObject({ content: 'B5 62', type: 'hex' });
    expect(screen.getByRole('textbox', { name: 'Add a command' })).toHaveProperty('value', '');
  });

  it('are removed after a question if they hold messages', async () => {
    onePanel(ascii('help'), ascii('info'));
    await choose('Options of Panel 1', 'Remove panel');
    const dialog = await screen.findByRole('dialog', { name: 'Remove Panel 1?' });
    expect(dialog.textContent).toContain('Its 2 commands are deleted with it.');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(panelNames()).toEqual(['Panel 1']);
    await choose('Options of Panel 1', 'Remove panel');
    await screen.findByRole('dialog');
    await userEvent.keyboard('{Escape}');
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Options of Panel 1' })),
    );
    await choose('Options of Panel 1', 'Remove panel');
    const again = await screen.findByRole('dialog');
    await userEvent.click(within(again).getByRole('button', { name: 'Remove' }));
    expect(panelsNow().panels).toEqual([]);
    expect(screen.getByText(/No panels/)).toBeDefined();
    expect(screen.getByText('0 panels, no commands yet')).toBeDefined();
  });

  it('are collapsed to their name and the number of their messages', async () => {
    onePanel(ascii('help'), ascii('info'));
    const toggle = screen.getByRole('button', { name: 'Panel 1' });
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    await userEvent.click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
    expect(toggle.textContent).toBe('Panel 12');
    expect(within(panel('Panel 1')).queryByRole('list')).toBeNull();
  });

  it('are moved with Alt and an arrow key, and keep the focus', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Add panel' }));
    screen.getByRole('button', { name: 'Panel 2' }).focus();
    await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}');
    expect(panelNames()).toEqual(['Panel 2', 'Panel 1']);
    expect(document.activeElement?.textContent).toBe('Panel 2');
    expect(screen.getAllByRole('status').at(-1)?.textContent?.trim()).toBe('Panel 2 is now panel 1 of 2');
    await choose('Options of Panel 2', /^Move down/);
    expect(panelNames()).toEqual(['Panel 1', 'Panel 2']);
  });

  it('are dragged to another place', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Add panel' }));
    const heads = screen.getAllByRole('heading', { level: 3 }).map((title) => title.parentElement as HTMLElement);
    const dataTransfer = { setData: () => undefined };
    fireEvent.dragStart(heads[0] as HTMLElement, { dataTransfer });
    // Without a layout all elements have height 0 and lie above the pointer, so the panel goes to the end.
    fireEvent.dragOver(heads[1] as HTMLElement, { dataTransfer, clientY: 10 });
    fireEvent.drop(heads[1] as HTMLElement, { dataTransfer });
    expect(panelNames()).toEqual(['Panel 2', 'Panel 1']);
  });

  it('choose one of four ports, all that are open, or none', async () => {
    onePanel(ascii('help'));
    await aim(/^Target of Panel 1:.*Port 1$/, /^All open ports/);
    expect(panelsNow().panels[0]?.pinnedTargetPort).toBe(0);
    await aim(/^Target of Panel 1:.*All open ports$/, 'Port 1');
    await aim(/^Target of Panel 1:.*Port 1$/, 'Port 2, not connected');
    expect(panelsNow().panels[0]?.pinnedTargetPort).toBe(2);
    await aim(/^Target of Panel 1:.*Port 2$/, 'No target');
    expect(panelsNow().panels[0]?.pinnedTargetPort).toBe(-1);
  });

  it('say why they cannot send', async () => {
    onePanel(ascii('help'));
    const send = () => userEvent.click(screen.getByRole('button', { name: 'Send help' }));
    const panels = [{ ...newPanel('a', 'A'), pinnedMessages: [newMessage('m', ascii('help'))] }];
    act(() => changePanels({ panels }));
    await send();
    expect(alerts()).toEqual(['Please select a connected port first']);
    await aim(/^Target of A:.*No target$/, 'Port 3, not connected');
    expect(alerts()).toEqual([]);
    await send();
    expect(alerts()).toEqual(['Port 3 is not connected']);
    setPortState(3, 'connected');
    setPortState(3, 'disconnecting');
    await send();
    expect(alerts()).toEqual(['Cannot send data - Port 3 is disconnecting']);
    setPortState(3, 'connected');
    expect(sent()).toEqual([]);
    await send();
    expect(alerts()).toEqual([]);
    expect(sent()).toEqual([[3, 'help\n']]);
  });

  it('end their texts with what was chosen, and leave hex alone', async () => {
    onePanel(ascii('help'), { content: '4F 4B', type: 'hex' });
    for (const [label, ending] of [
      ['LF', '\n'],
      ['CRLF', '\r\n'],
      ['CR', '\r'],
      ['nothing', ''],
    ] as const) {
      call.mockClear();
      await userEvent.click(screen.getByRole('button', { name: 'Options of Panel 1' }));
      await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: `End lines with ${label}` }));
      await userEvent.click(screen.getByRole('button', { name: 'Send help' }));
      await userEvent.click(screen.getByRole('button', { name: 'Send 4F 4B' }));
      expect(sent()).toEqual([
        [1, `help${ending}`],
        [1, 'OK'],
      ]);
    }
    expect(panelsNow().panels[0]).toMatchObject({ lineEnding: true, ending: 'none' });
  });
});
