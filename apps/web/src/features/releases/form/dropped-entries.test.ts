import { describe, expect, it } from 'vitest';
import { droppedEntries, entriesOfFiles } from './dropped-entries.ts';

type Tree = { readonly [name: string]: Tree | string };

/** Returns an entry like a browser's: callbacks, and a reader that returns two entries at a time. */
function entryOf(name: string, content: Tree | string, parent = ''): FileSystemEntry {
  const fullPath = `${parent}/${name}`;
  const isFile = typeof content === 'string';
  const children = isFile ? [] : Object.entries(content).map(([key, value]) => entryOf(key, value, fullPath));
  const entry = {
    name,
    fullPath,
    isFile,
    isDirectory: !isFile,
    file: (done: (file: File) => void) => done(new File([String(content)], name)),
    createReader: () => ({ readEntries: (done: (some: FileSystemEntry[]) => void) => done(children.splice(0, 2)) }),
  };
  return entry as unknown as FileSystemEntry;
}

function drop(tree: Tree) {
  const items = Object.entries(tree).map(([name, content]) => ({ webkitGetAsEntry: () => entryOf(name, content) }));
  return droppedEntries({ items, files: [] } as unknown as DataTransfer);
}

const paths = async (tree: Tree) => (await drop(tree).entries).map(({ path }) => path).sort();

describe('dropped entries', () => {
  it('include only files that may belong to a build', async () => {
    const build = {
      'flasher_args.json': '{}',
      'app.bin': 'x',
      'app.elf': 'x',
      'app.map': 'x',
      flash_args: 'x',
      bootloader: { 'bootloader.bin': 'x', 'bootloader.elf': 'x' },
      'esp-idf': { main: { 'x.bin': 'x' } },
    };
    expect(drop({ build }).hasFolder).toBe(true);
    expect(await paths({ build })).toEqual([
      'build/app.bin',
      'build/bootloader/bootloader.bin',
      'build/flash_args',
      'build/flasher_args.json',
    ]);
  });

  it('include single files of any kind, so that the page can explain them', async () => {
    expect(drop({ 'a.hex': 'x' }).hasFolder).toBe(false);
    expect(await paths({ 'a.hex': 'x', 'b.bin': 'x' })).toEqual(['a.hex', 'b.bin']);
  });

  it('end before a whole disk is walked through', async () => {
    const deep = (levels: number): Tree => (levels === 0 ? { 'deep.bin': 'x' } : { next: deep(levels - 1) });
    expect(await paths({ top: deep(5) })).toHaveLength(1);
    expect(await paths({ top: deep(6) })).toHaveLength(0);
  });

  it('can be read', async () => {
    const [entry] = await drop({ 'b.bin': 'bytes' }).entries;
    expect(await (await entry?.file())?.text()).toBe('bytes');
  });
});

it('a chosen folder gives its paths', () => {
  const file = new File(['x'], 'app.bin');
  Object.defineProperty(file, 'webkitRelativePath', { value: 'build/app.bin' });
  const log = new File(['x'], 'build.log');
  Object.defineProperty(log, 'webkitRelativePath', { value: 'build/build.log' });
  expect(entriesOfFiles([file, log, new File(['x'], 'a.hex')]).map(({ path }) => path)).toEqual([
    'build/app.bin',
    'a.hex',
  ]);
});
