/** The password prompt at a real terminal, which `socat` provides. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { childEnvironment } from '../testing/child-environment.ts';

const script = fileURLToPath(new URL('../cli.ts', import.meta.url));
const hasSocat = spawnSync('socat', ['-V']).status === 0;
const dataDir = mkdtempSync(join(tmpdir(), 'wirebench-accounts-'));

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

/** Types each line after its prompt has appeared. */
async function typeInto(args: string, lines: readonly (readonly [prompt: string, line: string])[]) {
  // Not as the first process of a session (`setsid`): its end discards terminal output that has not been read yet.
  const child = spawn('socat', ['STDIO', `EXEC:${process.execPath} ${script} accounts ${args},pty,stderr`], {
    env: { ...childEnvironment(), DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
  });
  const gone = once(child, 'close');
  try {
    for (const [prompt, line] of lines) {
      await expect.poll(() => screen, { timeout: 20_000 }).toContain(prompt);
      child.stdin.write(line);
    }
    await gone;
  } finally {
    child.kill('SIGKILL');
  }
  return screen;
}

const password = 'correct horse battery';

describe.runIf(hasSocat)('a password that is typed at a terminal', () => {
  it('is asked for twice and never shown', async () => {
    const screen = await typeInto('add me --admin', [
      ['Password for me: ', 'correct house\x7f\x7f\x7frse battery\r'],
      ['Repeat the password: ', `${password}\r`],
    ]);
    expect(screen).toContain('me may sign in and is an administrator.');
    expect(screen).not.toMatch(/correct|horse|house|battery/);
  });

  it('is not changed when the repetition differs or the user presses Ctrl+C', async () => {
    const differs = await typeInto('passwd me', [
      ['Password for me: ', `${password}\r`],
      ['Repeat the password: ', `${password}s\r`],
    ]);
    expect(differs).toContain('The two passwords differ: nothing was changed.');
    const cancelled = await typeInto('passwd me', [['Password for me: ', 'correct\x03']]);
    expect(cancelled).toContain('Nothing was changed.');
    expect(differs + cancelled).not.toContain('correct');
  });
});
