import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { defaultPortSettings, type PortSettings } from '@wirebench/port';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toasts } from '../../../shared/testing/toasts.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { fakeBench } from '../../../workbench/testing/fake-bench.ts';
import { PortForm } from './port-form.tsx';
import { changePort, changeTerminalSettings, portName, terminalSettingsNow } from './settings-store.ts';
import { defaultTerminalSettings } from './terminal-settings.ts';

const call = fakeBench();

const settings = () => terminalSettingsNow().ports[2].settings;
const stored = () => JSON.parse(localStorage.getItem('wirebench.terminal') ?? '{}');

function open(with_: PortSettings | null) {
  const { tick } = benchStatus;
  const port = { ...tick.status.ports[2], state: with_ ? 'connected' : 'disconnected', settings: with_ } as const;
  act(() => benchStatus.accept({ ...tick, status: { ...tick.status, ports: { ...tick.status.ports, 2: port } } }));
}

describe('port form', () => {
  beforeEach(() => {
    call.mockClear();
    changeTerminalSettings(defaultTerminalSettings);
    open(null);
    render(<PortForm port={2} />);
  });
  afterEach(cleanup);

  it('offers the eight rates, then any other', () => {
    const options = [...screen.getByRole('combobox', { name: 'Baud' }).children].map((option) => option.textContent);
    expect(options).toEqual(['9600', '19200', '38400', '57600', '115200', '230400', '460800', '921600', 'Custom…']);
  });

  it('remembers each choice at once', async () => {
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Baud' }), '38400');
    await userEvent.click(screen.getByRole('radio', { name: '7' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Even' }));
    await userEvent.click(screen.getByRole('radio', { name: 'RTS/CTS' }));
    const chosen = { baudRate: 38_400, dataBits: 7, stopBits: 1, parity: 'even', flowControl: 'hardware' };
    expect(settings()).toEqual(chosen);
    expect(stored().ports[2].settings).toEqual(chosen);
  });

  it('takes any whole rate that is typed, and keeps the last good one while another is wrong', async () => {
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Baud' }), 'custom');
    const rate = screen.getByRole('textbox', { name: 'Rate' });
    await userEvent.clear(rate);
    await userEvent.type(rate, '250000');
    expect(settings().baudRate).toBe(250_000);
    await userEvent.type(rate, 'x');
    expect(screen.getByRole('alert').textContent).toBe('Enter a whole number from 1 to 4294967295.');
    expect(settings().baudRate).toBe(250_000);
  });

  it('suggests the boot rate of the ESP8266', async () => {
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Baud' }), 'custom');
    await userEvent.click(screen.getByRole('button', { name: '74880, ESP8266 boot' }));
    expect(settings().baudRate).toBe(74_880);
    expect(screen.queryByRole('button', { name: /ESP8266/ })).toBeNull();
  });

  it('calls a port without a name Port N', async () => {
    await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), 'GNSS M10');
    expect(portName(terminalSettingsNow(), 2)).toBe('GNSS M10');
    act(() => changePort(2, { name: '   ' }));
    expect(portName(terminalSettingsNow(), 2)).toBe('Port 2');
  });

  const framing = () => terminalSettingsNow().ports[2].framing;
  const chooseFraming = (title: string) =>
    userEvent.selectOptions(screen.getByRole('combobox', { name: 'Split lines' }), title);

  it('ends lines after a silence when told so, and keeps the last good one while another is wrong', async () => {
    await chooseFraming('After a gap');
    expect(framing()).toEqual({ name: 'gap', options: { gap: 20 } });
    const gap = screen.getByRole('textbox', { name: 'Gap' });
    await userEvent.clear(gap);
    expect(screen.getByText('Enter a whole number of milliseconds from 1 to 60000.')).toBeDefined();
    expect(framing()).toEqual({ name: 'gap', options: { gap: 20 } });
    await userEvent.type(gap, '50');
    await chooseFraming('At a newline or a gap');
    expect(framing()).toEqual({ name: 'newline-or-gap', options: { gap: 50 } });
    await chooseFraming('At a newline');
    expect(framing()).toEqual({ name: 'newline', options: {} });
    expect(screen.queryByRole('textbox', { name: 'Gap' })).toBeNull();
  });

  it('ends lines at a delimiter, given as text or as hex digits', async () => {
    await chooseFraming('At a delimiter');
    const delimiter = screen.getByRole('textbox', { name: 'Delimiter' });
    await userEvent.clear(delimiter);
    expect(screen.getByText('Enter 1 to 16 bytes.')).toBeDefined();
    await userEvent.type(delimiter, '\\r\\n');
    expect(framing()).toEqual({ name: 'delimiter', options: { delimiter: { as: 'text', typed: '\\r\\n' } } });
    await userEvent.click(screen.getByRole('radio', { name: 'Hex' }));
    expect(delimiter).toHaveProperty('value', '0D 0A');
    await userEvent.type(delimiter, '0');
    expect(screen.getByText('Enter pairs of hex digits, such as 0D 0A.')).toBeDefined();
    expect(framing()).toEqual({ name: 'delimiter', options: { delimiter: { as: 'hex', typed: '0D 0A' } } });
  });

  it('ends lines after a fixed length', async () => {
    await chooseFraming('After a fixed length');
    const length = screen.getByRole('textbox', { name: 'Length' });
    await userEvent.clear(length);
    expect(screen.getByText('Enter a whole number of bytes from 1 to 65535.')).toBeDefined();
    await userEvent.type(length, '8');
    expect(framing()).toEqual({ name: 'fixed-length', options: { length: 8 } });
  });

  it('takes COBS and SLIP frames, which need nothing more', async () => {
    await chooseFraming('COBS frames');
    expect(framing()).toEqual({ name: 'cobs', options: {} });
    await chooseFraming('SLIP frames');
    expect(framing()).toEqual({ name: 'slip', options: {} });
  });

  it('takes HDLC frames, with a check sequence or without', async () => {
    await chooseFraming('HDLC frames');
    expect(framing()).toEqual({ name: 'hdlc', options: { check: 'none' } });
    await userEvent.click(screen.getByRole('radio', { name: '16' }));
    expect(framing()).toEqual({ name: 'hdlc', options: { check: 'fcs-16' } });
  });

  it('ends lines where the length before them says', async () => {
    await chooseFraming('Length prefix');
    await userEvent.click(screen.getByRole('radio', { name: '4' }));
    await userEvent.click(screen.getByRole('radio', { name: 'Little' }));
    await userEvent.click(screen.getByRole('checkbox', { name: 'The length counts itself' }));
    expect(framing()).toEqual({ name: 'length-prefix', options: { width: 4, order: 'little', countsItself: true } });
  });

  it('waits for a board that vanishes unless told otherwise, and remembers that', async () => {
    const reconnect = screen.getByRole('checkbox', { name: 'Reconnect automatically' });
    expect(reconnect).toHaveProperty('checked', true);
    await userEvent.click(reconnect);
    expect(terminalSettingsNow().ports[2].reconnect).toBe(false);
    expect(stored().ports[2].reconnect).toBe(false);
    expect(stored().ports[1].reconnect).toBe(true);
  });

  it('reopens an open port with a choice at once, and Undo restores the settings before', async () => {
    open(defaultPortSettings);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Baud' }), '9600');
    expect(call).toHaveBeenCalledWith('reopen', 2, { ...defaultPortSettings, baudRate: 9_600 });
    const { current } = toasts();
    expect(current?.text).toBe('Port 2 is open at 9600 8N1 now');
    act(() => current?.action?.onAction());
    expect(call).toHaveBeenLastCalledWith('reopen', 2, defaultPortSettings);
    expect(settings()).toEqual(defaultPortSettings);
  });

  it('reopens with a typed rate when it is complete, and not at each digit', async () => {
    open(defaultPortSettings);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Baud' }), 'Custom…');
    const rate = screen.getByRole('textbox', { name: 'Rate' });
    await userEvent.clear(rate);
    await userEvent.type(rate, '250000');
    expect(call).not.toHaveBeenCalled();
    await userEvent.type(rate, '{Enter}');
    expect(call).toHaveBeenCalledExactlyOnceWith('reopen', 2, { ...defaultPortSettings, baudRate: 250_000 });
  });

  it('stores the control lines of the next opening without reopening the port', async () => {
    open(defaultPortSettings);
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'At open' }), 'Leave alone');
    expect(stored().ports[2].settings.linesAtOpen).toBe('keep');
    expect(call).not.toHaveBeenCalled();
  });
});
