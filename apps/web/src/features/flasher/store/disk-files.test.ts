import { describe, expect, it } from 'vitest';
import { changedFiles, type DiskFile, newestFiles, noteOrigin, originsOf } from './disk-files.ts';

const notReadable = () => Promise.reject(new DOMException('', 'NotReadableError'));

/** A file on a disk that the browser has given a handle of. */
function diskFile(name: string, text: string, lastModified = 1_000) {
  let now = new File([text], name, { lastModified });
  const file: DiskFile = { name, content: now, reread: () => Promise.resolve(now) };
  const write = (next: string, at: number) => {
    now = new File([next], name, { lastModified: at });
  };
  return { file, write };
}

/** A chosen file that has changed, as a browser without handles has it: its first byte cannot be read. */
function staleFile(name: string, error = notReadable): DiskFile {
  const content = new File(['old'], name);
  content.slice = () => Object.assign(new Blob(), { arrayBuffer: error });
  return { name, content };
}

const newest = (files: readonly DiskFile[], used = files.map(({ name }) => name)) =>
  newestFiles([files], new Set(used), []);

describe('files that a build writes again', () => {
  it('are read by their handles as they are now', async () => {
    const app = diskFile('build/app.bin', 'one');
    expect(await changedFiles([app.file])).toEqual([]);
    app.write('two', 2_000);
    expect(await changedFiles([app.file])).toEqual([{ name: 'build/app.bin', code: 'changed' }]);
    const { batches, faults } = await newest([app.file]);
    expect(faults).toEqual([]);
    expect(await batches[0]?.[0]?.content.text()).toBe('two');
  });

  it('are stale without a handle once their first byte cannot be read', async () => {
    const { faults } = await newest([staleFile('app.bin')]);
    expect(faults).toEqual([{ name: 'app.bin', code: 'changed' }]);
  });

  it.each([
    ['NotFoundError', 'gone'],
    ['NotAllowedError', 'refused'],
    ['NotReadableError', 'busy'],
  ])('with a handle that fails with %s are %s', async (name, code) => {
    const reread = () => Promise.reject(new DOMException('', name));
    const { faults } = await newest([{ name: 'app.bin', content: new File(['x'], 'app.bin'), reread }]);
    expect(faults).toEqual([{ name: 'app.bin', code }]);
  });

  it('are found by the values that a plan has taken from them, each once', () => {
    const [csv, one, other, typed] = [staleFile('settings.csv'), { value: 1 }, { value: 2 }, { value: 3 }];
    noteOrigin(one, [csv]);
    noteOrigin(other, [csv]);
    expect(originsOf([one, other, typed, null])).toEqual([csv]);
  });

  it('are passed over if they are stale and not written', async () => {
    const app = diskFile('app.bin', 'one');
    const { batches, faults } = await newest([app.file, staleFile('notes.bin')], ['app.bin']);
    expect(faults).toEqual([]);
    expect(batches.flat().map(({ name }) => name)).toEqual(['app.bin']);
  });

  it('are stale if an image was made from one that has changed', async () => {
    const page = diskFile('www/index.html', 'one');
    const image = { name: 'storage.bin', content: new Blob(['image']), madeFrom: [page.file] };
    expect((await newest([image])).faults).toEqual([]);
    page.write('two', 2_000);
    expect((await newest([image])).faults).toEqual([{ name: 'www/index.html', code: 'changed' }]);
  });
});

describe('folder of a build that is listed again', () => {
  /** A folder with these files, and how the page has them. */
  function folder(names: readonly string[]) {
    let present = names;
    const relist = async (): Promise<readonly DiskFile[]> =>
      present.map((name) => ({ ...diskFile(name, `new ${name}`, 2_000).file, relist }));
    const given = names.map((name) => ({ ...diskFile(name, name).file, relist }));
    const become = (next: readonly string[]) => {
      present = next;
    };
    return { given, become };
  }

  it('brings the files that its list names only now', async () => {
    const build = folder(['build/flasher_args.json', 'build/app.bin']);
    build.become(['build/flasher_args.json', 'build/app.bin', 'build/storage.bin']);
    const { batches, faults } = await newest(build.given);
    expect(faults).toEqual([]);
    expect(batches.flat().map(({ name }) => name)).toEqual([
      'build/flasher_args.json',
      'build/app.bin',
      'build/storage.bin',
    ]);
    expect(await batches[0]?.[1]?.content.text()).toBe('new build/app.bin');
  });

  it('misses a file that is written and has vanished', async () => {
    const build = folder(['build/boot.bin', 'build/app.bin']);
    build.become(['build/boot.bin']);
    expect((await newest(build.given)).faults).toEqual([{ name: 'build/app.bin', code: 'gone' }]);
  });

  it('does not bring back a file that the user has removed', async () => {
    const build = folder(['build/app.bin', 'build/storage.bin']);
    const [app] = build.given;
    const without = [{ from: 'build/storage.bin', name: 'storage.bin' }];
    const { batches } = await newestFiles([app === undefined ? [] : [app]], new Set(['build/app.bin']), without);
    expect(batches.flat().map(({ name }) => name)).toEqual(['build/app.bin']);
  });
});
