import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameFault, TargetFolder } from './target-folder.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wirebench-target-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('names of files from elsewhere', () => {
  it.each(['', '.', '..', 'a/b', 'a\0b', 'a\nb', 'x'.repeat(256), '\ud800'])(
    '%j is refused on every system',
    (name) => {
      expect(nameFault(name, 'linux')).not.toBeNull();
      expect(nameFault(name, 'win32')).not.toBeNull();
    },
  );

  it.each(['a\\b', 'C:', 'a:b', 'NUL', 'con.txt', 'LPT1', 'COM¹', 'a.', 'a ', 'a?', '"', '<'])(
    '%j is refused on Windows',
    (name) => {
      expect(nameFault(name, 'linux')).toBeNull();
      expect(nameFault(name, 'win32')).not.toBeNull();
    },
  );

  it.each(['main.py', '.hidden', 'console.txt', 'Lämpchen', 'a b', '...x'])('%j is usable', (name) => {
    expect(nameFault(name, 'win32')).toBeNull();
  });
});

describe('a target folder', () => {
  it('writes files whole, with the folders above them, and leaves nothing else', async () => {
    const folder = new TargetFolder(join(root, 'whole'));
    await folder.write(['a', 'b', 'c.bin'], 'one');
    await folder.write(['a', 'b', 'c.bin'], 'two');
    expect(readFileSync(folder.pathOf(['a', 'b', 'c.bin']), 'utf8')).toBe('two');
    expect(readdirSync(folder.path, { recursive: true }).map(String).sort()).toEqual(['a', 'a/b', 'a/b/c.bin']);
  });

  it('follows no link, neither of a folder nor of a file', async () => {
    const folder = new TargetFolder(join(root, 'links'));
    const outside = mkdtempSync(join(root, 'outside-'));
    writeFileSync(join(outside, 'c.bin'), 'mine');
    await folder.makeFolder([]);
    symlinkSync(outside, folder.pathOf(['a']));
    symlinkSync(join(outside, 'c.bin'), folder.pathOf(['c.bin']));
    const link = expect.stringContaining('is a link, which is not followed.');
    await expect(folder.write(['a', 'c.bin'], 'theirs')).rejects.toMatchObject({ exitCode: 4, message: link });
    await expect(folder.write(['c.bin'], 'theirs')).rejects.toMatchObject({ exitCode: 4, message: link });
    await expect(folder.hasFile(['a', 'c.bin'])).rejects.toMatchObject({ message: link });
    expect(readFileSync(join(outside, 'c.bin'), 'utf8')).toBe('mine');
    expect(readdirSync(outside)).toEqual(['c.bin']);
  });

  it('replaces no folder by a file, and no file by a folder', async () => {
    const folder = new TargetFolder(join(root, 'kinds'));
    await folder.write(['a'], 'a file');
    await expect(folder.write(['a', 'b'], '')).rejects.toThrow('is in the way.');
    await folder.makeFolder(['c']);
    await expect(folder.write(['c'], '')).rejects.toThrow('is in the way.');
  });
});
