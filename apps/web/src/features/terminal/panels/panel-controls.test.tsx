import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { plainFlow, usualValue } from '@wirebench/runs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError } from '../../../workbench/bench-client.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { useFunctionKeys } from './function-keys.ts';
import { PanelControls } from './panel-controls.tsx';
import { PanelsPane } from './panels-pane.tsx';
import { panelsNow } from './store/panels-store.ts';
import { ascii, call, onePanel, sent, setPortState, showTime, type TestMessage } from './testing/panel-rig.ts';
// Preloads the form that a press loads.
import './number-form.tsx';

const fan = (change: Partial<typeof usualValue> = {}): TestMessage => ({
  ...ascii('fan {value}'),
  label: 'Fan target',
  flow: { ...plainFlow, value: { ...usualValue, unit: '%', ...change } },
});
const slider = () => screen.getByRole('slider') as HTMLInputElement;
const drag = (...values: readonly number[]) => {
  for (const value of values) {
    fireEvent.input(slider(), { target: { value: String(value) } });
  }
};
const letGo = () => fireEvent(slider(), new Event('change', { bubbles: true }));
const settle = () => act(() => Promise.resolve());

let place = 0;
/** Shows the sliders of one panel. Its messages have ids of their own, because the rate of a slider outlasts its test. */
function show(...messages: readonly TestMessage[]) {
  place++;
  onePanel(...messages.map((message, index) => ({ ...message, id: `m${place}-${index}` })));
  render(<PanelControls />);
}

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('sliders below a plot', () => {
  it('are not drawn without a message that asks for a number', () => {
    show(ascii('fan {value}'), ascii('help'));
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('send when they are let go, once', async () => {
    show(fan());
    expect(screen.getByText('sends fan 0')).toBeDefined();
    drag(10, 40, 62);
    expect(sent()).toEqual([]);
    expect(slider().getAttribute('aria-valuetext')).toBe('62 %');
    letGo();
    await settle();
    expect(sent()).toEqual([[1, 'fan 62\n']]);
    expect(screen.getByText('sends fan 62')).toBeDefined();
  });

  it('send while they are dragged if the message says so, at its rate, and the last number once', async () => {
    vi.useFakeTimers();
    show(fan({ whileDragging: true, perSecond: 5 }));
    drag(1, 2, 3);
    await act(() => vi.advanceTimersByTimeAsync(199));
    expect(sent()).toEqual([[1, 'fan 1\n']]);
    drag(4, 5);
    letGo();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(sent()).toEqual([
      [1, 'fan 1\n'],
      [1, 'fan 5\n'],
    ]);
  });

  it('send the last number after they have gone', async () => {
    vi.useFakeTimers();
    show(fan({ whileDragging: true }));
    drag(1);
    await act(() => vi.advanceTimersByTimeAsync(1));
    drag(2);
    cleanup();
    await vi.advanceTimersByTimeAsync(100);
    expect(sent().at(-1)).toEqual([1, 'fan 2\n']);
  });

  it('go by ten steps with the Page keys, within their range', async () => {
    show(fan({ from: -1, to: 1, step: 0.1 }));
    slider().focus();
    await userEvent.keyboard('{PageUp}');
    expect(slider().getAttribute('aria-valuetext')).toBe('0.0 %');
    await settle();
    expect(sent()).toEqual([[1, 'fan 0.0\n']]);
    await userEvent.keyboard('{PageUp}{PageUp}');
    expect(slider().getAttribute('aria-valuetext')).toBe('1.0 %');
    await userEvent.keyboard('{PageDown}{PageDown}{PageDown}');
    expect(slider().getAttribute('aria-valuetext')).toBe('-1.0 %');
  });

  it('have up to two labelled messages that follow as buttons', async () => {
    const labelled = (content: string, label: string) => ({ ...ascii(content), label });
    show(labelled('help', 'Help'), fan(), labelled('fan 100', 'Full'), labelled('fan 0', 'Off'), labelled('x', 'More'));
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Full', 'Off']);
    await userEvent.click(screen.getByRole('button', { name: 'Full' }));
    expect(sent()).toEqual([[1, 'fan 100\n']]);
    cleanup();
    show(fan(), ascii('erase'), labelled('fan 0', 'Off'));
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('are off with the reason while the port is closed', () => {
    show(fan(), { ...ascii('fan 0'), label: 'Off' });
    setPortState(1, 'disconnecting');
    expect(slider().disabled).toBe(true);
    expect(screen.getByRole('button', { name: 'Off' })).toHaveProperty('disabled', true);
    const described = document.getElementById(slider().getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toMatch(/port 1/i);
  });

  it('are off for a guest who may only watch', () => {
    show(fan());
    const { tick } = benchStatus;
    const remote = { kind: 'remote', right: 'watch', away: null } as unknown as (typeof tick.devices)[1];
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: remote } }));
    expect(slider().disabled).toBe(true);
    expect(screen.getByText('You may watch. Ask to type to send on port 1.')).toBeDefined();
    act(() => benchStatus.accept({ ...tick, devices: { ...tick.devices, 1: null } }));
    expect(slider().disabled).toBe(false);
  });

  it('say why a number was not sent', async () => {
    show(fan());
    call.mockRejectedValueOnce(
      new CallError({ name: 'SessionError', message: 'Port 1 is not connected.', code: null }),
    );
    drag(7);
    letGo();
    await settle();
    expect(screen.getByRole('alert').textContent).toBe('Port 1 is not connected.');
  });

  it('do not show what a hidden message sends', () => {
    show({ ...fan(), hidden: true });
    expect(document.body.textContent).toContain('Fan target');
    expect(document.body.textContent).not.toContain('fan 0');
  });
});

function Keys() {
  useFunctionKeys();
  return null;
}

describe('a message that asks for a number', () => {
  const field = () => screen.getByRole('textbox', { name: 'Number' });
  const press = async () => {
    await userEvent.click(screen.getByRole('button', { name: /^Send\s*Fan target/ }));
    await act(() => vi.dynamicImportSettled());
  };
  beforeEach(() => {
    onePanel({ ...fan(), id: 'asked' }, ascii('help'));
    render(
      <>
        <Keys />
        <PanelsPane onShowTime={showTime} />
      </>,
    );
  });

  it('is sent with the number that is typed, and offers it the next time', async () => {
    await press();
    expect(sent()).toEqual([]);
    await userEvent.clear(field());
    await userEvent.keyboard('62{Enter}');
    expect(sent()).toEqual([[1, 'fan 62\n']]);
    expect(screen.queryByRole('textbox', { name: 'Number' })).toBeNull();
    await press();
    expect(field()).toHaveProperty('value', '62');
  });

  it('refuses a number that is not of its range, and sends nothing when it is left', async () => {
    await press();
    for (const wrong of ['101', '0.5', 'x']) {
      await userEvent.clear(field());
      await userEvent.type(field(), `${wrong}{Enter}`);
      expect(screen.getByText('Enter a number from 0 to 100, in steps of 1.')).toBeDefined();
    }
    await userEvent.keyboard('{Escape}');
    expect(sent()).toEqual([]);
    expect(document.activeElement?.textContent).toContain('Fan target');
  });

  it('is asked for by its function key as well', async () => {
    await userEvent.keyboard('{F1}');
    await act(() => vi.dynamicImportSettled());
    expect(field()).toBeDefined();
    expect(sent()).toEqual([]);
  });

  it('keeps all messages from running until it has one', async () => {
    await userEvent.click(screen.getByRole('button', { name: 'Run Panel 1' }));
    expect(screen.getByText(/no number was chosen for \{value\}/)).toBeDefined();
    expect(sent()).toEqual([]);
    await press();
    await userEvent.keyboard('{Enter}');
    call.mockClear();
    await userEvent.click(screen.getByRole('button', { name: 'Run Panel 1' }));
    await act(() => vi.dynamicImportSettled());
    await settle();
    expect(sent()).toEqual([
      [1, 'fan 0\n'],
      [1, 'help\n'],
    ]);
  });

  it('begins with a text that has a place for one, with the range of its form', async () => {
    await userEvent.type(screen.getByRole('textbox', { name: 'Add a command' }), 'pwm {{value}{Enter}');
    expect(panelsNow().panels[0]?.pinnedMessages[2]).toMatchObject({
      content: 'pwm {value}',
      flow: { value: usualValue },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Options of pwm {value}' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
    const typed = async (name: string, text: string) => {
      const input = await screen.findByRole('textbox', { name });
      await userEvent.clear(input);
      await userEvent.type(input, text);
    };
    await typed('To', '-5{Enter}');
    expect(screen.getByText('The range ends above its start.')).toBeDefined();
    await typed('To', '2,5');
    await typed('Step', '0.5');
    await typed('Unit', 'V');
    await userEvent.click(screen.getByRole('switch', { name: 'Slider sends while it is dragged' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(panelsNow().panels[0]?.pinnedMessages[2]?.flow?.value).toEqual({
      from: 0,
      to: 2.5,
      step: 0.5,
      unit: 'V',
      perSecond: 10,
      whileDragging: true,
    });
  });
});
