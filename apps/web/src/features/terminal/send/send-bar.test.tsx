import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PortState } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DeviceFacts } from '../../../protocol/bench-protocol.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { changeSettings } from '../settings/settings-store.ts';
import { terminalSession } from '../terminal-session.ts';
import { SendBar } from './send-bar.tsx';

const call = vi.hoisted(() => vi.fn(() => Promise.resolve()));
vi.mock('../../../workbench/bench.ts', () => ({ getBench: () => ({ call }) }));

function setState(port: 1 | 2 | 3 | 4, state: PortState) {
  const { tick } = benchStatus;
  const ports = { ...tick.status.ports, [port]: { ...tick.status.ports[port], state } };
  act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports } }));
}

const sent = () => call.mock.calls.map((args: unknown[]) => [args[1], new TextDecoder().decode(args[2] as Uint8Array)]);
const message = () => screen.getByRole('textbox', { name: 'Message' });

describe('send bar', () => {
  beforeEach(() => {
    call.mockClear();
    changeSettings({ inputMode: 'text', lineEnding: 'lf' });
    terminalSession.setState({ selectedPort: 1, draft: '', repeatTime: null });
    for (const port of [1, 2, 3, 4] as const) {
      setState(port, 'disconnected');
    }
    act(() => benchStatus.accept({ ...benchStatus.tick, devices: { 1: null, 2: null, 3: null, 4: null } }));
    render(<SendBar />);
  });
  afterEach(cleanup);

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

  it('says that no port is connected', async () => {
    await userEvent.type(message(), 'help{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('No ports are connected');
    expect(call).not.toHaveBeenCalled();
    expect(message()).toHaveProperty('value', 'help');
  });

  it('asks nobody to connect a port of a bench that somebody else shares', () => {
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
    expect(message()).toHaveProperty('placeholder', 'Enter sends to Port 1');
    share({ away });
    expect(message()).toHaveProperty('placeholder', reason);
    await userEvent.type(message(), 'reset{Enter}');
    expect(message()).toHaveProperty('value', '');
    expect(screen.getByRole('alert').textContent).toBe(reason);
    expect(call).not.toHaveBeenCalled();
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
    await userEvent.click(screen.getByRole('radio', { name: 'HEX' }));
    await userEvent.type(message(), 'B5 6X{Enter}');
    expect(screen.getByRole('alert').textContent).toBe(
      'Invalid hex input. Please enter valid hex characters (0-9, A-F)',
    );
    expect(message().getAttribute('aria-invalid')).toBe('true');
    await userEvent.type(message(), '{Backspace}');
    expect(screen.getByRole('alert').textContent).toBe('');
    await userEvent.type(message(), '{Enter}');
    expect(call).toHaveBeenCalledWith('send', 1, Uint8Array.of(0x0b, 0x56));
  });

  it('says that a message is too long while it is typed, and does not send it', async () => {
    setState(1, 'connected');
    await userEvent.click(message());
    await userEvent.paste('x'.repeat(257));
    expect(screen.getByText('257 / 256')).toBeDefined();
    expect(screen.getByRole('alert').textContent).toBe(
      'Command exceeds maximum length of 256 characters. Please shorten your command.',
    );
    await userEvent.keyboard('{Enter}');
    expect(call).not.toHaveBeenCalled();
  });

  it('keeps what is typed and how often it is repeated when the layout changes, as when a phone is turned', async () => {
    setState(1, 'connected');
    await userEvent.type(message(), 'info');
    await userEvent.click(screen.getByRole('checkbox', { name: 'Repeat' }));
    await userEvent.clear(screen.getByRole('textbox', { name: 'Repeat interval in milliseconds' }));
    await userEvent.keyboard('250');
    cleanup();
    render(<SendBar />);
    expect(message()).toHaveProperty('value', 'info');
    expect(screen.getByRole('textbox', { name: 'Repeat interval in milliseconds' })).toHaveProperty('value', '250');
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
    await userEvent.click(screen.getByRole('radio', { name: 'None' }));
    await userEvent.type(message(), '{Enter}');
    expect(sent()).toEqual([[1, '\n']]);
  });
});
