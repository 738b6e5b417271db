import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { buildImage, type FileSystem, openFileSystem } from '@wirebench/flasher/file-systems';
import { useState } from 'react';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { PlannedChange } from '../store/board-changes.ts';
import { testPartition as partition } from '../testing/families.ts';
import { stubFileSystemWorker } from '../testing/file-system-worker.ts';
import { FilesView } from './files-view.tsx';
import type { FilesDraft } from './planned-files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const { size } = partition;
const image = buildImage('littlefs', size, [
  { path: '/config.json', bytes: bytes('{\n  "interval_s": 60,\n  "units": "metric"\n}\n') },
  { path: '/log/old.txt', bytes: bytes('old') },
  { path: '/data.bin', bytes: Uint8Array.of(0, 1, 2, 0xff) },
]);

/** The newest planned change. */
let planned: PlannedChange<FilesDraft> | null = null;
let undoAll: () => void;

const hash = '0123456789abcdef'.repeat(2);

interface ViewProps {
  readonly contents?: Uint8Array;
  readonly md5?: string;
  readonly locked?: boolean;
}

function View({ contents = image, md5 = hash, locked = false }: ViewProps) {
  const [change, setChange] = useState<PlannedChange<FilesDraft> | null>(null);
  planned = change;
  undoAll = () => setChange(null);
  return (
    <FilesView
      partition={partition}
      contents={contents}
      md5={md5}
      draft={change?.draft ?? null}
      locked={locked}
      onChange={setChange}
    />
  );
}

/** The partition as it is after a write of the planned change. */
function written(contents = image): FileSystem {
  const after = contents.slice();
  for (const { offset, bytes: sector } of planned?.change.writes ?? []) {
    after.set(sector, offset - partition.offset);
  }
  return openFileSystem(after);
}

const row = (name: RegExp) => screen.findByRole('treeitem', { name });
const textOf = (fileSystem: FileSystem, path: string) => new TextDecoder().decode(fileSystem.read(path));

beforeAll(stubFileSystemWorker);
afterAll(() => vi.unstubAllGlobals());
afterEach(cleanup);

describe('files of a partition', () => {
  it('plan an edited text with its changed lines, and only its sectors', async () => {
    render(<View />);
    fireEvent.click(await row(/^config.json/));
    const editor = await screen.findByRole('textbox', { name: 'Text of /config.json' });
    fireEvent.change(editor, { target: { value: '{\n  "interval_s": 300,\n  "units": "metric"\n}\n' } });
    await row(/^config.json changed/);
    expect(planned?.entries).toEqual(['/config.json changed']);
    expect(planned?.what).toBe('1 changed file');
    expect(screen.getByText('1 line changed')).toBeDefined();
    expect(textOf(written(), '/config.json')).toContain('300');
    expect(textOf(written(), '/log/old.txt')).toBe('old');
    const bytesWritten = planned?.change.writes.reduce((sum, region) => sum + region.bytes.length, 0);
    expect(bytesWritten).toBeLessThanOrEqual(3 * 4_096);
    fireEvent.change(editor, { target: { value: '{\n  "interval_s": 60,\n  "units": "metric"\n}\n' } });
    await waitFor(() => expect(planned).toBeNull());
  });

  it('are uploaded into the selected folder, renamed, deleted and taken back', async () => {
    render(<View />);
    fireEvent.click(await row(/^log/));
    const input = screen.getByLabelText('Files for storage');
    fireEvent.change(input, { target: { files: [new File(['new'], 'new.txt')] } });
    await row(/^new.txt new, 3 B/);
    expect(planned?.entries).toEqual(['+ /log/new.txt 3 B']);
    (await row(/^old.txt/)).focus();
    fireEvent.keyDown(await row(/^old.txt/), { key: 'Delete' });
    await row(/^old.txt deleted/);
    (await row(/^data.bin/)).focus();
    fireEvent.keyDown(await row(/^data.bin/), { key: 'F2' });
    const name = await screen.findByRole('textbox', { name: 'New path of /data.bin' });
    fireEvent.change(name, { target: { value: '/raw.bin' } });
    fireEvent.click(screen.getByRole('button', { name: 'Rename' }));
    await row(/^raw.bin renamed/);
    expect(
      written()
        .list()
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/config.json', '/log', '/log/new.txt', '/raw.bin']);
    fireEvent.click(await row(/^old.txt/));
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await row(/^old.txt 3 B/);
    undoAll();
    await row(/^data.bin 4 B/);
    await waitFor(() => expect(screen.queryByRole('treeitem', { name: /^new.txt/ })).toBeNull());
  });

  it('refuse what does not fit as a whole, with a sentence', async () => {
    render(<View />);
    await row(/^config.json/);
    const files = [new File(['a'], 'a.txt'), new File([new Uint8Array(size - 8_192)], 'large.bin')];
    fireEvent.change(screen.getByLabelText('Files for storage'), { target: { files } });
    expect((await screen.findByRole('alert')).textContent).toContain(
      'no space left for this change. Nothing was changed.',
    );
    expect(planned).toBeNull();
    expect(screen.queryByRole('treeitem', { name: /^a.txt/ })).toBeNull();
  });

  it('keep the planned text when a longer one does not fit, and say it', async () => {
    render(<View />);
    fireEvent.click(await row(/^config.json/));
    const editor = await screen.findByRole('textbox', { name: 'Text of /config.json' });
    fireEvent.change(editor, { target: { value: 'short' } });
    await row(/^config.json changed/);
    fireEvent.change(editor, { target: { value: 'x'.repeat(size) } });
    expect((await screen.findByRole('alert')).textContent).toContain('The plan has the text as it was before.');
    expect(textOf(written(), '/config.json')).toBe('short');
  });

  it('are shown as bytes where they are no text', async () => {
    render(<View />);
    fireEvent.click(await row(/^data.bin/));
    expect((await screen.findByRole('group', { name: 'Bytes of the file' })).textContent).toContain('00 01 02 FF');
  });

  it('cannot be changed while the board is written', async () => {
    render(<View locked />);
    fireEvent.click(await row(/^config.json/));
    const editor = await screen.findByRole('textbox', { name: 'Text of /config.json' });
    expect(editor.hasAttribute('readonly')).toBe(true);
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Delete config.json' })).toBeNull();
  });

  it('start in an erased partition with a format that is planned', async () => {
    const erased = new Uint8Array(size).fill(0xff);
    render(<View contents={erased} />);
    fireEvent.click(await screen.findByRole('button', { name: 'Format as LittleFS' }));
    await screen.findByText('Everything in this partition is removed with the next write.');
    expect(planned?.entries).toEqual(['formatted as LittleFS']);
    const files = [new File(['hello'], 'hello.txt')];
    fireEvent.change(screen.getByLabelText('Files for storage'), { target: { files } });
    await row(/^hello.txt new/);
    expect(textOf(written(erased), '/hello.txt')).toBe('hello');
  });

  it('stay open with the focus after a write, and the next edit is made on what was written', async () => {
    const { rerender } = render(<View />);
    fireEvent.click(await row(/^config.json/));
    const editor = await screen.findByRole('textbox', { name: 'Text of /config.json' });
    editor.focus();
    fireEvent.change(editor, { target: { value: 'first' } });
    await row(/^config.json changed/);
    const after = image.slice();
    for (const { offset, bytes: sector } of planned?.change.writes ?? []) {
      after.set(sector, offset - partition.offset);
    }
    rerender(<View locked />);
    expect(document.activeElement).toBe(editor);
    undoAll();
    rerender(<View contents={after} md5={'f'.repeat(32)} />);
    await row(/^config.json 5 B/);
    expect(document.activeElement).toBe(editor);
    expect(screen.queryByText('1 line changed')).toBeNull();
    fireEvent.change(editor, { target: { value: 'second' } });
    await row(/^config.json changed/);
    expect(planned?.change.basis).toBe('f'.repeat(32));
    expect(textOf(written(after), '/config.json')).toBe('second');
  });

  it('are only shown where the wear levelling of FAT does not pass its check, and can be formatted', async () => {
    const fat = buildImage('fat', size, [{ path: '/config.json', bytes: bytes('{}') }]);
    // The first copy of the state: two copies of a sector each are in front of the configuration.
    fat.fill(0, size - 3 * 4_096, size - 3 * 4_096 + 8);
    render(<View contents={fat} />);
    await row(/^config.json/);
    screen.getByText(/One of both copies of the state of wear levelling is damaged/);
    expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'More about the files in storage' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Format as FAT' }));
    await screen.findByText('Everything in this partition is removed with the next write.');
    expect([written(fat).isReadOnly, written(fat).list()]).toEqual([false, []]);
  });

  it('name a deleted file in the tree and beside it', async () => {
    render(<View />);
    fireEvent.click(await row(/^config.json/));
    fireEvent.click(await screen.findByRole('button', { name: 'Delete config.json' }));
    await row(/^config.json deleted/);
    const pane = screen.getByRole('region', { name: '/config.json' });
    expect(within(pane).getByText('deleted')).toBeDefined();
  });
});
