/** Tests JKits on panels: load, undo, import and export of files, and the contents of the panel slots. */

import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { newMessage } from '@wirebench/runs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionStore } from '../../../shared/session/page-session.ts';
import { testSession } from '../../../shared/session/testing.ts';
import { resetStores } from '../../../shared/testing/stores.ts';
import { toasts } from '../../../shared/testing/toasts.ts';
import { savedBy } from '../../../workbench/testing/saved-files.ts';
import { type DevicePanel, newPanel } from './model/device-panel.ts';
import { PanelSlotsContext } from './panel-slots-context.ts';
import { PanelsPane } from './panels-pane.tsx';
import {
  attachJkit,
  forgetJkit,
  jkitContentOf,
  loadJkit,
  placeForJkit,
  refreshJkit,
  setJkitStarred,
} from './store/jkit-actions.ts';
import {
  addDevicePanel,
  deleteMessage,
  pinMessage,
  sendToPanel,
  setEnding,
  stepMessage,
} from './store/panel-actions.ts';
import { changePanels, panelsNow } from './store/panels-store.ts';
import { ascii, onePanel, showTime } from './testing/panel-rig.ts';

const contents = () => panelsNow().panels[0]?.pinnedMessages.map(({ content }) => content);
const first = () => panelsNow().panels[0];
const toasted = () => toasts().current;
const jkit = (content: unknown) => ({
  _id: 'x',
  name: 'Polls',
  publisher: 'gnss-hut',
  content: JSON.stringify(content),
});

beforeEach(() => {
  resetStores();
  onePanel(ascii('help'));
});
afterEach(cleanup);

describe('a panel that a jkit is loaded into', () => {
  it('has its messages with waits, pauses and repetitions, and can be had back as it was', () => {
    const before = first();
    const step = { content: 'AT', expect: 'OK', timeoutMs: 3_000, delayMs: 500, repeat: 2 };
    const loaded = loadJkit('a', jkit({ fields: [step], settings: { lineEnding: true } }), true);
    expect(first()).toMatchObject({
      lineEnding: true,
      isStarred: true,
      loadedJkit: { _id: 'x', publisher: 'gnss-hut' },
    });
    expect(first()?.pinnedMessages).toEqual([
      expect.objectContaining({ ...step, expect: { content: 'OK', type: 'ascii' } }),
    ]);
    expect(JSON.parse(jkitContentOf('a') ?? '').fields).toEqual([{ ...step, type: 'ascii' }]);
    act(() => (loaded.ok ? loaded.undo() : undefined));
    expect(first()).toEqual(before);
  });

  it('remembers who loaded it, and who added a panel', () => {
    loadJkit('a', jkit({ fields: ['AT'] }), false);
    expect(first()?.userId).toBeNull();
    sessionStore.save(testSession());
    const user = sessionStore.current()?.user.name;
    loadJkit('a', jkit({ fields: ['AT'] }), false);
    addDevicePanel();
    expect(panelsNow().panels.map(({ userId }) => userId)).toEqual([user, user]);
    sessionStore.clear();
  });

  it('is unchanged by text that is not a jkit', () => {
    expect(loadJkit('a', jkit({}), false)).toEqual({
      ok: false,
      reason: 'Invalid jkit format - no fields array found',
    });
    expect(loadJkit('a', jkit([]), false)).toEqual({ ok: false, reason: 'Invalid jkit format' });
    expect(loadJkit('gone', jkit({ fields: [] }), false)).toEqual({
      ok: false,
      reason: 'No device instance available to load jkit',
    });
    expect(contents()).toEqual(['help']);
    expect(jkitContentOf('gone')).toBeNull();
  });

  it('warns of messages that were cut and of those beyond the fiftieth', () => {
    const fields = ['x'.repeat(257), ...Array.from({ length: 50 }, (_, index) => `AT${index}`)];
    expect(loadJkit('a', jkit({ fields }), false)).toMatchObject({
      ok: true,
      warnings: [
        'One message was longer than 256 characters and was truncated.',
        'This JKit has 51 messages. Only the first 50 were loaded.',
      ],
    });
  });

  it('knows the jkit as it is saved, changed, starred and deleted', () => {
    attachJkit('a', { ...jkit({ fields: [] }), version: '1.0.1' });
    expect(first()?.loadedJkit).toEqual({ _id: 'x', name: 'Polls', publisher: 'gnss-hut', version: '1.0.1' });
    setJkitStarred('x', true);
    refreshJkit({ ...jkit({ fields: [] }), shared: true });
    expect(first()).toMatchObject({ isStarred: true, loadedJkit: { shared: true } });
    forgetJkit('other');
    expect(first()?.loadedJkit).not.toBeNull();
    forgetJkit('x');
    expect(first()).toMatchObject({ loadedJkit: null, isStarred: false });
    expect(contents()).toEqual(['help']);
  });

  it('is one that has it, else an empty one, else a new one, and none when all hold something', () => {
    const held = (id: string) => ({ ...newPanel(id, id), pinnedMessages: [newMessage(`${id}1`, ascii('help'))] });
    const place = (...panels: DevicePanel[]) => {
      changePanels({ panels });
      return placeForJkit('x');
    };
    expect(place(held('1'), newPanel('2', 'B'), { ...held('3'), loadedJkit: { _id: 'x' } })).toMatchObject({
      id: '3',
      loaded: true,
    });
    expect(place(held('1'), newPanel('2', 'B'))).toMatchObject({ id: '2', loaded: false });
    expect(place(held('1'))).toMatchObject({ name: 'Panel 1', loaded: false });
    expect(panelsNow().panels).toHaveLength(2);
    expect(place(held('1'), held('2'), held('3'), held('4'))).toBeNull();
  });
});

describe('files of a panel', () => {
  const file = (text: string, name = 'board.json') => new File([text], name, { type: 'application/json' });
  const option = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: 'Options of Panel 1' }));
    await userEvent.click(await screen.findByRole('menuitem', { name }));
  };
  const field = () => screen.getByLabelText<HTMLInputElement>('JKit file for Panel 1');

  it('are exported as JSON', async () => {
    render(<PanelsPane onShowTime={showTime} />);
    const { name, bytes } = await savedBy(() => option('Save as a JKit file'));
    expect(name).toBe('Panel-1.json');
    expect(JSON.parse(new TextDecoder().decode(bytes)).fields).toEqual([{ content: 'help', type: 'ascii' }]);
  });

  it('are chosen in the menu and loaded, with a way back', async () => {
    render(<PanelsPane onShowTime={showTime} />);
    const opened = vi.spyOn(field(), 'click');
    await option('Import a JKit file');
    expect(opened).toHaveBeenCalledOnce();
    await userEvent.upload(field(), file('{"fields":["AT"]}'));
    await waitFor(() => expect(contents()).toEqual(['AT']));
    expect(toasted()).toMatchObject({ text: 'board.json loaded', detail: 'Into Panel 1' });
    const undo = toasted()?.action?.onAction;
    act(() => undo?.());
    expect(contents()).toEqual(['help']);
  });

  it('are read in UTF-16', async () => {
    render(<PanelsPane onShowTime={showTime} />);
    const saved = new File([Buffer.from('\ufeff{"fields":["AT"]}', 'utf16le')], 'board.json');
    await userEvent.upload(field(), saved);
    await waitFor(() => expect(contents()).toEqual(['AT']));
  });

  it('are dropped onto the panel', async () => {
    render(<PanelsPane onShowTime={showTime} />);
    const panel = screen.getByRole('region', { name: 'Panel 1' });
    const dataTransfer = { types: ['Files'], files: [file('{"fields":["AT+GMR"]}')] };
    expect(fireEvent.dragOver(panel, { dataTransfer })).toBe(false);
    expect(fireEvent.drop(panel, { dataTransfer })).toBe(false);
    await waitFor(() => expect(contents()).toEqual(['AT+GMR']));
  });

  it.each([
    ['AT', 'Invalid jkit format'],
    ['{}', 'Invalid jkit format - no fields array found'],
    ['x'.repeat(600 * 1_024), 'The content of a JKit cannot exceed 64 KB'],
  ])('are refused with a message if they are not jkits (%#)', async (text, words) => {
    render(<PanelsPane onShowTime={showTime} />);
    await userEvent.upload(field(), file(text));
    await waitFor(() => expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(words));
    expect(contents()).toEqual(['help']);
  });

  it('are refused when several are dropped at once', () => {
    render(<PanelsPane onShowTime={showTime} />);
    const dataTransfer = { types: ['Files'], files: [file('{"fields":["AT"]}'), file('{"fields":["ATI"]}')] };
    fireEvent.drop(screen.getByRole('region', { name: 'Panel 1' }), { dataTransfer });
    expect(screen.getByText('A panel takes one JKit file. Drop the others on other panels.')).toBeDefined();
    expect(contents()).toEqual(['help']);
  });

  it('show what was lost', async () => {
    render(<PanelsPane onShowTime={showTime} />);
    await userEvent.upload(field(), file(JSON.stringify({ fields: ['x'.repeat(300)] })));
    await waitFor(() => expect(toasted()?.level).toBe('warning'));
    expect(toasted()?.detail).toBe('One message was longer than 256 characters and was truncated.');
  });
});

describe('slots of the page in panels', () => {
  it('are filled in heads, below heads, and above all panels', () => {
    const slots = {
      button: ({ name }: { name: string }) => <b>{`button ${name}`}</b>,
      line: ({ name }: { name: string }) => <b>{`line ${name}`}</b>,
      library: null,
      notice: <b>notice</b>,
    };
    render(
      <PanelSlotsContext value={slots}>
        <PanelsPane onShowTime={showTime} />
      </PanelSlotsContext>,
    );
    expect(screen.getAllByText(/button|line|notice/).map(({ textContent }) => textContent)).toEqual([
      'notice',
      'button Panel 1',
      'line Panel 1',
    ]);
  });
});

describe("a panel with another user's jkit", () => {
  const polls = jkit({ fields: ['AT', 'ATI'] });
  const others = () => {
    loadJkit('a', polls, false);
    render(<PanelsPane onShowTime={showTime} />);
  };
  const editing = /^(Delete|Edit|Move)/;

  it('hides adding, editing, moving and deleting of messages, and names the owner', async () => {
    others();
    expect(screen.getByText('You can only save your own JKits. This JKit belongs to gnss-hut.')).toBeDefined();
    expect(screen.queryByRole('textbox', { name: 'Add a command' })).toBeNull();
    expect(screen.queryByRole('button', { name: editing })).toBeNull();
    await userEvent.click(screen.getByRole('button', { name: 'Options of AT' }));
    expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Repeat…']);
  });

  it('shows the line ending without a way to change it', async () => {
    sessionStore.save(testSession());
    onePanel(ascii('help'));
    changePanels(({ panels }) => ({
      panels: panels.map((panel) => ({
        ...panel,
        loadedJkit: { _id: 'x', name: 'Polls', publisher: 'somebody-else' },
      })),
    }));
    render(<PanelsPane onShowTime={showTime} />);
    await userEvent.click(screen.getByRole('button', { name: 'Options of Panel 1' }));
    const ending = await screen.findByRole('menuitemcheckbox', { name: 'End lines with LF' });
    expect([ending.getAttribute('aria-checked'), ending.getAttribute('aria-disabled')]).toEqual(['true', 'true']);
    expect(setEnding('a', 'crlf')).toBe('You can only save your own JKits. This JKit belongs to somebody-else.');
    expect(first()?.lineEnding).toBe(false);
  });

  it('ignores keys, and refuses pins and messages of other panels', () => {
    others();
    const message = screen.getByRole('button', { name: /^Send AT$|^AT/ });
    fireEvent.keyDown(message, { key: 'Delete' });
    fireEvent.keyDown(message, { key: 'Delete' });
    fireEvent.keyDown(message, { key: 'ArrowDown', altKey: true });
    const id = first()?.pinnedMessages[0]?.id ?? '';
    const refused = 'You can only save your own JKits. This JKit belongs to gnss-hut.';
    expect(pinMessage('a', ascii('ATZ'))).toBe(refused);
    expect(deleteMessage('a', id)).toBe(refused);
    expect(stepMessage('a', id, 1)).toBe(refused);
    expect(sendToPanel({ from: 'a', messageId: id, to: 'a', kind: 'move' })).toBe(refused);
    expect(contents()).toEqual(['AT', 'ATI']);
  });

  it('becomes editable after a copy, which can be undone', async () => {
    others();
    await userEvent.click(screen.getByRole('button', { name: 'Copy to my own: Panel 1' }));
    expect(screen.getByRole('textbox', { name: 'Add a command' })).toBeDefined();
    expect(first()?.loadedJkit).toEqual({ name: 'Polls', copiedFrom: 'gnss-hut' });
    expect(pinMessage('a', ascii('ATZ'))).toBeNull();
    expect(contents()).toEqual(['AT', 'ATI', 'ATZ']);
    const undo = toasted()?.action?.onAction;
    act(() => undo?.());
    expect(first()?.loadedJkit).toMatchObject({ _id: 'x', publisher: 'gnss-hut' });
  });

  it('is editable for its publisher', () => {
    sessionStore.save(testSession({ user: { ...testSession().user, name: 'gnss-hut' } }));
    others();
    expect(screen.getByRole('textbox', { name: 'Add a command' })).toBeDefined();
    expect(pinMessage('a', ascii('ATZ'))).toBeNull();
    sessionStore.clear();
  });
});
