import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { BenchTick } from '../../../protocol/bench/bench-tick.ts';
import type { FileFacts } from '../../../protocol/flash-protocol.ts';
import { appNavigation } from '../../../shared/app-navigation.ts';
import { benchStatus } from '../../../workbench/bench-status.ts';
import { takeBoardFilesPort } from '../../../workbench/flasher-boards.ts';
import { dispatch, flasherStore, startFlasher } from '../store/flasher-store.ts';
import { testBoard, testFamily, testPlan } from '../testing/families.ts';
import { PythonFiles } from './python-files.tsx';

const show = vi.fn();

const file: FileFacts = {
  id: 1,
  name: 'firmware.bin',
  size: 0x1000,
  what: 'App',
  offset: 0x10000,
  why: '',
  places: null,
  application: 'micropython v1.27.0',
  sha256: '',
};
const choose = (python: FileFacts['python']) =>
  flasherStore().setState({
    chosen: { files: [{ ...file, ...(python !== undefined && { python }) }], leftOut: [], conflicts: [] },
  });
const attach = (device: BenchTick['devices'][1]) =>
  benchStatus.accept({ ...benchStatus.tick, devices: { ...benchStatus.tick.devices, 2: device } });

beforeEach(() => {
  appNavigation.show = show;
  startFlasher(testFamily);
  attach({ kind: 'demo', name: 'Demo ESP32', plugged: true } as BenchTick['devices'][1]);
});
afterEach(() => {
  appNavigation.show = null;
  cleanup();
});

it('leads to the files of the board in the terminal, before the write and after it', () => {
  choose('MicroPython');
  for (const [when, label] of [
    ['before', 'Save the files first'],
    ['after', 'Put the files back'],
  ] as const) {
    render(<PythonFiles port={2} when={when} />);
    fireEvent.click(screen.getByRole('button', { name: label }));
    expect(show).toHaveBeenLastCalledWith('/app/uart');
    expect(takeBoardFilesPort()).toBe(2);
    expect(takeBoardFilesPort()).toBeNull();
    cleanup();
  }
});

it('is left to a plan that saves files itself, until there are some that it does not put back', () => {
  startFlasher({ ...testFamily, savesFiles: true });
  choose('MicroPython');
  const both = (
    <>
      <PythonFiles port={2} when="before" />
      <PythonFiles port={2} when="after" />
    </>
  );
  dispatch(2, { type: 'connect', source: { kind: 'demo' } });
  dispatch(2, { type: 'connected', board: testBoard() });
  dispatch(2, { type: 'plan' });
  dispatch(2, { type: 'planned', plan: { ...testPlan, saved: [] } });
  expect(render(both).container.textContent).toBe('');
  cleanup();
  // The drive of a board shows no files, so the user has saved them in the terminal.
  dispatch(2, { type: 'plan' });
  dispatch(2, { type: 'planned', plan: testPlan });
  render(both);
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Put the files back']);
});

it.each([
  ['other firmware', undefined, { kind: 'demo', name: 'Demo ESP32', plugged: true }],
  [
    'a board on the bench of somebody else',
    'MicroPython',
    { kind: 'remote', name: 'ESP32', plugged: true, right: 'use' },
  ],
  ['no board', 'MicroPython', null],
] as const)('draws nothing for %s', (_case, python, device) => {
  choose(python);
  attach(device as BenchTick['devices'][1]);
  const { container } = render(<PythonFiles port={2} when="before" />);
  expect(container.textContent).toBe('');
});
