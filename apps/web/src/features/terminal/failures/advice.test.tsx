import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultPortSettings } from '@wirebench/port';
import type { PortNumber, PortStatus } from '@wirebench/serial';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PortAdvice } from '../../../protocol/bench/port-part.ts';
import { resetStores } from '../../../shared/testing/stores.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { currentScreen } from '../screen/screen-settings.ts';
import { changeDecoder, changePort, terminalSettingsNow } from '../settings/settings-store.ts';
import { changeTerminalSession } from '../terminal-session.ts';
import { Advice } from './advice.tsx';

const call = fakeBench();
const quiet = benchStatus.tick.advice[1];

function set(port: PortNumber, status: Partial<PortStatus>) {
  const { tick } = benchStatus;
  const ports = { ...tick.status.ports, [port]: { ...tick.status.ports[port], ...status } };
  act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports } }));
}

/** Sets what is noticed on a port, in place of what was. */
function advise(port: PortNumber, advice: Partial<PortAdvice>) {
  const { tick } = benchStatus;
  act(() => benchStatus.accept({ ...tick, advice: { ...tick.advice, [port]: { ...quiet, ...advice } } }));
}

const errors = (framing: number, parity = 0) => ({ framing, parity, overrun: 0, break: 0 });
const open = { state: 'connected', settings: { ...defaultPortSettings }, connectedAt: 1, errors: errors(0) } as const;
const garbage = { rate: { kind: 'rate', share: 0.08 } } as const;
const modbus = {
  frames: { decoder: 'modbus', right: 42, broken: 0, since: new Date(2026, 10, 5, 9, 46, 3).getTime() },
} as const;

const strip = () => screen.queryByRole('region', { name: 'Advice' });
const shown = async () => (await screen.findByRole('region', { name: 'Advice' })).textContent;
/** The strip says so after a while. */
const says = (text: string | RegExp) =>
  vi.waitFor(() => expect(strip()?.textContent).toMatch(text), { timeout: 2_000 });
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

describe('advice', () => {
  beforeEach(() => {
    resetStores();
    call.mockReset();
    for (const port of [1, 2, 3, 4] as const) {
      set(port, { state: 'disconnected', connectedAt: null, settings: null, errors: errors(0) });
      advise(port, {});
      changePort(port, { inputMode: 'text', lineEnding: 'lf' });
    }
    changeTerminalSession({ selectedPort: 1, draft: '' });
    set(2, open);
    render(<Advice>demo</Advice>);
  });
  afterEach(cleanup);

  it('is one strip at a time, that which loses most first', async () => {
    expect(screen.getByText('demo')).toBeDefined();
    set(2, { errors: errors(10) });
    advise(2, { isProgram: true, expected: 'cr', ...modbus, isSilent: true });
    const titles = [
      'Port 2: 10 framing errors at 115200 8N1.',
      'A full-screen program runs on Port 2.',
      'Port 2 echoed the line and did not run it.',
      'These bytes are Modbus RTU.',
      'Nothing came from Port 2 in 10 s.',
    ];
    for (const title of titles) {
      expect(await shown()).toContain(title);
      expect(screen.queryByText('demo')).toBeNull();
      expect(screen.getAllByRole('region', { name: 'Advice' })).toHaveLength(1);
      await press('Not now');
    }
    expect(strip()).toBeNull();
    expect(screen.getByText('demo')).toBeDefined();
  });

  it('is about the selected port before another one', async () => {
    set(1, { ...open, connectedAt: 3 });
    advise(1, { isProgram: true });
    advise(2, { isProgram: true });
    expect(await shown()).toContain('runs on Port 1.');
    act(() => changeTerminalSession({ selectedPort: 2 }));
    expect(await shown()).toContain('runs on Port 2.');
  });

  it('waits until nothing is typed, and what is shown stays', async () => {
    act(() => changeTerminalSession({ draft: 'hel' }));
    advise(2, { isSilent: true });
    expect(strip()).toBeNull();
    act(() => changeTerminalSession({ draft: '' }));
    expect(await shown()).toContain('Nothing came from Port 2');
    act(() => changeTerminalSession({ draft: 'hel' }));
    advise(2, { isSilent: true, isProgram: true });
    expect(await shown()).toContain('Nothing came from Port 2');
    act(() => changeTerminalSession({ draft: '' }));
    expect(await shown()).toContain('A full-screen program');
  });

  it('rests until the port is opened again', async () => {
    advise(2, { isSilent: true });
    await shown();
    await press('Not now');
    set(2, { state: 'disconnected' });
    set(2, { state: 'connected', connectedAt: 1 });
    expect(strip()).toBeNull();
    set(2, { connectedAt: 2 });
    expect(await shown()).toContain('Nothing came');
  });

  it('is announced once, and takes no focus', async () => {
    advise(2, { isSilent: true });
    await shown();
    expect(screen.getByRole('status').textContent).toBe('Nothing came from Port 2 in 10 s.');
    expect(document.activeElement).toBe(document.body);
  });

  it('says nothing about a closed port', () => {
    set(2, { state: 'disconnected' });
    advise(2, { isSilent: true, isProgram: true, ...modbus, ...garbage });
    expect(strip()).toBeNull();
  });

  it('distinguishes framing errors from parity errors, and not before there are enough of them', async () => {
    set(2, { errors: errors(9) });
    expect(strip()).toBeNull();
    set(2, { errors: errors(10) });
    expect(await shown()).toContain('Port 2: 10 framing errors at 115200 8N1.');
    expect(strip()?.textContent).toContain('Check the baud rate');
    expect(screen.getByRole('button', { name: 'Find the rate' })).toBeDefined();
    set(2, { errors: errors(10, 11) });
    await says('Check the parity and the data bits');
    expect(screen.queryByRole('button', { name: 'Find the rate' })).toBeNull();
  });

  it('opens the Screen for a full-screen program, on its port', async () => {
    advise(2, { isProgram: true });
    await shown();
    await press('Open the Screen');
    expect(currentScreen().isShown).toBe(true);
    expect(strip()).toBeNull();
  });

  it('shows frames for this visit, or always', async () => {
    advise(2, modbus);
    expect(await shown()).toContain('These bytes are Modbus RTU. 42 frames since 09:46:03, what came before too.');
    await press('Show frames');
    expect(terminalSettingsNow().ports[2]).toMatchObject({ decoder: 'modbus', isOnce: true });
    expect(strip()).toBeNull();
    act(() => changeDecoder(2, null));
    await shown();
    await press('Always on this port');
    expect(terminalSettingsNow().ports[2].decoder).toBe('modbus');
    expect(terminalSettingsNow().ports[2].isOnce).toBeUndefined();
  });

  it('about silence says what to check, in a list that opens', async () => {
    advise(2, { isSilent: true });
    expect(await shown()).not.toContain('ground');
    await press('Check the cable');
    expect(strip()?.textContent).toContain('RX of the adapter is connected to TX of the board');
    expect(screen.getByRole('button', { name: 'Check the cable' }).getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('button', { name: 'Ask a Modbus device' })).toBeDefined();
  });

  describe('about first bytes that are no text', () => {
    const finding = {
      baudRate: 9_600,
      silent: false,
      ranking: [
        {
          baudRate: 9_600,
          bytes: 60,
          score: 1,
          reasons: [],
          sample: new TextEncoder().encode('T\r\ntemp: 21.5 C\r\n'),
        },
      ],
    };
    beforeEach(() => advise(2, garbage));

    it('finds the rate, opens the port at it, and shows the text that proves it', async () => {
      expect(await shown()).toContain('Only 8 % of this is readable. The baud rate is probably wrong.');
      expect(strip()?.querySelector('.lucide-triangle-alert')).not.toBeNull();
      call.mockImplementation(async (name) => (name === 'findBaudRate' ? finding : undefined));
      await press('Find the rate');
      await says('At 9600 baud it is readable.');
      expect(call).toHaveBeenCalledWith('reopen', 2, { ...defaultPortSettings, baudRate: 9_600 });
      set(2, { settings: { ...defaultPortSettings, baudRate: 9_600 } });
      await says('The port is open at that rate now.');
      expect(strip()?.textContent).toContain('temp: 21.5 C');
      expect(strip()?.querySelector('.lucide-check')).not.toBeNull();
      await press('Back to 115200');
      expect(call).toHaveBeenLastCalledWith('reopen', 2, defaultPortSettings);
      expect(strip()).toBeNull();
    });

    it('is given once, because the board may speak a binary protocol', async () => {
      call.mockImplementation(async (name) =>
        name === 'findBaudRate' ? { ...finding, baudRate: null, ranking: [] } : undefined,
      );
      await shown();
      await press('Find the rate');
      await says('No rate makes it readable. The board may speak a binary protocol');
      await press('Not now');
      set(2, { connectedAt: 2 });
      expect(strip()).toBeNull();
    });

    it('shows 7 data bits as the text that they are', async () => {
      advise(2, {
        rate: { kind: 'bits', settings: { dataBits: 7, parity: 'even', stopBits: 1 }, sample: 'temp: 21.5 C' },
      });
      expect(await shown()).toContain('With 115200 7E1 this is text.');
      expect(strip()?.textContent).toContain('temp: 21.5 C');
      expect(screen.getByRole('button', { name: 'Use 115200 7E1' })).toBeDefined();
    });
  });
});
