import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { dataFolder } from '../testing/backup-data.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url));

describe('the commands', () => {
  const run = (command: string, args: readonly string[], cwd: string, environment: Record<string, string>) =>
    spawnSync(process.execPath, [cli, command, ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, INIT_CWD: cwd, ...environment },
    });

  it('say in one line what they did, or what to do', async () => {
    await using folder = await temporaryFolder();
    using data = await dataFolder(join(folder.path, 'data'));
    await data.add('1', 'bytes');
    const made = run('backup', ['a.tar'], folder.path, { DATA_DIR: data.dataDir });
    expect([made.stderr, made.stdout, made.status]).toEqual([
      '',
      expect.stringMatching(/^Backed up: 2 files, \d+\.\d MB, .+\/a\.tar\n$/),
      0,
    ]);
    const refused = run('restore', ['a.tar'], folder.path, { DATA_DIR: data.dataDir });
    expect([refused.stdout, refused.status]).toEqual(['', 1]);
    expect(refused.stderr).toMatch(/^\S+ is not empty: .+\n$/);
    const restored = run('restore', ['a.tar'], folder.path, { DATA_DIR: join(folder.path, 'new') });
    expect([restored.stderr, restored.status]).toEqual(['', 0]);
    const usage = run('backup', [], folder.path, {});
    expect([usage.stderr, usage.status]).toEqual(['Usage: npm run backup -- <file>\n', 1]);
  }, 60_000);
});
