import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { buildImage, openFileSystem } from '@wirebench/flasher/file-systems';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RpFacts } from '../../../../../protocol/rp-types.ts';
import { resetStores } from '../../../../../shared/testing/stores.ts';
import { changesOf, dropChanges } from '../../../store/board-changes.ts';
import { dispatch, flasherStore, startFlasher } from '../../../store/flasher-store.ts';
import { fakeFlasher } from '../../../testing/fake-flasher.ts';
import { testPico, testPlan } from '../../../testing/families.ts';
import { stubFileSystemWorker } from '../../../testing/file-system-worker.ts';
import { rpPage } from '../rp-page.ts';
import { RpContentsCard } from './contents-card.tsx';

const call = fakeFlasher();
const text = (value: string) => new TextEncoder().encode(value);
const size = 128 * 1_024;
const start = 0x1000_0000;
const offset = 0xa_0000;
const image = buildImage('littlefs', size, [
  { path: '/main.py', bytes: text('print("hello")\n') },
  { path: '/lib/blink.py', bytes: text('pattern = (1, 0)\n') },
]);

const users = [
  { name: 'the files of MicroPython (LittleFS)', offset, size, kind: 'littlefs', system: 'micropython' },
] as const;
const facts = (info: Partial<RpFacts['info']> = {}) => testPico({}, { users, ...info });

/** Contents that the board holds. */
let held: Uint8Array;

function connected(board: RpFacts): void {
  act(() => {
    dispatch(1, { type: 'connect', source: { kind: 'demo' } });
    dispatch(1, { type: 'connected', board });
  });
}

const reads = () => call.mock.calls.filter(([name]) => name === 'read');
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const row = (name: RegExp) => screen.findByRole('treeitem', { name });

beforeEach(() => {
  resetStores();
  startFlasher(rpPage);
  dropChanges(1);
  held = image;
  call.mockReset();
  call.mockImplementation(async (name: string) =>
    name === 'read' ? new Blob([Uint8Array.from(held)]) : name === 'plan' ? testPlan : undefined,
  );
  stubFileSystemWorker();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Opens the files of a board, and changes one of them. */
async function editMain(): Promise<void> {
  render(<RpContentsCard />);
  connected(facts());
  fireEvent.click(button('MicroPython’s files'));
  fireEvent.click(await row(/^main.py/));
  fireEvent.change(await screen.findByRole('textbox', { name: 'Text of /main.py' }), { target: { value: 'x\n' } });
  await row(/^main.py changed/);
}

describe('file systems in the flash of a Raspberry Pi board', () => {
  it('are read once a person opens them, and closed again', async () => {
    render(<RpContentsCard />);
    connected(facts());
    expect(screen.getByText('128 KB at 0x100A0000')).toBeDefined();
    expect(reads()).toEqual([]);
    fireEvent.click(button('MicroPython’s files'));
    await row(/^main.py/);
    expect(reads()).toEqual([['read', 1, { offset: start + offset, length: size }]]);
    expect(button('MicroPython’s files').getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(button('MicroPython’s files'));
    await waitFor(() => expect(screen.queryByRole('tree')).toBeNull());
    fireEvent.click(button('MicroPython’s files'));
    await row(/^main.py/);
    expect(reads()).toHaveLength(1);
  });

  it('stay open while their edits are planned, as a change of whole sectors at their address', async () => {
    render(<RpContentsCard />);
    connected(facts());
    fireEvent.click(button('MicroPython’s files'));
    fireEvent.click(await row(/^main.py/));
    const editor = await screen.findByRole('textbox', { name: 'Text of /main.py' });
    fireEvent.change(editor, { target: { value: 'print("changed")\n' } });
    await row(/^main.py changed/);
    const [planned] = changesOf(1);
    expect(planned).toMatchObject({
      what: '1 changed file',
      entries: ['/main.py changed'],
      change: { name: 'MicroPython’s files', range: { offset: start + offset, length: size } },
    });
    const after = image.slice();
    for (const write of planned?.change.writes ?? []) {
      expect(write.bytes.length % 4_096).toBe(0);
      after.set(write.bytes, write.offset - start - offset);
    }
    expect(new TextDecoder().decode(openFileSystem(after).read('/main.py'))).toBe('print("changed")\n');
    expect(screen.getByRole('textbox', { name: 'Text of /main.py' })).toBeDefined();
  });

  it('are read again when the plan finds other contents, with the edits made again', async () => {
    await editMain();
    held = buildImage('littlefs', size, [
      { path: '/main.py', bytes: text('print("hello")\n') },
      { path: '/since.txt', bytes: text('since') },
    ]);
    const outdated = {
      code: 'change-outdated',
      files: ['MicroPython’s files'],
      what: '',
      remedy: '',
      overridable: false,
    };
    act(() => {
      dispatch(1, { type: 'plan' });
      dispatch(1, { type: 'planned', plan: { ...testPlan, refusals: [outdated] } });
    });
    await row(/^since.txt/);
    await row(/^main.py changed/);
    await waitFor(() => expect(changesOf(1)[0]?.entries).toEqual(['/main.py changed']));
  });

  it('stay as they are while the board is connected again, so that the plan is not made once more', async () => {
    await editMain();
    const [planned] = changesOf(1);
    act(() => {
      dispatch(1, { type: 'connect', source: { kind: 'same' } });
    });
    expect(screen.getByRole('tree')).toBeDefined();
    connected(facts());
    await row(/^main.py changed/);
    expect(changesOf(1)[0]).toBe(planned);
  });

  it('are those of one board: another one with files at the same address shows its own', async () => {
    await editMain();
    act(() => {
      dispatch(2, { type: 'connect', source: { kind: 'demo' } });
      dispatch(2, { type: 'connected', board: facts() });
      flasherStore().setState({ selected: 2 });
    });
    expect(button('MicroPython’s files').getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(button('MicroPython’s files'));
    fireEvent.click(await row(/^main.py/));
    expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text of /main.py' })).value).toBe(
      'print("hello")\n',
    );
    expect(changesOf(2)).toEqual([]);
    act(() => flasherStore().setState({ selected: 1 }));
    fireEvent.click(button('On the board'));
    fireEvent.click(button('MicroPython’s files'));
    await row(/^main.py changed/);
  });

  it('are closed when another board is connected at the port', async () => {
    const board = (id: string): RpFacts => ({ ...facts({ uniqueId: id }), id });
    render(<RpContentsCard />);
    connected(board('0123456789ABCDEF'));
    fireEvent.click(button('MicroPython’s files'));
    await row(/^main.py/);
    connected(board('FEDCBA9876543210'));
    expect(button('MicroPython’s files').getAttribute('aria-expanded')).toBe('false');
    expect(screen.queryByRole('treeitem', { name: /^main.py/ })).toBeNull();
  });

  it('stay open under another name, and have one change, once a file that named them is deleted', async () => {
    render(<RpContentsCard />);
    connected(facts());
    fireEvent.click(button('MicroPython’s files'));
    fireEvent.click(await row(/^main.py/));
    const field = () => screen.findByRole('textbox', { name: 'Text of /main.py' });
    fireEvent.change(await field(), { target: { value: 'x\n' } });
    await row(/^main.py changed/);
    connected(facts({ users: [{ name: 'a LittleFS file system', offset, size, kind: 'littlefs' }] }));
    expect(button('LittleFS at 0x100A0000').getAttribute('aria-expanded')).toBe('true');
    fireEvent.change(await field(), { target: { value: 'y\n' } });
    await waitFor(() => expect(changesOf(1).map(({ change }) => change.range.offset)).toEqual([start + offset]));
    fireEvent.change(await field(), { target: { value: 'print("hello")\n' } });
    await waitFor(() => expect(changesOf(1)).toEqual([]));
  });

  it('are formatted only as what their interpreter mounts', async () => {
    held = new Uint8Array(size).fill(0xff);
    render(<RpContentsCard />);
    connected(facts({ users: [{ name: '', offset, size, kind: 'fat', system: 'circuitpython' }] }));
    fireEvent.click(button('CircuitPython’s files'));
    const files = await screen.findByRole('region', { name: 'CircuitPython’s files' });
    fireEvent.click(await within(files).findByRole('button', { name: 'Format as FAT' }));
    await waitFor(() => expect(changesOf(1)).toHaveLength(1));
    expect(within(files).queryByRole('button', { name: /SPIFFS|LittleFS/ })).toBeNull();
    // A plain volume: sectors of 512 bytes, no state of wear levelling behind it.
    const [first] = changesOf(1)[0]?.change.writes ?? [];
    expect(new DataView(first?.bytes.buffer ?? new ArrayBuffer(16), first?.bytes.byteOffset).getUint16(11, true)).toBe(
      512,
    );
    expect(screen.getByText('Everything in this file system is removed with the next write.')).toBeDefined();
  });

  it('are not offered through the drive, which says why', () => {
    render(<RpContentsCard />);
    const drive = facts({ link: 'drive', flashSize: null, users: [] });
    connected(drive);
    expect(rpPage.tellsContents?.(drive)).toBe(false);
    expect(screen.getByText(/The drive takes firmware only/)).toBeDefined();
    expect(screen.queryByRole('button', { name: /files$/ })).toBeNull();
  });
});
