import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { openFileSystem } from '@wirebench/flasher/file-systems';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ChosenFiles, GivenFile } from '../../../../../protocol/flash-protocol.ts';
import { startFlasher } from '../../../store/flasher-store.ts';
import { fakeFlasher } from '../../../testing/fake-flasher.ts';
import { testFamily } from '../../../testing/families.ts';
import { stubFileSystemWorker } from '../../../testing/file-system-worker.ts';
import { FolderImageDialog } from './folder-image-dialog.tsx';

const call = fakeFlasher();
const nothing: ChosenFiles = { files: [], leftOut: [], conflicts: [] };
/** The files that the page has added, one list for each time. */
const added = (): (readonly GivenFile[])[] =>
  call.mock.calls.flatMap(([name, files]) => (name === 'addFiles' ? [files] : []));

beforeAll(() => {
  stubFileSystemWorker();
  startFlasher(testFamily);
  call.mockResolvedValue(nothing);
});
afterAll(() => vi.unstubAllGlobals());
afterEach(() => {
  cleanup();
  call.mockClear();
});

function inFolder(path: string, text: string): File {
  const file = new File([text], path.split('/').at(-1) ?? '');
  Object.defineProperty(file, 'webkitRelativePath', { value: path });
  return file;
}

const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Add to the files' }));

describe('a file system from a folder', () => {
  it.each(['littlefs', 'spiffs', 'fat'])(
    'becomes a file of the size and at the place that were typed: %s',
    async (kind) => {
      const close = vi.fn();
      render(<FolderImageDialog open onClose={close} />);
      const folder = await screen.findByLabelText('Folder for the file system');
      const files = [
        inFolder('data/index.html', 'hello'),
        inFolder('data/img/.DS_Store', 'x'),
        inFolder('data/img/a.txt', 'a'),
      ];
      fireEvent.change(folder, { target: { files } });
      expect(screen.getByText('2 files, 6 B')).toBeDefined();
      fireEvent.change(screen.getByRole('textbox', { name: 'Offset' }), { target: { value: '0x110000' } });
      fireEvent.change(screen.getByRole('textbox', { name: 'Size' }), { target: { value: '0x20000' } });
      fireEvent.change(screen.getByRole('combobox', { name: 'Kind' }), { target: { value: kind } });
      submit();
      await waitFor(() => expect(close).toHaveBeenCalled());
      const [file] = added()[0] ?? [];
      expect([file?.name, file?.offset, file?.content.size]).toEqual([`${kind}.bin`, 0x11_0000, 0x2_0000]);
      const image = openFileSystem(new Uint8Array((await file?.content.arrayBuffer()) ?? new ArrayBuffer()));
      expect([image.kind, new TextDecoder().decode(image.read('/index.html'))]).toEqual([kind, 'hello']);
      expect(image.list().map(({ path }) => path)).toContain('/img/a.txt');
    },
  );

  it('is refused with a sentence without a folder, without a place, and where it is too small', async () => {
    render(<FolderImageDialog open onClose={() => undefined} />);
    const folder = await screen.findByLabelText('Folder for the file system');
    submit();
    expect(await screen.findByText('Choose a folder with the files first.')).toBeDefined();
    fireEvent.change(folder, { target: { files: [inFolder('data/a', 'x'.repeat(9_000))] } });
    submit();
    expect(await screen.findByText(/^Enter addresses such as/)).toBeDefined();
    fireEvent.change(screen.getByRole('textbox', { name: 'Offset' }), { target: { value: '0x110000' } });
    fireEvent.change(screen.getByRole('textbox', { name: 'Size' }), { target: { value: '0x3000' } });
    submit();
    expect(await screen.findByText(/no space left for this change/)).toBeDefined();
    expect(added()).toEqual([]);
  });
});
