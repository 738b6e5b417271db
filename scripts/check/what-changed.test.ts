/** Tests what `npm run check` looks at, on planted repositories. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { describe, expect, it } from 'vitest';
import { changedFiles, projectsOf, testsOf } from './what-changed.ts';

async function repository() {
  const folder = await temporaryFolder();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], { cwd: folder.path });
  git('init', '--quiet', '--initial-branch=main');
  const write = (path: string, text: string) => {
    mkdirSync(join(folder.path, dirname(path)), { recursive: true });
    writeFileSync(join(folder.path, path), text);
  };
  const commit = () => {
    git('add', '.');
    git('commit', '--quiet', '-m', 'x');
  };
  return { path: folder.path, git, write, commit, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe('changed files', () => {
  it('are empty in a clone without changes', async () => {
    await using own = await repository();
    own.write('a.ts', '1');
    own.commit();
    expect(changedFiles(own.path)).toEqual([]);
  });

  it('include committed, uncommitted and untracked files of the branch, without those of main', async () => {
    await using own = await repository();
    for (const name of ['branch.ts', 'open.ts', 'gone.ts', 'main.ts']) {
      own.write(name, 'before');
    }
    own.commit();
    own.git('switch', '--quiet', '-c', 'work');
    own.write('branch.ts', 'after');
    own.commit();
    own.git('switch', '--quiet', 'main');
    own.write('main.ts', 'after');
    own.commit();
    own.git('switch', '--quiet', 'work');
    own.write('open.ts', 'after');
    own.write('Größe neu.ts', 'new');
    own.git('rm', '--quiet', 'gone.ts');
    expect(changedFiles(own.path)).toEqual(['Größe neu.ts', 'branch.ts', 'open.ts']);
  });

  it('include only the uncommitted ones in a repository without a main branch', async () => {
    await using own = await repository();
    own.write('a.ts', '1');
    own.commit();
    own.git('branch', '--quiet', '-m', 'trunk');
    own.write('a.ts', '2');
    expect(changedFiles(own.path)).toEqual(['a.ts']);
  });
});

describe('projects of the compiler', () => {
  it.each([
    ['packages/serial/src/lines.ts', ['packages/tsconfig.json', 'packages/tsconfig.node.json']],
    ['packages/serial/src/lines.test.ts', ['packages/tsconfig.node.json']],
    ['packages/flash-button/src/session/run.ts', ['packages/flash-button/tsconfig.json']],
    ['apps/server/src/app.ts', ['apps/server/tsconfig.json']],
    ['apps/web/src/pages/home.tsx', ['apps/web/tsconfig.json']],
    ['apps/web/src/pages/home.test.tsx', ['apps/web/tsconfig.tests.json']],
    ['apps/web/src/worker/a.worker.ts', ['apps/web/tsconfig.worker.json']],
    ['apps/web/vite.config.ts', ['tsconfig.json']],
    ['vitest.config.ts', ['tsconfig.json']],
    ['e2e/tests/home.spec.ts', ['tsconfig.json']],
    ['docs/testing.md', []],
  ])('are chosen for %s', (path, projects) => expect(projectsOf([path])).toEqual(projects));

  it('are all chosen after a change of the compiler’s settings', () => {
    expect(projectsOf(['tsconfig.base.json'])).toHaveLength(9);
  });
});

describe('tests of a change', () => {
  it('are the nearest tests of its workspace first, then tests elsewhere that import it', async () => {
    await using own = await repository();
    own.write(
      'packages/port/package.json',
      '{ "exports": { ".": "./src/index.ts", "./testing/*": "./src/testing/*" } }',
    );
    const imports = (path: string, target: string) => ({ path, text: `import { x } from '${target}';` });
    const sources = [
      { path: 'packages/port/src/line.ts', text: '' },
      imports('packages/port/src/index.ts', './line.ts'),
      imports('packages/port/src/far.test.ts', './index.ts'),
      imports('packages/port/src/line.test.ts', './line.ts'),
      imports('packages/serial/src/entry.test.ts', '@wirebench/port'),
      imports('packages/serial/src/rig.test.ts', '@wirebench/port/testing/rig.ts'),
      imports('packages/port/src/other.test.ts', './other.ts'),
    ];
    expect(testsOf(own.path, ['packages/port/src/line.ts'], sources)).toEqual([
      'packages/port/src/line.test.ts',
      'packages/port/src/far.test.ts',
    ]);
    expect(testsOf(own.path, ['packages/port/src/testing/rig.ts'], sources)).toEqual([
      'packages/serial/src/rig.test.ts',
    ]);
    expect(testsOf(own.path, ['packages/port/src/other.test.ts'], sources)).toEqual([
      'packages/port/src/other.test.ts',
    ]);
  });
});
