import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type AskedSecret, type Exchange, hexText, type PortState } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { resetStores } from '../../../shared/testing/stores.ts';
import { toasts } from '../../../shared/testing/toasts.ts';
// Preloaded, so that no test waits for it.
import '../../../shared/ui/popover-popup.tsx';
import '../../../shared/ui/menu-popup.tsx';
import type { Paste } from '../../../protocol/bench/job-part.ts';
import type { DeviceFacts } from '../../../protocol/bench/port-part.ts';
import { CallError } from '../../../workbench/bench-client.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { keepDecoder } from '../../../workbench/decoders/kept-decoders.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { panelsNow } from '../panels/store/panels-store.ts';
import { changeDecoder, changePort, terminalSettingsNow } from '../settings/settings-store.ts';
import { changeTerminalSession, sendHistory } from '../terminal-session.ts';
import { chooseFile } from './file-sending.ts';
import { SendBar } from './send-bar.tsx';

/** Lines that the selected port has received, and whether the last one is open. */
const received = { lines: [] as string[], isOpen: false };
const call = fakeBench(answer);

/** Answer of the bench to a call. */
async function answer(name: string, ...args: unknown[]): Promise<unknown> {
  if (name === 'rows') {
    const last = received.lines.length - 1;
    return { rows: received.lines.map((text, index) => ({ text, open: received.isOpen && index === last })) };
  }
  if (name === 'paste') {
    return { kind: 'done', sent: (args[1] as Paste).lines.length };
  }
  if (name !== 'exchange') {
    return undefined;
  }
  const { answers } = args[1] as Exchange;
  return answers.length === 0
    ? { kind: 'sent', at: 0 }
    : { kind: 'answered', answer: 0, after: 1, taken: 1, groups: [], names: [], at: 0 };
}

function setState(port: 1 | 2 | 3 | 4, state: PortState) {
  const { tick } = benchStatus;
  const ports = { ...tick.status.ports, [port]: { ...tick.status.ports[port], state } };
  act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports } }));
}

/** Port and text of everything that was sent, as single messages and in conversations. */
const sent = () => {
  const portOf = (conversation: unknown) =>
    call.mock.calls.find(([name, , opened]) => name === 'openConversation' && opened === conversation)?.[1];
  return call.mock.calls.flatMap(([name, first, second]) => {
    if (name === 'paste') {
      const { lines } = second as Paste;
      return lines.map((line) => [first, typeof line === 'string' ? line : new TextDecoder().decode(line)]);
    }
    if (name !== 'send' && name !== 'exchange') {
      return [];
    }
    const bytes = name === 'send' ? (second as Uint8Array) : (second as Exchange).bytes;
    return [[name === 'send' ? first : portOf(first), new TextDecoder().decode(bytes ?? undefined)]];
  });
};
const pastes = () => call.mock.calls.flatMap(([name, , paste]) => (name === 'paste' ? [paste as Paste] : []));
const message = () => screen.getByRole('textbox', { name: 'Message' });
const choose = async (name: string) => {
  await userEvent.click(screen.getByRole('button', { name: /^Send options/ }));
  await userEvent.click(await screen.findByRole('radio', { name }));
  await userEvent.keyboard('{Escape}');
};
const paste = async (text: string) => {
  await userEvent.click(message());
  await userEvent.paste(text);
};
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

/** No phone, and a pointer that is coarse, so that connecting moves no focus. */
const mediaList = (query: string) => ({
  matches: query.includes('coarse'),
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
});

beforeEach(() => {
  vi.stubGlobal('matchMedia', mediaList);
  call.mockReset();
  resetStores();
  for (const port of [1, 2, 3, 4] as const) {
    changePort(port, { inputMode: 'text', lineEnding: 'lf' });
    changeDecoder(port, null);
  }
  changeTerminalSession({ selectedPort: 1 });
  sendHistory.forget();
  Object.assign(received, { lines: [], isOpen: false });
  for (const port of [1, 2, 3, 4] as const) {
    setState(port, 'disconnected');
  }
  act(() => benchStatus.accept({ ...benchStatus.tick, devices: { 1: null, 2: null, 3: null, 4: null } }));
  render(<SendBar />);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('send bar', () => {
  it('sends to the selected port with Enter, and to any other with its button', async () => {
    setState(1, 'connected');
    setState(2, 'connected');
    await userEvent.type(message(), 'help{Enter}');
    await userEvent.type(message(), 'info');
    await userEvent.click(screen.getByRole('button', { name: /^Port 2 ?Send$/ }));
    expect(sent()).toEqual([
      [1, 'help\n'],
      [2, 'info\n'],
    ]);
    expect(message()).toHaveProperty('value', '');
  });

  it('sends CR to a board with Python, until the person chooses another ending', async () => {
    setState(1, 'connected');
    const { tick } = benchStatus;
    const ports = { ...tick.status.ports, 1: { ...tick.status.ports[1], connectedAt: 1_000 } };
    const advice = { ...tick.advice, 1: { ...tick.advice[1], isPython: true } };
    act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports }, advice }));
    await userEvent.type(message(), 'print(1){Enter}');
    await choose('CRLF');
    await userEvent.type(message(), 'print(2){Enter}');
    await choose('LF');
    await userEvent.type(message(), 'print(3){Enter}');
    expect(sent()).toEqual([
      [1, 'print(1)\r'],
      [1, 'print(2)\r\n'],
      [1, 'print(3)\n'],
    ]);
    act(() => benchStatus.accept({ ...benchStatus.tick, advice: tick.advice }));
  });

  it('keeps kind and ending for each port, and sends to another port as shown', async () => {
    setState(1, 'connected');
    setState(2, 'connected');
    await choose('CRLF');
    await userEvent.type(message(), 'one{Enter}');
    act(() => changeTerminalSession({ selectedPort: 2 }));
    expect(screen.getByRole('button', { name: 'Send options: Text · LF' })).toBeDefined();
    await userEvent.type(message(), 'two{Enter}');
    await choose('Hex');
    act(() => changeTerminalSession({ selectedPort: 1 }));
    expect(screen.getByRole('button', { name: 'Send options: Text · CRLF' })).toBeDefined();
    await userEvent.type(message(), 'AB');
    await userEvent.click(screen.getByRole('button', { name: /^Port 2 ?Send$/ }));
    expect(sent()).toEqual([
      [1, 'one\r\n'],
      [2, 'two\n'],
      [2, 'AB\r\n'],
    ]);
    act(() => changeTerminalSession({ selectedPort: 2 }));
    expect(screen.getByRole('button', { name: 'Send options: Hex' })).toBeDefined();
  });

  it('says that no port is connected', async () => {
    await userEvent.type(message(), 'help{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('No ports are connected');
    expect(sent()).toEqual([]);
    expect(message()).toHaveProperty('value', 'help');
  });

  it('does not ask a guest to connect a port of a shared bench', () => {
    expect(message()).toHaveProperty('placeholder', 'Connect a port to send');
    const { tick } = benchStatus;
    const facts = { kind: 'remote', plugged: false, right: null } as const;
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: facts } }));
    expect(message()).toHaveProperty('placeholder', 'Port 1 is not connected');
    act(() => benchStatus.accept({ ...tick }));
  });

  const share = (facts: Partial<DeviceFacts>) => {
    setState(1, 'connected');
    const { tick } = benchStatus;
    const remote = { kind: 'remote', plugged: true, right: 'type', ...facts } as const;
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: remote } }));
  };

  it.each([
    ['guest', 'Your connection is lost. You can send again when it is back.'],
    ['host', 'The connection of the host is lost. You can send again when it is back.'],
  ] as const)('takes no text that would be late or lost while a connection is away: %s', async (away, reason) => {
    share({});
    expect(message()).toHaveProperty('placeholder', 'Message');
    share({ away });
    expect(message()).toHaveProperty('placeholder', reason);
    await userEvent.type(message(), 'reset{Enter}');
    expect(message()).toHaveProperty('value', '');
    expect(screen.getByRole('alert').textContent).toBe(reason);
    expect(sent()).toEqual([]);
    share({ away: null });
    expect(screen.getByRole('alert').textContent).toBe('');
    await userEvent.type(message(), 'help{Enter}');
    expect(sent()).toEqual([[1, 'help\n']]);
  });

  it('keeps what is typed already while a connection is away, and says beside it why it is not sent', async () => {
    share({});
    await userEvent.type(message(), 'half a comm');
    expect(screen.queryByText(/Your connection is lost/, { selector: 'p' })).toBeNull();
    share({ away: 'guest' });
    await userEvent.type(message(), 'and');
    expect(message()).toHaveProperty('value', 'half a comm');
    expect(screen.getByText(/Your connection is lost/, { selector: 'p' })).toBeDefined();
    share({ right: 'watch' });
    expect(screen.getByText('You may watch. Ask to type to send on port 1.', { selector: 'p' })).toBeDefined();
    share({});
    await userEvent.type(message(), 'and{Enter}');
    expect(sent()).toEqual([[1, 'half a command\n']]);
  });

  it('asks for a connected port when the selected one is closed', async () => {
    setState(2, 'connected');
    await userEvent.type(message(), 'help{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Please select a connected port first');
  });

  it('refuses to send through a port that is disconnecting', async () => {
    setState(3, 'disconnecting');
    await userEvent.click(screen.getByRole('button', { name: /^Port 3 ?Send$/ }));
    expect(screen.getByRole('alert').textContent).toBe('Cannot send data - Port 3 is disconnecting');
  });

  it('refuses what is no hex, and forgets the error as soon as one types on', async () => {
    setState(1, 'connected');
    await choose('Hex');
    await userEvent.type(message(), 'B5 6X{Enter}');
    expect(screen.getByRole('alert').textContent).toBe(
      'Invalid hex input. Please enter valid hex characters (0-9, A-F)',
    );
    expect(message().getAttribute('aria-invalid')).toBe('true');
    await userEvent.type(message(), '{Backspace}');
    expect(screen.getByRole('alert').textContent).toBe('');
    await userEvent.type(message(), '{Enter}');
    expect(call).toHaveBeenCalledWith('send', 1, Uint8Array.of(0xb5, 0x06));
  });

  it('says that a message is too long while it is typed, and does not send it', async () => {
    setState(1, 'connected');
    fireEvent.change(message(), { target: { value: 'x'.repeat(257) } });
    expect(screen.getByText('257 / 256')).toBeDefined();
    expect(screen.getByRole('alert').textContent).toContain(
      'Command exceeds maximum length of 256 characters. Please shorten your command.',
    );
    await userEvent.type(message(), '{Enter}');
    expect(sent()).toEqual([]);
  });

  it('sends a command that is too long once as text, and keeps it nowhere', async () => {
    setState(1, 'connected');
    fireEvent.change(message(), { target: { value: 'y'.repeat(310) } });
    await press('Send as text');
    expect(sent()).toEqual([[1, `${'y'.repeat(310)}\n`]]);
    expect(message()).toHaveProperty('value', '');
    await userEvent.type(message(), '{ArrowUp}');
    expect(message()).toHaveProperty('value', '');
  });

  it('sends pasted text of any length', async () => {
    setState(1, 'connected');
    await userEvent.click(message());
    await userEvent.paste('z'.repeat(3_000));
    expect(screen.getByText('3000 characters')).toBeDefined();
    expect(screen.getByRole('alert').textContent).toBe('');
    await userEvent.keyboard('{Enter}');
    expect(sent()).toEqual([[1, `${'z'.repeat(3_000)}\n`]]);
    fireEvent.change(message(), { target: { value: 'x'.repeat(257) } });
    expect(screen.getByRole('alert').textContent).toContain('Command exceeds maximum length of 256 characters.');
  });

  it('keeps what is typed and how often it is repeated when the layout changes, as when a phone is turned', async () => {
    setState(1, 'connected');
    await userEvent.type(message(), 'info');
    await press('Send options: Text · LF');
    await userEvent.clear(await screen.findByRole('textbox', { name: 'Repeat interval in milliseconds' }));
    await userEvent.keyboard('250');
    cleanup();
    render(<SendBar />);
    expect(message()).toHaveProperty('value', 'info');
    await press('Send options: Text · LF');
    expect(await screen.findByRole('textbox', { name: 'Repeat interval in milliseconds' })).toHaveProperty(
      'value',
      '250',
    );
  });

  it('walks back through what was sent', async () => {
    setState(1, 'connected');
    await userEvent.type(message(), 'first one{Enter}second one{Enter}draft{ArrowUp}{ArrowUp}');
    expect(message()).toHaveProperty('value', 'first one');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(message()).toHaveProperty('value', 'draft');
  });

  it('sends a line ending alone, and nothing when there is none', async () => {
    setState(1, 'connected');
    await userEvent.type(message(), '{Enter}');
    await choose('None');
    await userEvent.type(message(), '{Enter}');
    expect(sent()).toEqual([[1, '\n']]);
  });

  it('draws Send buttons for open ports only, and All from two of them', () => {
    const buttons = () =>
      screen.queryAllByRole('button', { name: /Send$|^Send to all/ }).map(({ textContent }) => textContent);
    expect(buttons()).toEqual([]);
    setState(1, 'connected');
    expect(buttons()).toEqual(['1Send']);
    setState(3, 'connected');
    expect(buttons()).toEqual(['1Send', '3Send', 'All']);
  });

  it('shows Pin once something is typed, and the length from 200 characters on', async () => {
    setState(1, 'connected');
    expect(screen.queryByRole('button', { name: 'Pin' })).toBeNull();
    await userEvent.type(message(), 'info');
    expect(screen.getByRole('button', { name: 'Pin' })).toBeDefined();
    fireEvent.change(message(), { target: { value: 'x'.repeat(199) } });
    expect(screen.queryByText(/\/ 256/)).toBeNull();
    fireEvent.change(message(), { target: { value: 'x'.repeat(200) } });
    expect(screen.getByText('200 / 256')).toBeDefined();
  });

  it('shows the bytes of hex input before they are sent', async () => {
    setState(1, 'connected');
    await choose('Hex');
    await userEvent.type(message(), '0x0d, 0x0A, 3');
    expect(screen.getByLabelText('Bytes to be sent').textContent).toBe('0D 0A 03· 3 bytes');
    await userEvent.keyboard('{Enter}');
    expect(call).toHaveBeenCalledWith('send', 1, Uint8Array.of(0x0d, 0x0a, 0x03));
  });

  it('says when the last port was closed, and connects it again', async () => {
    setState(1, 'connected');
    setState(1, 'disconnected');
    expect(message().getAttribute('placeholder')).toMatch(/^Port 1 was closed at \d\d:\d\d:\d\d\.$/);
    await userEvent.type(message(), 'help{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('No ports are connected');
    await press('Connect again');
    expect(call).toHaveBeenCalledWith('connect', 1, { kind: 'same' }, expect.anything());
    setState(1, 'connected');
    expect(screen.queryByRole('button', { name: 'Connect again' })).toBeNull();
  });
});

describe('history of the send bar', () => {
  it('brings kind and ending back with a message, and the own ones with an empty field', async () => {
    setState(1, 'connected');
    await choose('Hex');
    await userEvent.type(message(), '0D 0A{Enter}');
    await choose('Text');
    await userEvent.type(message(), '{ArrowUp}');
    expect(message()).toHaveProperty('value', '0D 0A');
    expect(screen.getByRole('button', { name: /^Send options/ }).textContent).toBe('Hex');
    await userEvent.keyboard('{Enter}');
    expect(call).toHaveBeenLastCalledWith('send', 1, Uint8Array.of(0x0d, 0x0a));
    expect(screen.getByRole('button', { name: /^Send options/ }).textContent).toBe('Text · LF');
  });

  it('is searched with Ctrl+R: older with each press, Enter takes, Escape leaves', async () => {
    setState(1, 'connected');
    await userEvent.type(message(), 'wifi status{Enter}heap{Enter}wifi scan{Enter}dra');
    await userEvent.keyboard('{Control>}r{/Control}');
    const search = screen.getByRole('textbox', { name: 'Search the history' });
    await userEvent.type(search, 'wifi');
    expect(screen.getByText('wifi scan')).toBeDefined();
    await userEvent.keyboard('{Control>}r{/Control}');
    expect(screen.getByText('wifi status')).toBeDefined();
    call.mockClear();
    await userEvent.keyboard('{Enter}');
    expect(message()).toHaveProperty('value', 'wifi status');
    expect(sent()).toEqual([]);
    await userEvent.keyboard('{Control>}r{/Control}xyz');
    expect(screen.getByText('No match')).toBeDefined();
    await userEvent.keyboard('{Escape}');
    expect(message()).toHaveProperty('value', 'wifi status');
  });

  it('can be forgotten', async () => {
    setState(1, 'connected');
    await userEvent.type(message(), 'help{Enter}');
    await press('Send options: Text · LF');
    await userEvent.click(await screen.findByRole('button', { name: 'Forget history' }));
    await userEvent.type(message(), '{ArrowUp}');
    expect(message()).toHaveProperty('value', '');
    expect(sessionStorage.getItem('wirebench.sent')).toBeNull();
  });
});

describe('answer to a prompt for a password', () => {
  /** Shows the prompt of a port; null: it has been answered, or has gone. */
  const ask = (port: 1 | 2, number: number | null, secret: AskedSecret = 'password') => {
    const { tick } = benchStatus;
    const asks = number === null ? null : { secret, number };
    const ports = { ...tick.status.ports, [port]: { ...tick.status.ports[port], asks } };
    act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports } }));
  };
  const words = (secret = 'password') => screen.findByText(`Hidden: ${secret}.`);
  const noWords = () => expect(screen.queryByText(/^Hidden: /)).toBeNull();
  const hidings = () => call.mock.calls.filter(([name]) => name === 'send').map(([, port, , hidden]) => [port, hidden]);

  beforeEach(() => {
    setState(1, 'connected');
    ask(1, null);
    ask(2, null);
    sessionStorage.clear();
  });
  afterEach(() => {
    ask(1, null);
    ask(2, null);
  });

  it('is hidden for one Enter, and in neither the history nor the storage of the tab', async () => {
    ask(1, 4);
    expect((await words()).title).toBe('For one Enter. What the board echoes is not hidden.');
    await userEvent.type(message(), 'hunter2{Enter}');
    ask(1, null);
    noWords();
    await userEvent.type(message(), 'ls{Enter}');
    expect(sent()).toEqual([
      [1, 'hunter2\n'],
      [1, 'ls\n'],
    ]);
    expect(hidings()).toEqual([
      [1, true],
      [1, undefined],
    ]);
    await userEvent.type(message(), '{ArrowUp}{ArrowUp}');
    expect(message()).toHaveProperty('value', 'ls');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('hunter2');
    expect(JSON.stringify({ ...sessionStorage })).toContain('ls');
  });

  it.each(['passphrase', 'PIN'] as const)('says that it is a %s', async (secret) => {
    ask(1, 1, secret);
    await words(secret);
  });

  it('is hidden although the prompt came a moment before Enter', async () => {
    await userEvent.type(message(), 'hunter2');
    ask(1, 4);
    noWords();
    await userEvent.keyboard('{Enter}');
    expect(hidings()).toEqual([[1, true]]);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('hunter2');
  });

  it('is shown and kept after Show, until the next prompt', async () => {
    ask(1, 4);
    await words();
    await userEvent.type(message(), 'hun');
    await userEvent.click(screen.getByRole('button', { name: 'Show', pressed: false }));
    expect(screen.getByText('Shown: password.').title).toBe('It is sent and kept like other text.');
    expect(screen.getByRole('button', { name: 'Show', pressed: true })).toBeDefined();
    expect(document.activeElement).toBe(message());
    expect(message()).toHaveProperty('value', 'hun');
    await userEvent.type(message(), 'ter2{Enter}');
    expect(hidings()).toEqual([[1, false]]);
    expect(JSON.stringify({ ...sessionStorage })).toContain('hunter2');
    ask(1, null);
    ask(1, 5);
    await words();
  });

  it('is hidden again when Show is pressed twice', async () => {
    ask(1, 4);
    await words();
    await press('Show');
    await press('Show');
    await words();
    await userEvent.type(message(), 'hunter2{Enter}');
    expect(hidings()).toEqual([[1, true]]);
  });

  it('stays hidden when the prompt ends before Enter, until it is sent or deleted', async () => {
    ask(1, 4);
    await words();
    await userEvent.type(message(), 'hunter2');
    ask(1, null);
    await words();
    await userEvent.clear(message());
    noWords();
    ask(1, 5);
    await words();
    await userEvent.type(message(), 'hunter2');
    ask(1, null);
    await userEvent.keyboard('{Enter}');
    noWords();
    expect(hidings()).toEqual([[1, true]]);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('hunter2');
  });

  it('is hidden on every port that it goes to, whichever of them asks', async () => {
    setState(2, 'connected');
    ask(2, 1);
    await userEvent.type(message(), 'hunter2');
    await press('Send to all open ports');
    await userEvent.type(message(), 'hunter3');
    await userEvent.click(screen.getByRole('button', { name: /^Port 2 ?Send$/ }));
    await userEvent.type(message(), 'ls{Enter}');
    expect(hidings()).toEqual([
      [1, true],
      [2, true],
      [2, true],
      [1, undefined],
    ]);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('hunter');
  });

  it('is shown by no dock of pasted lines, and repeated by no button', async () => {
    ask(1, 4);
    await words();
    await paste('hunter2\nhunter2');
    const send = await screen.findByRole('button', { name: 'Send 2 lines' });
    expect(screen.queryByText(/hunter2/)).toBeNull();
    await userEvent.click(send);
    await vi.waitFor(() => expect(pastes()).toMatchObject([{ kind: 'lines', hidden: true }]));
    await userEvent.click(screen.getByRole('button', { name: /^Send options/ }));
    expect(await screen.findByRole('checkbox', { name: /^Hide input/ })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Start repeating' })).toBeNull();
  });

  it('shows dots, keeps no history and says what the log shows, where the host has an older version', async () => {
    const { tick } = benchStatus;
    const facts = { kind: 'remote', plugged: true, right: 'type', canHide: false } as const;
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: facts } }));
    ask(1, 4);
    expect(await screen.findByText("Dots: password. The host's log shows it.")).toBeDefined();
    await userEvent.type(message(), 'hunter2{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('');
    expect(hidings()).toEqual([[1, undefined]]);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('hunter2');
  });

  it('is not asked of a guest who may only watch', async () => {
    const { tick } = benchStatus;
    const facts = { kind: 'remote', plugged: true, right: 'watch', canHide: true } as const;
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: facts } }));
    ask(1, 4);
    await act(() => new Promise((resolve) => setTimeout(resolve, 150)));
    noWords();
  });
});

describe('hidden input', () => {
  const hide = async () => {
    await press('Send options: Text · LF');
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Hide input/ }));
    await userEvent.keyboard('{Escape}');
  };

  it('is sent as hidden, in no history, and shows neither Pin nor text', async () => {
    setState(1, 'connected');
    await hide();
    await userEvent.type(message(), 'hunter2');
    expect(screen.getByRole('img', { name: 'Input is hidden' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Pin' })).toBeNull();
    expect(message().className).toMatch(/dots/);
    await userEvent.keyboard('{Enter}');
    expect(call).toHaveBeenCalledWith('send', 1, new TextEncoder().encode('hunter2\n'), true);
    await userEvent.keyboard('{ArrowUp}');
    expect(message()).toHaveProperty('value', '');
    expect(sessionStorage.getItem('wirebench.sent')).toBeNull();
  });

  it('does not appear in clear when hiding ends', async () => {
    setState(1, 'connected');
    await hide();
    await userEvent.type(message(), 'hunter2');
    await hide();
    expect(message()).toHaveProperty('value', '');
  });

  it('is refused for a port of a shared bench whose host would record it, and not offered there', async () => {
    setState(1, 'connected');
    await hide();
    const { tick } = benchStatus;
    const facts = { kind: 'remote', plugged: true, right: 'type', canHide: false } as const;
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: facts } }));
    await userEvent.type(message(), 'hunter2{Enter}');
    expect(screen.getByRole('alert').textContent).toMatch(/cannot be hidden/);
    expect(sent()).toEqual([]);
    await hide();
    await press('Send options: Text · LF');
    expect(await screen.findByText(/^Hide input needs a newer Wirebench at the host/)).toBeDefined();
    expect(screen.queryByRole('checkbox', { name: /^Hide input/ })).toBeNull();
  });

  it('is sent to a port of a shared bench whose host hides it', async () => {
    setState(1, 'connected');
    const { tick } = benchStatus;
    const facts = { kind: 'remote', plugged: true, right: 'type', canHide: true } as const;
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: facts } }));
    await hide();
    await userEvent.type(message(), 'hunter2{Enter}');
    expect(call).toHaveBeenCalledWith('send', 1, new TextEncoder().encode('hunter2\n'), true);
    expect(sessionStorage.getItem('wirebench.sent')).toBeNull();
  });

  it('shows none of several hidden lines in the dock', async () => {
    setState(1, 'connected');
    await hide();
    await paste('one\nhunter2');
    const dock = await screen.findByRole('group', { name: 'Pasted lines' });
    expect(dock.textContent).not.toContain('hunter2');
    await press('Send 2 lines');
    await vi.waitFor(() => expect(sent()).toHaveLength(2));
    expect(pastes()).toMatchObject([{ kind: 'lines', hidden: true }]);
  });
});

describe('a text that takes long', () => {
  it('shows how far it is, and stops by the button and by Escape', async () => {
    setState(1, 'connected');
    const sending = { ...benchStatus.tick.sending, 1: { sent: 40, total: 900 } };
    act(() => benchStatus.accept({ ...benchStatus.tick, sending }));
    expect(screen.getByText('40 of 900 bytes sent to Port 1')).toBeTruthy();
    await press('Stop sending to port 1');
    await userEvent.click(message());
    await userEvent.keyboard('{Escape}');
    expect(call.mock.calls.filter(([name]) => name === 'stopSending')).toEqual([
      ['stopSending', 1],
      ['stopSending', 1],
    ]);
  });
});

describe('pasting several lines', () => {
  beforeEach(() => setState(1, 'connected'));
  const dock = () => screen.queryByRole('group', { name: 'Pasted lines' });

  it('sends nothing before a person decides, and one line goes into the field', async () => {
    await paste('help\n');
    expect(message()).toHaveProperty('value', 'help');
    expect(dock()).toBeNull();
    await paste('one\ntwo\n');
    expect(dock()?.textContent).toContain('2 lines pasted');
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement?.textContent).toBe('Send 2 lines');
    expect(sent()).toEqual([]);
  });

  it('sends them one after the other with a pause', async () => {
    await paste('one\r\ntwo\rthree');
    await press('Send 3 lines');
    await vi.waitFor(() => expect(dock()).toBeNull());
    expect(sent()).toEqual([
      [1, 'one\n'],
      [1, 'two\n'],
      [1, 'three\n'],
    ]);
    expect(pastes()).toMatchObject([{ kind: 'lines', pause: 50, hidden: undefined }]);
    expect(document.activeElement).toBe(message());
  });

  it('waits for the prompt where one was seen', async () => {
    Object.assign(received, { lines: ['I (1) boot', 'gw> '], isOpen: true });
    await paste('one\ntwo');
    expect(await screen.findByRole('radio', { name: 'Wait for gw>' })).toHaveProperty('checked', true);
    await press('Send 2 lines');
    await vi.waitFor(() => expect(dock()).toBeNull());
    const asked = call.mock.calls
      .filter(([name]) => name === 'exchange')
      .map(([, , given]) => (given as Exchange).answers);
    const prompt = { kind: 'prompt', prompt: 'gw>' };
    expect(asked).toEqual([[prompt], [prompt]]);
  });

  it('sends them as one line, or puts them where the selection was', async () => {
    await paste('one\ntwo');
    await press('As one line');
    expect(sent()).toEqual([[1, 'one two\n']]);
    await userEvent.type(message(), 'echo !{ArrowLeft}');
    await userEvent.paste('one\ntwo');
    await press('Into the field');
    expect(message()).toHaveProperty('value', 'echo one two!');
  });

  it('sends lines of any length', async () => {
    await paste(`ok\n${'x'.repeat(300)}\nok`);
    await press('Send 3 lines');
    await vi.waitFor(() => expect(dock()).toBeNull());
    expect(sent()).toHaveLength(3);
  });

  it('stops, says how many went, and offers the rest', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    call.mockImplementation(async (name, ...args) => {
      if (name !== 'paste') {
        return answer(name, ...args);
      }
      act(() => benchStatus.accept({ ...benchStatus.tick, pastedLines: { [args[2] as number]: 1 } }));
      await promise;
      return { kind: 'cancelled', sent: 1 };
    });
    await paste('one\ntwo\nthree');
    await press('Send 3 lines');
    await vi.waitFor(() => expect(dock()?.textContent).toContain('1 of 3 lines'));
    await press('Stop sending lines');
    resolve();
    await vi.waitFor(() => expect(dock()?.textContent).toContain('Stopped: 1 of 3 lines went to Port 1.'));
    expect(call).toHaveBeenCalledWith('notice', 'info', 'Stopped: 1 of 3 lines went to Port 1.', 1);
    call.mockImplementation(answer);
    await press('Send the other 2');
    await press('Send 2 lines');
    await vi.waitFor(() => expect(dock()).toBeNull());
    expect(pastes().map(({ lines }) => lines.length)).toEqual([3, 2]);
  });

  it('says how many went when the port closes in between', async () => {
    call.mockImplementation(async (name, ...args) => {
      if (name === 'paste') {
        setState(1, 'disconnected');
        return { kind: 'closed', sent: 1 };
      }
      return answer(name, ...args);
    });
    await paste('one\ntwo\nthree');
    await press('Send 3 lines');
    await vi.waitFor(() => expect(dock()?.textContent).toContain('Port 1 was closed: 1 of 3 lines went.'));
    expect(screen.queryByRole('button', { name: /^Send the other/ })).toBeNull();
  });

  it('says why the port refused it', async () => {
    const refusal = { name: 'SessionError', message: 'Port 1 is not connected', code: 'not-connected' };
    call.mockImplementation((name, ...args) =>
      name === 'paste' ? Promise.reject(new CallError(refusal)) : answer(name, ...args),
    );
    await paste('one\ntwo');
    await press('Send 2 lines');
    await vi.waitFor(() =>
      expect(dock()?.textContent).toContain('Port 1 is not connected: 0 of 2 lines went to Port 1.'),
    );
  });

  it('runs code by paste mode at a prompt of Python, and loses nothing if the board opens none', async () => {
    Object.assign(received, { lines: ['MicroPython v1.27.0', '>>> '], isOpen: true });
    call.mockImplementation(async (name, ...args) =>
      name === 'paste' ? { kind: 'no-paste-mode', sent: 0 } : answer(name, ...args),
    );
    const code = ['def f():', '', '    return 1', 'print(f())'];
    await paste(code.join('\n'));
    expect(await screen.findByRole('radio', { name: 'Paste mode' })).toHaveProperty('checked', true);
    expect(screen.getByRole('radio', { name: 'Wait for >>>' })).toHaveProperty('checked', false);
    await press('Run 4 lines');
    await vi.waitFor(() => expect(dock()?.textContent).toContain('nothing was pasted'));
    call.mockImplementation(answer);
    await press('Paste again');
    await press('Run 4 lines');
    await vi.waitFor(() => expect(dock()).toBeNull());
    expect(pastes()).toEqual([
      { kind: 'code', lines: code },
      { kind: 'code', lines: code },
    ]);
  });

  it('keeps pause and pieces for the port', async () => {
    await paste('one\ntwo');
    await userEvent.clear(screen.getByRole('textbox', { name: 'Pause in milliseconds' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Pause in milliseconds' }), '120');
    await userEvent.click(screen.getByRole('checkbox', { name: 'In pieces' }));
    const bytes = screen.getByRole('textbox', { name: 'Bytes of a piece' });
    expect(bytes).toHaveProperty('value', '8');
    await userEvent.clear(bytes);
    await userEvent.type(bytes, '16');
    await press('Cancel');
    expect(terminalSettingsNow().ports[1]).toMatchObject({ linePause: 120, pieces: { bytes: 16, pause: 10 } });
    await paste('one\ntwo');
    expect(screen.getByRole('textbox', { name: 'Pause in milliseconds' })).toHaveProperty('value', '120');
    expect(screen.getByRole('textbox', { name: 'Bytes of a piece' })).toHaveProperty('value', '16');
  });

  it('refuses a port that a guest may only watch', async () => {
    await paste('one\ntwo');
    const { tick } = benchStatus;
    const facts = { kind: 'remote', plugged: true, right: 'watch' } as const;
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: facts } }));
    await press('Send 2 lines');
    expect(dock()?.textContent).toContain('You may watch. Ask to type to send on port 1.');
    expect(sent()).toEqual([]);
  });

  it('takes several lines of hex as one message', async () => {
    await choose('Hex');
    await paste('const uint8_t rate[] = {\n  0xB5, 0x62, // sync\n  0x06, 0x08,\n};\n');
    expect(dock()).toBeNull();
    expect(message()).toHaveProperty('value', 'B5 62 06 08');
  });
});

describe('typing in the log', () => {
  const log = () => screen.getByRole('log');
  beforeEach(() => {
    setState(1, 'connected');
    cleanup();
    render(
      <>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the log is scrolled by keys */}
        <div role="log" tabIndex={0} />
        <SendBar />
      </>,
    );
    log().focus();
  });

  it('goes on in the send field', async () => {
    await userEvent.keyboard('heap{Enter}');
    expect(sent()).toEqual([[1, 'heap\n']]);
  });

  it.each(['/', '?', ' ', 'H', 'Enter', 'ArrowDown', 'F5'])('leaves %j to the log', (key) => {
    fireEvent.keyDown(log(), { key, shiftKey: key === 'H' });
    expect(document.activeElement).toBe(log());
  });

  it('leaves combinations with Ctrl and Alt to the browser', () => {
    fireEvent.keyDown(log(), { key: 'c', ctrlKey: true });
    fireEvent.keyDown(log(), { key: 'd', altKey: true });
    expect(document.activeElement).toBe(log());
  });
});

describe('a file that changed while it waited to be sent', () => {
  it.each([
    ['alone', []],
    ['with others', [new File(['ok'], 'other.bin')]],
  ])('is named before a byte of it is sent: %s', async (_, more) => {
    const file = new File(['old'], 'firmware.bin');
    act(() => chooseFile(1, file, more));
    const refuse = () => Promise.reject(new DOMException('The file has changed.', 'NotReadableError'));
    Object.assign(file, { slice: () => ({ arrayBuffer: refuse }) });
    await press('Send file');
    const text = 'firmware.bin has changed since it was chosen, or was moved. Choose it again. Nothing was sent.';
    await vi.waitFor(() => expect(toasts().current?.text).toBe(text));
    expect(call.mock.calls.map(([name]) => name)).not.toContain('sendFile');
    expect(call.mock.calls.map(([name]) => name)).not.toContain('transferTo');
    expect(screen.queryByText('firmware.bin')).toBeNull();
  });
});

describe('frames in the send bar', () => {
  const sentHex = () =>
    call.mock.calls.flatMap(([name, , bytes]) => (name === 'send' ? [hexText(bytes as Uint8Array)] : []));
  const preview = () => screen.findByRole('status', { name: 'Bytes to be sent' });

  beforeEach(async () => {
    setState(1, 'connected');
    act(() => changeDecoder(1, 'modbus'));
    await choose('Frame');
  });

  it('go as the words of their row or as bytes, with the checksum that is shown before', async () => {
    expect(message().getAttribute('placeholder')).toBe('7 read 4 from 0, or bytes');
    screen.getByRole('button', { name: 'Send options: Frame' });
    await userEvent.type(message(), '1 read 2 from 128');
    expect((await preview()).textContent).toBe('01 03 00 80 00 02 C5 E3· 8 bytes');
    await userEvent.type(message(), '{Enter}');
    await userEvent.type(message(), '11 06 00 01 00 03{Enter}');
    expect(sentHex()).toEqual(['01 03 00 80 00 02 C5 E3', '11 06 00 01 00 03 9A 9B']);
    // The history keeps the words.
    await userEvent.type(message(), '{ArrowUp}{ArrowUp}');
    expect((message() as HTMLInputElement).value).toBe('1 read 2 from 128');
  });

  it('go to every port as the field shows them, also to one of another decoder or of none', async () => {
    setState(2, 'connected');
    act(() => {
      changeDecoder(2, 'modbus');
      changeDecoder(1, null);
      changeTerminalSession({ selectedPort: 2 });
    });
    await choose('Frame');
    await userEvent.type(message(), '1 read 2 from 128');
    await preview();
    await press('Send to all open ports');
    expect(screen.getByRole('alert').textContent).toBe('');
    expect(sentHex()).toEqual(['01 03 00 80 00 02 C5 E3', '01 03 00 80 00 02 C5 E3']);
  });

  it('are sent when their code is there, if Enter was first', async () => {
    fireEvent.change(message(), { target: { value: '1 read 2 from 128' } });
    fireEvent.submit(screen.getByRole('form', { name: 'Send' }));
    await vi.waitFor(() => expect(sentHex()).toEqual(['01 03 00 80 00 02 C5 E3']));
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('say what is missing, and send nothing', async () => {
    await userEvent.type(message(), 'read 2 from 128');
    await screen.findByText('No frame yet');
    await userEvent.type(message(), '{Enter}');
    expect(screen.getByRole('alert').textContent).toContain('Begin with the number of the unit');
    await paste('7 read 4 from 0\n7 read 4 from 4');
    expect(screen.getByRole('alert').textContent).toContain('Frames are sent one at a time. Paste one line.');
    expect(sentHex()).toEqual([]);
  });

  it('are text again, and no choice, on a port without a decoder', async () => {
    act(() => changeDecoder(1, null));
    expect(message().getAttribute('placeholder')).toBe('Message');
    await userEvent.click(screen.getByRole('button', { name: /^Send options: Text/ }));
    await screen.findByRole('radio', { name: 'Hex' });
    expect(screen.queryByRole('radio', { name: 'Frame' })).toBeNull();
  });

  it('have a hint in the empty field that is right for a decoder of one’s own', async () => {
    const placeholder = () => message().getAttribute('placeholder');
    const framing = { kind: 'step' } as const;
    for (const [name, own, hint] of [
      ['pump', { framing, steps: ['modbus'] }, '7 read 4 from 0, or bytes'],
      ['plotter', { framing, steps: ['nmea'] }, 'GPGLL,4916.45,N'],
      ['motor', { framing: { kind: 'gap', ms: 10 }, checksum: { kind: 'sum8' } }, 'Bytes of a frame'],
    ] as const) {
      const kept = keepDecoder(JSON.stringify({ name, title: name, ...own }));
      act(() => changeDecoder(1, kept.ok ? kept.id : null));
      await vi.waitFor(() => expect(placeholder()).toBe(hint));
    }
  });

  it('are pinned as the bytes that they are', async () => {
    await userEvent.type(message(), '1 read 2 from 128');
    await preview();
    await press('Pin');
    expect(panelsNow().panels[0]?.pinnedMessages).toMatchObject([{ content: '01 03 00 80 00 02 C5 E3', type: 'hex' }]);
  });
});

describe('keys that go to the board', () => {
  const keys = () =>
    call.mock.calls.flatMap(([name, port, bytes]) => (name === 'send' ? [[port, hexText(bytes as Uint8Array)]] : []));

  beforeEach(() => {
    setState(1, 'connected');
    localStorage.removeItem('wirebench.control-keys-noted');
    document.getSelection()?.removeAllRanges();
  });

  it('are Ctrl+C and Ctrl+D in the empty field, without an ending, a history or a line in the draft', async () => {
    await userEvent.click(message());
    await userEvent.keyboard('{Control>}c{/Control}');
    await userEvent.keyboard('{Control>}d{/Control}');
    expect(keys()).toEqual([
      [1, '03'],
      [1, '04'],
    ]);
    await userEvent.keyboard('{ArrowUp}');
    expect(message()).toHaveProperty('value', '');
  });

  it('say where they went, the first time', async () => {
    await userEvent.click(message());
    await userEvent.keyboard('{Control>}c{/Control}');
    const note = toasts().current;
    expect(note?.text).toBe('Ctrl+C went to Port 1. With text selected, Ctrl+C copies.');
    await userEvent.keyboard('{Control>}c{/Control}');
    expect(toasts().current).toBe(note);
    expect(keys()).toHaveLength(2);
  });

  it('stay with the field while it has text, which the page copies', async () => {
    await userEvent.type(message(), 'help');
    await userEvent.keyboard('{Control>}c{/Control}{Control>}d{/Control}');
    expect(keys()).toEqual([]);
  });

  it('are no Ctrl+C while text is selected anywhere on the page', async () => {
    const log = document.createElement('p');
    log.textContent = 'temp: 21.5';
    document.body.append(log);
    await userEvent.click(message());
    document.getSelection()?.selectAllChildren(log);
    await userEvent.keyboard('{Control>}c{/Control}');
    expect(keys()).toEqual([]);
    document.getSelection()?.removeAllRanges();
    log.remove();
    await userEvent.keyboard('{Control>}c{/Control}');
    expect(keys()).toEqual([[1, '03']]);
  });

  it('go nowhere while no port is open', async () => {
    setState(1, 'disconnected');
    message().focus();
    await userEvent.keyboard('{Control>}c{/Control}{Control>}d{/Control}');
    expect(keys()).toEqual([]);
  });

  it('are in How to send, too', async () => {
    await press('Send options: Text · LF');
    for (const name of ['Ctrl+C', 'Ctrl+D', 'Ctrl+Z', 'Esc', 'Tab']) {
      await userEvent.click(await screen.findByRole('button', { name: `Send ${name}` }));
    }
    // ECMA-48, 5.2: ETX, EOT, SUB, ESC, HT.
    expect(keys().map(([, bytes]) => bytes)).toEqual(['03', '04', '1A', '1B', '09']);
  });
});
