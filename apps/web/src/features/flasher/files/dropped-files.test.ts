import { describe, expect, it, vi } from 'vitest';
import { droppedFiles, filesOf } from './dropped-files.ts';

type Tree = { readonly [name: string]: Tree | string };

/** Returns an entry as browsers do: a directory gives at most a hundred children at a time. */
function entryOf(name: string, content: Tree | string, parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${name}`;
  if (typeof content === 'string') {
    const file = (resolve: (file: File) => void) => resolve(new File([content], name));
    return { name, fullPath, isFile: true, isDirectory: false, file } as unknown as FileSystemEntry;
  }
  const createReader = () => {
    const children = Object.entries(content).map(([child, inner]) => entryOf(child, inner, fullPath));
    return { readEntries: (resolve: (some: FileSystemEntry[]) => void) => resolve(children.splice(0, 100)) };
  };
  return { name, fullPath, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry;
}

function drop(tree: Tree): DataTransfer {
  const items = Object.entries(tree).map(([name, content]) => ({ webkitGetAsEntry: () => entryOf(name, content) }));
  return { items, files: [] } as unknown as DataTransfer;
}

const namesIn = async (tree: Tree) => (await droppedFiles(drop(tree))).map(({ name }) => name);

describe('dropped files', () => {
  it('are found in the folder of a build, past the thousands of files of its libraries', async () => {
    const objects = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`part-${index}.obj`, 'x']));
    const build = {
      CMakeFiles: { 'one.bin': 'x' },
      bootloader: { 'bootloader.bin': 'x', 'bootloader.map': 'x' },
      'esp-idf': { ...objects, 'lib.bin': 'x' },
      'app.bin': 'x',
      flash_args: 'x',
      'flasher_args.json': '{}',
      objects,
    };
    expect(await namesIn({ build })).toEqual([
      'build/app.bin',
      'build/flash_args',
      'build/flasher_args.json',
      'build/bootloader/bootloader.bin',
    ]);
  });

  it('include a script with the command line of esptool and EEPROM data, but no other text', async () => {
    const build = {
      'app.bin': 'x',
      'flash.sh': 'x',
      'upload_cmd.txt': 'x',
      'notes.txt': 'x',
      'run.sh': 'x',
      'a.eep': 'x',
    };
    expect(await namesIn({ build })).toEqual([
      'build/app.bin',
      'build/flash.sh',
      'build/upload_cmd.txt',
      'build/a.eep',
    ]);
  });

  it('include a single file of any kind, so that the page can explain it', async () => {
    expect(await namesIn({ 'notes.txt': 'Flash me', 'app.elf': 'x' })).toEqual(['notes.txt', 'app.elf']);
  });

  it('are found in a folder that the browser protects, whose handle never comes', async () => {
    vi.useFakeTimers();
    try {
      const transfer = drop({ build: { 'app.bin': 'x' } });
      for (const item of transfer.items) {
        Object.assign(item, { getAsFileSystemHandle: () => new Promise(() => undefined) });
      }
      const files = droppedFiles(transfer);
      await vi.advanceTimersByTimeAsync(5_000);
      expect((await files).map(({ name, reread }) => [name, reread])).toEqual([['build/app.bin', undefined]]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are empty for a folder without firmware', async () => {
    expect(await namesIn({ pictures: { 'cat.jpg': 'x' }, empty: {} })).toEqual([]);
  });

  it('are filtered in the same way for a folder from a dialog', () => {
    const chosen = ['build/app.bin', 'build/esp-idf/lib.bin', 'build/app.map', 'build/flasher_args.json'].map((path) =>
      Object.defineProperty(new File(['x'], path), 'webkitRelativePath', { value: path }),
    );
    expect(filesOf(chosen).map(({ name }) => name)).toEqual(['build/app.bin', 'build/flasher_args.json']);
  });
});
