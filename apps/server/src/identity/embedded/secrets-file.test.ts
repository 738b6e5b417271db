import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { loadIdentitySecrets, publicKeys } from './secrets-file.ts';

describe('secrets of the embedded provider', () => {
  it('are created once, readable by their owner only, without a leftover draft', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'identity-keys.json');
    const first = await loadIdentitySecrets(path);
    expect(await loadIdentitySecrets(path)).toEqual(first);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['identity-keys.json']);
  });

  it('are the same for all processes that start at the same moment', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'identity-keys.json');
    const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => loadIdentitySecrets(path)));
    for (const other of others) {
      expect(other).toEqual(first);
    }
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(first);
  });

  it('do not reveal the private part of a key', async () => {
    await using folder = await temporaryFolder();
    const { keys } = publicKeys(await loadIdentitySecrets(join(folder.path, 'identity-keys.json')));
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  });

  it('never overwrite a damaged file', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'identity-keys.json');
    for (const damaged of ['{"signingKeys":[]}', '{"signingKeys":[{"d":"secret']) {
      await writeFile(path, damaged);
      await expect(loadIdentitySecrets(path)).rejects.toThrow(/^it does not contain the expected keys$/);
      expect(await readFile(path, 'utf8')).toBe(damaged);
    }
  });
});
