/** The program with the operators' commands, started the way a checkout and the image start it. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from './testing/child-environment.ts';
import { type TemporaryFolder, temporaryFolder } from './testing/temporary-folder.ts';

const cli = fileURLToPath(new URL('./cli.ts', import.meta.url));
const image = { WIREBENCH_PROGRAM: 'wirebench' };

function run({ path }: TemporaryFolder, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [cli, ...args], {
    cwd: path,
    encoding: 'utf8',
    env: { ...childEnvironment(), DATA_DIR: `${path}/data`, ...environment },
  });
  return { output: stdout, errors: stderr, status };
}

describe('the commands of operators', () => {
  it('are listed on request, each as people type it', async () => {
    await using folder = await temporaryFolder();
    const inCheckout = run(folder, ['--help']);
    expect([inCheckout.errors, inCheckout.status]).toEqual(['', 0]);
    expect(inCheckout.output.match(/^npm run \w+/gm)).toEqual([
      'npm run accounts',
      'npm run backup',
      'npm run restore',
      'npm run verify',
    ]);
    const inImage = run(folder, ['help'], image);
    expect([inImage.errors, inImage.status]).toEqual(['', 0]);
    expect(inImage.output).toContain('Usage: wirebench <command>');
    expect(inImage.output).toContain('\nwirebench restore ');
    expect(inImage.output).not.toContain('npm');
  }, 60_000);

  it('are listed as an error when none or an unknown one is named', async () => {
    await using folder = await temporaryFolder();
    const none = run(folder, []);
    expect([none.output, none.status]).toEqual(['', 1]);
    expect(none.errors).toMatch(/^Usage: /);
    // `toString` is a property of every object.
    for (const name of ['migrate', '--version', 'toString']) {
      const { output, errors, status } = run(folder, [name], image);
      expect([output, status]).toEqual(['', 1]);
      expect(errors).toContain(`There is no command ${name}.\n\nUsage: wirebench <command>\n`);
    }
    expect(readdirSync(folder.path)).toEqual([]);
  }, 60_000);

  it.each([
    [['backup'], {}, 'npm run backup -- <file>'],
    [['backup', 'a.tar', 'b.tar'], image, 'wirebench backup <file>'],
    [['backup', '--out'], {}, 'npm run backup -- <file>'],
    [['restore', '--force'], image, 'wirebench restore <file>'],
    [['verify', '--fix'], {}, 'npm run verify -- [--repair]'],
    [['verify', '--repair', 'all'], image, 'wirebench verify [--repair]'],
  ])(
    'refuse arguments that they do not take and write nothing: %j',
    async (args, environment, usage) => {
      await using folder = await temporaryFolder();
      expect(run(folder, args, environment)).toEqual({ output: '', errors: `Usage: ${usage}\n`, status: 1 });
      expect(readdirSync(folder.path)).toEqual([]);
    },
    60_000,
  );

  it.each(['accounts', 'backup', 'restore', 'verify'])(
    'say on request how %s is used',
    async (name) => {
      await using folder = await temporaryFolder();
      const { output, errors, status } = run(folder, [name, '--help'], image);
      expect([errors, status]).toEqual(['', 0]);
      expect(output).toMatch(new RegExp(`^Usage: wirebench ${name} `));
      expect(readdirSync(folder.path)).toEqual([]);
    },
    60_000,
  );
});
