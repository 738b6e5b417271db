/** The built `/publish-release.mjs`: a single file without neighbours, under a Node with the features of Node 20. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { temporaryFolder } from '@wirebench/server/testing/temporary-folder.ts';
import { expect, it } from 'vitest';
import { buildProgram } from '../../../web/node-programs.ts';
import { nodeTwenty } from '../serve/testing/node-twenty.ts';

it('publish-release.mjs needs nothing but Node 20', { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'publish-release.mjs');
  const code = await buildProgram('publish-release.mjs');
  writeFileSync(file, code);
  expect(code).toMatch(/^\/\/ Wirebench[^\n]*\n(?:\/\/[^\n]*\n)*\/\/ zod:/);
  const wanted = [...code.matchAll(/^import [^'"]*["']([^"']+)["']/gm)].map(([, name = '']) => name);
  expect(wanted).toContain('node:util');
  expect(wanted.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))).toEqual([]);

  const run = (...args: string[]) =>
    spawnSync(process.execPath, [...nodeTwenty, file, ...args], {
      encoding: 'utf8',
      env: { WIREBENCH_TOKEN: 'wirebench_secret' },
      cwd: folder.path,
    });
  expect(run('--help').stdout).toContain('Usage: node publish-release.mjs --server');
  const call = ['--server', 'http://127.0.0.1:9', '--project', 'a', '--version', '1'];
  expect(run(...call).stderr).toContain('publish-release: --file is missing');
});
