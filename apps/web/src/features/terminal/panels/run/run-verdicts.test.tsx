import { act, cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { PortNumber } from '@wirebench/serial';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { allPorts } from '../model/device-panel.ts';
import { PanelsPane } from '../panels-pane.tsx';
import { changePanels, panelsNow } from '../store/panels-store.ts';
import {
  ascii,
  boardSends,
  call,
  onePanel,
  outcomes,
  outcomesOn,
  sent,
  setPortState,
  showTime,
  type TestMessage,
} from '../testing/panel-rig.ts';

/** Shows a panel whose commands go to all open ports, with these ports open. */
const show = (ports: readonly PortNumber[], ...messages: TestMessage[]) => {
  onePanel(...messages);
  for (const port of ports) {
    setPortState(port, 'connected');
  }
  changePanels(({ panels }) => ({ panels: panels.map((panel) => ({ ...panel, pinnedTargetPort: allPorts })) }));
  render(<PanelsPane onShowTime={showTime} />);
};
const click = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }));
const settle = async () => {
  await act(() => vi.dynamicImportSettled());
  await act(() => Promise.resolve());
};
const run = async () => {
  await click('Run Panel 1');
  await settle();
};
/** The verdict without its time. */
const verdict = () => screen.getAllByRole('status')[0]?.textContent?.replace(/ · \d+\.\d+ s/, '');
const row = (content: string) =>
  screen.getByRole('button', { name: new RegExp(`^(Send|Stop) ${content}$`) }).closest('li') as HTMLElement;
/** The facts of each failure, in their order. */
const faults = () =>
  [...document.querySelectorAll('dl')].map((list) =>
    [...list.querySelectorAll('dd')].map(({ textContent }) => textContent?.trim()),
  );
const info = { ...ascii('info'), expect: ascii('free heap') };
const scan = { ...ascii('i2cscan'), expect: ascii('BME280') };
/** An answer that comes when the test says so. */
const later = (port: PortNumber) => {
  const { promise, resolve } = Promise.withResolvers<{ kind: 'answered' | 'no-answer' | 'closed' | 'cancelled' }>();
  outcomesOn.set(port, [...(outcomesOn.get(port) ?? []), promise]);
  return resolve;
};

afterEach(cleanup);

describe('a run on all open ports', () => {
  it('sends every command to every port, and passes with all checks of all of them', async () => {
    show([1, 2, 3, 4], info, scan);
    await run();
    expect(
      sent()
        .map(([port, text]) => `${port} ${text}`.trim())
        .toSorted(),
    ).toEqual([1, 2, 3, 4].flatMap((port) => [`${port} i2cscan`, `${port} info`]));
    expect(verdict()).toBe('PASSED 8 of 8 checks');
    expect(within(row('info')).getByText('4 of 4')).toBeDefined();
  });

  it('fails with the first failure of each board: where, what was awaited, and what came last', async () => {
    show([1, 2, 3, 4], info, scan);
    outcomesOn.set(3, [{ kind: 'answered' }]);
    const end = later(3);
    await run();
    boardSends(3, '2 devices: 0x3c SSD1306 display, 0x68 DS3231 clock\r\ndemo> ');
    await act(async () => end({ kind: 'no-answer' }));
    await settle();
    expect(verdict()).toBe('FAILED 7 of 8 checks');
    expect(within(row('info')).getByText('4 of 4')).toBeDefined();
    expect(within(row('i2cscan')).getByText('3 of 4')).toBeDefined();
    expect(faults()).toEqual([
      [
        '3 Port 3, i2cscan, no answer within 1000 ms',
        '"BME280"',
        '2 devices: 0x3c SSD1306 display, 0x68 DS3231 clock',
        'Show in the log',
      ],
    ]);
    await click('Show in the log');
    expect(showTime).toHaveBeenLastCalledWith(5);
  });

  it('fails on the board whose port closes, and goes on with the others', async () => {
    show([1, 2], info, scan);
    const lost = later(1);
    await run();
    setPortState(1, 'disconnected');
    await act(async () => lost({ kind: 'closed' }));
    await settle();
    expect(verdict()).toBe('FAILED 2 of 4 checks');
    expect(faults().map(([where]) => where)).toEqual(['1 Port 1, info, Port 1 was closed before it was answered']);
    expect(sent().filter(([port]) => port === 2)).toHaveLength(2);
    // Port 2 alone reached it.
    expect(within(row('i2cscan')).getByText('1 of 2')).toBeDefined();
  });

  it('does not let the other boards wait for a slow one', async () => {
    show([1, 2], info, scan);
    const slow = later(2);
    await run();
    expect(sent().filter(([port]) => port === 1)).toHaveLength(2);
    expect(verdict()).toMatch(/^Command 1 of 2/);
    expect(within(row('info')).getByText('waits')).toBeDefined();
    await act(async () => slow({ kind: 'answered' }));
    await settle();
    expect(verdict()).toBe('PASSED 4 of 4 checks');
  });

  it('leaves out a port that is opened during it, and the next run has it', async () => {
    show([1, 2], info);
    const first = later(1);
    await run();
    setPortState(3, 'connected');
    await act(async () => first({ kind: 'answered' }));
    await settle();
    expect(verdict()).toBe('PASSED 2 of 2 checks');
    await run();
    expect(verdict()).toBe('PASSED 3 of 3 checks');
  });

  it('is refused while no port is open', async () => {
    show([], info);
    setPortState(1, 'disconnected');
    await run();
    expect(sent()).toEqual([]);
    expect(screen.getByText('No port is open. Connect one first.')).toBeDefined();
  });
});

describe('the verdict', () => {
  it('is a failure when the only port is unplugged, although the panel loses its target', async () => {
    show([1], info, scan);
    changePanels(({ panels }) => ({ panels: panels.map((panel) => ({ ...panel, pinnedTargetPort: 1 })) }));
    const lost = later(1);
    await run();
    setPortState(1, 'disconnected');
    expect(panelsNow().panels[0]?.pinnedTargetPort).toBe(-1);
    await act(async () => lost({ kind: 'closed' }));
    await settle();
    expect(verdict()).toBe('FAILED 0 of 2 checks');
  });

  it('is one, however often Run is pressed', async () => {
    show([1], info);
    const end = later(1);
    await userEvent.dblClick(screen.getByRole('button', { name: 'Run Panel 1' }));
    await settle();
    expect(sent()).toHaveLength(1);
    expect(screen.getByRole('button', { name: 'Stop the run of Panel 1' })).toBeDefined();
    await act(async () => end({ kind: 'answered' }));
    await settle();
    expect(verdict()).toBe('PASSED 1 of 1 checks');
  });

  it('is neither passed nor failed when a person stops the run', async () => {
    show([1, 2], info, scan);
    outcomesOn.set(1, [{ kind: 'answered' }, { kind: 'answered' }]);
    outcomesOn.set(2, [{ kind: 'answered' }]);
    const end = later(2);
    await run();
    await click('Stop the run of Panel 1');
    await act(async () => end({ kind: 'cancelled' }));
    await settle();
    expect(verdict()).toBe('STOPPED after 3 of 4 checks');
    expect(faults()).toEqual([]);
  });

  it('claims no pass for a panel that checks nothing, and offers no test for a shell', async () => {
    show([1, 2], ascii('beep'));
    await run();
    expect(verdict()).toBe('NO CHECKS 2 commands sent');
    expect(screen.getByText(/^Nothing was checked: let a command wait/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Save and copy the command' })).toBeNull();
  });

  it('leaves the field and the focus of a person who types', async () => {
    show([1], info);
    const end = later(1);
    await run();
    const field = screen.getByRole('textbox', { name: 'Add a command' });
    await userEvent.type(field, 'vers');
    await act(async () => end({ kind: 'no-answer' }));
    await settle();
    await userEvent.keyboard('ion');
    expect(field).toHaveProperty('value', 'version');
    expect(document.activeElement).toBe(field);
    expect(verdict()).toBe('FAILED 0 of 1 checks');
  });

  it('is about the commands as they were when the run began', async () => {
    show([1], info, scan);
    const end = later(1);
    await run();
    act(() => changePanels(({ panels }) => ({ panels: panels.map((panel) => ({ ...panel, pinnedMessages: [] })) })));
    await act(async () => end({ kind: 'no-answer' }));
    await settle();
    expect(verdict()).toBe('FAILED 0 of 2 checks');
    expect(faults()[0]?.[0]).toBe('1 Port 1, info, no answer within 1000 ms');
  });

  it('stays until the next run, also while one command is sent alone', async () => {
    show([1], info);
    await run();
    outcomes.push({ kind: 'no-answer' });
    await click('Send info');
    await settle();
    expect(verdict()).toBe('PASSED 1 of 1 checks');
    const end = later(1);
    await run();
    expect(verdict()).toMatch(/^Command 1 of 1/);
    await act(async () => end({ kind: 'answered' }));
    await settle();
  });
});

describe('Save and copy the command', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  /** Saves with a clipboard that accepts or refuses. Returns the names of the saved files. */
  const save = async (writeText: () => Promise<void>) => {
    const names: string[] = [];
    vi.stubGlobal('URL', { createObjectURL: () => 'blob:', revokeObjectURL: () => undefined });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function saved(this: HTMLAnchorElement) {
      names.push(this.download);
    });
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText } });
    show([1], info);
    await run();
    await click('Save and copy the command');
    await screen.findByText(/is in your downloads/);
    return names;
  };

  it('saves the test file, copies the command and shows both', async () => {
    const copied = vi.fn(async () => undefined);
    expect(await save(copied)).toEqual(['Panel-1.json']);
    expect(copied).toHaveBeenCalledWith('wirebench test Panel-1.json --port PORT');
    expect(screen.getByText('wirebench test Panel-1.json --port PORT')).toBeDefined();
    expect(screen.getByText('Copied')).toBeDefined();
  });

  it('shows the command, selected, if the browser refuses the clipboard', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    expect(await save(() => Promise.reject(new DOMException('no', 'NotAllowedError')))).toEqual(['Panel-1.json']);
    expect(screen.getByText(/^Not copied: The browser refused access to the clipboard\./)).toBeDefined();
    expect(String(getSelection())).toBe('wirebench test Panel-1.json --port PORT');
  });
});

it('the calls of a run end with its conversations closed on every port', async () => {
  show([1, 2], info);
  await run();
  const names = call.mock.calls.map(([name]) => name);
  expect(names.filter((name) => name === 'closeConversation')).toHaveLength(2);
});
