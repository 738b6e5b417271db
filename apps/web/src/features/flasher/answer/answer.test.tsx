import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ChosenFiles, PlanFacts } from '../../../protocol/flash-protocol.ts';
import { testReport } from '../../../protocol/testing/write-report.ts';
import { FileTable } from '../files/file-table.tsx';
import { OffsetFieldsContext } from '../files/offset-fields.ts';
import type { UsedRelease } from '../release/use-release.ts';
import { typeOffset } from '../store/file-actions.ts';
import { connect, write } from '../store/flash-actions.ts';
import { flasherStore, flashOf, startFlasher } from '../store/flasher-store.ts';
import { fakeFlasher, silentBench } from '../testing/fake-flasher.ts';
import { testBoard, testFamily } from '../testing/families.ts';
import { useWriteList } from '../write/flash-map.tsx';
import { Answer } from './answer.tsx';

const call = fakeFlasher();
silentBench();

const chosen: ChosenFiles = {
  files: [
    {
      id: 1,
      name: 'app.bin',
      size: 0x1000,
      what: 'App',
      offset: 0x10000,
      why: '',
      places: null,
      application: 'weather-node 1.4.0',
      sha256: 'c'.repeat(64),
    },
  ],
  leftOut: [],
  conflicts: [],
};
const plan: PlanFacts = {
  refusals: [],
  overridden: [],
  warnings: [],
  eraseAll: false,
  map: [],
  regions: [{ offset: 0x10000, length: 0x1000, file: 'app.bin', same: false }],
  toWrite: 0x1000,
  same: 0,
  duration: 500,
};
const answers = { connect: testBoard(), plan, write: testReport() };

const asked = () => call.mock.calls.map(([name]) => name);
const nothing = () => undefined;

function TheAnswer() {
  return <Answer way={null} onHead={nothing} onOffset={nothing} onOtherVersion={nothing} first={false} visit={false} />;
}

const opened = { open: true, setOpen: nothing };

function TheFiles() {
  const list = useWriteList();
  return (
    <OffsetFieldsContext value={opened}>
      <FileTable list={list} changes={[]} locked={false} settled />
    </OffsetFieldsContext>
  );
}

const writeButton = () => screen.getByRole('button', { name: 'Write 1 file' });

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true);
  startFlasher(testFamily);
  flasherStore().setState({ chosen });
  call.mockReset();
  call.mockImplementation(async (name: string) => Reflect.get(answers, name));
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function flash(): Promise<void> {
  await connect(1, { kind: 'demo' });
  await write(1);
}

it('a write that has nothing to write is not the primary button', async () => {
  await connect(1, { kind: 'demo' });
  const { unmount } = render(<TheAnswer />);
  expect(writeButton().className).toContain('primary');
  unmount();
  call.mockImplementation(async (name: string) =>
    name === 'plan' ? { ...plan, toWrite: 0, same: 0x1000 } : Reflect.get(answers, name),
  );
  await connect(1, { kind: 'same' });
  render(<TheAnswer />);
  expect(writeButton().className).not.toContain('primary');
});

it('waits on the page of a release for its files, and loads them again after a failure', async () => {
  flasherStore().setState({ chosen: { ...chosen, files: [] } });
  await connect(1, { kind: 'demo' });
  const again = vi.fn();
  const inPlace = (loading: UsedRelease['loading']) => (
    <Answer
      way={null}
      onHead={nothing}
      onOffset={nothing}
      onOtherVersion={nothing}
      first={false}
      visit
      inPlace={{ loading, again, cancel: nothing, choose: nothing }}
    />
  );
  const { rerender } = render(inPlace({ state: 'loading', part: null }));
  expect(screen.getByRole('heading').textContent).toBe('Loading the files of the release');
  expect(screen.getByRole('button').getAttribute('aria-disabled')).toBe('true');
  rerender(inPlace({ state: 'cancelled' }));
  expect(screen.getByRole('heading').textContent).toBe('The files were not loaded');
  await waitFor(() => {
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(again).toHaveBeenCalled();
  });
});

it('Flash again flashes in one click', async () => {
  await flash();
  render(<TheAnswer />);
  call.mockClear();
  fireEvent.click(screen.getByRole('button', { name: 'Flash again' }));
  await waitFor(() => expect(asked()).toEqual(['connect', 'plan', 'write', 'restart']));
});

it('a result without a monitor does not claim that the program runs', async () => {
  await flash();
  render(<TheAnswer />);
  const result = screen.getByRole('region', { name: 'Result' });
  expect(result.textContent).toContain('Written and verified');
  expect(result.textContent).toContain('The board was restarted.');
  expect(result.textContent).not.toContain('weather-node');
});

it('rows stay editable after a write, show their own errors, and take the result down when they are edited', async () => {
  await flash();
  render(
    <>
      <TheFiles />
      <TheAnswer />
    </>,
  );
  expect(screen.getByRole('button', { name: 'Remove app.bin' })).toBeTruthy();
  fireEvent.change(screen.getByRole('textbox', { name: 'Offset of app.bin' }), { target: { value: '0x10001' } });
  expect(screen.getByText('Must be a multiple of 0x1000.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Result' })).toBeNull();
  expect(screen.getByRole('region', { name: 'Plan' }).textContent).toContain('Fix the offset');
});

it('a rate that is chosen after a write takes the result down, a rate of the monitor does not', async () => {
  const { changeSettings } = await import('../store/settings-actions.ts');
  await flash();
  changeSettings({ monitorBaudRate: 9_600 });
  expect(flashOf(1).phase).toBe('done');
  changeSettings({ baudRate: 115_200 });
  expect(flashOf(1)).toMatchObject({ phase: 'running', report: null });
  typeOffset(1, '0x20000');
  expect(flashOf(1).phase).toBe('running');
});

it('Write connects a board again that runs its program, compares and writes', async () => {
  await flash();
  typeOffset(1, '0x20000');
  expect(flashOf(1).phase).toBe('running');
  render(<TheAnswer />);
  expect(screen.getByRole('region', { name: 'Plan' }).textContent).toContain('Write connects again by itself.');
  call.mockClear();
  fireEvent.click(writeButton());
  await waitFor(() => expect(asked()).toEqual(['connect', 'plan', 'write', 'restart']));
});

it('is one button from plan to result, keeps the focus, and ignores a second press after it has changed', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  await connect(1, { kind: 'demo' });
  call.mockImplementation((name: string) => (name === 'write' ? promise : Promise.resolve(Reflect.get(answers, name))));
  render(<TheAnswer />);
  const button = writeButton();
  button.focus();
  fireEvent.click(button);
  await waitFor(() => expect(button.textContent).toBe('Stop'));
  expect(document.activeElement).toBe(button);
  fireEvent.click(button);
  expect(asked()).not.toContain('cancel');
  resolve(testReport());
  await waitFor(() => expect(button.textContent).toBe('Flash again'));
  expect(document.activeElement).toBe(button);
  call.mockClear();
  fireEvent.click(button);
  expect(asked()).toEqual([]);
});
