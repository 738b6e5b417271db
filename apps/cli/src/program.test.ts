/** The program as a whole, and what is made from the table of commands. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { portVariables } from './chosen-ports.ts';
import { paintFor } from './colours.ts';
import { commands } from './commands/commands.ts';
import { KeyReader } from './monitor/keys.ts';
import { programFile, wirebench } from './testing/monitored-port.ts';

async function outputOf(...args: string[]): Promise<string> {
  const program = wirebench(args);
  expect(await program.exited).toBe(0);
  return program.text();
}

describe('program', () => {
  it('lists its commands and exit codes', async () => {
    const help = await outputOf('--help');
    for (const { name, summary } of commands) {
      expect(help).toMatch(new RegExp(`^ {2}${name} +${summary}$`, 'm'));
    }
    for (const line of ['129  its terminal was closed', '130  interrupted with Ctrl+C', '143  ended by SIGTERM']) {
      expect(help).toContain(line);
    }
  });

  it.each(commands.map(({ name }) => name))('has help with examples for %s', async (name) => {
    const help = await outputOf('help', name);
    expect(help).toContain(`Examples:\n`);
    for (const option of commands.find((command) => command.name === name)?.options ?? []) {
      expect(help).toContain(option.flags);
    }
  });

  it('suggests the command that was meant', async () => {
    const program = wirebench(['moniter']);
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain('Did you mean monitor?');
  });

  it('says which Node it needs, under the Node 18 of Debian 12', () => {
    const older = "data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '18.20.4' })";
    const { status, stderr } = spawnSync(process.execPath, ['--import', older, programFile, 'ports'], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      2,
      'wirebench: it needs Node 20 or newer, and this is 18.20.4. nodejs.org has newer ones for each system.\n',
    ]);
  });

  it('lists ports as JSON', async () => {
    expect(Array.isArray(JSON.parse(await outputOf('ports', '--json')))).toBe(true);
  });

  it.each([['nosuch', '--help'], ['nosuch', '-h'], ['help', 'nosuch'], ['nosuch']])(
    'refuses an unknown command: %s %s',
    async (...args) => {
      const program = wirebench(args);
      expect(await program.exited).toBe(2);
      expect(program.text()).toBe("error: unknown command 'nosuch'\n");
    },
  );
});

describe('completion', () => {
  /** Completes a line as bash does. */
  function completed(script: string, ...words: string[]): readonly string[] {
    const line = `${script}\nCOMP_WORDS=(wirebench ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_wirebench; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['-c', line], { encoding: 'utf8' }).stdout.trim().split('\n');
  }

  it.runIf(spawnSync('bash', ['-c', 'true']).status === 0)('completes in bash', async () => {
    const script = await outputOf('completion', 'bash');
    expect(completed(script, 'mon')).toEqual(['monitor']);
    expect(completed(script, 'monitor', '--b')).toEqual(['--baud']);
    expect(completed(script, 'monitor', '--parity', 's')).toEqual(['space']);
    expect(completed(script, 'monitor', '-p', 'e')).toEqual(['even']);
    expect(completed(script, 'completion', 'z')).toEqual(['zsh']);
    // A port may be left out: a file is completed in its place, and behind it.
    expect(completed(script, 'flash', 'package.j')).toEqual(['package.json']);
    expect(completed(script, 'nvs', 'exp')).toEqual(['export']);
    expect(completed(script, 'flash', '--newe')).toEqual(['--newest']);
  });

  it.each(['zsh', 'fish'])('is accepted by %s', async (shell) => {
    const script = await outputOf('completion', shell);
    for (const { name } of commands) {
      expect(script).toContain(name);
    }
    const { status, error } = spawnSync(shell, ['-n'], { input: script });
    // Without the shell, only the names are checked.
    expect(error === undefined ? status : 0).toBe(0);
  });

  it('refuses an unknown shell', async () => {
    const program = wirebench(['completion', 'cmd']);
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain('choose bash, zsh or fish');
  });
});

describe('manual page', () => {
  it.runIf(spawnSync('groff', ['--version']).status === 0)('is set without a warning', async () => {
    const page = await outputOf('man');
    const set = spawnSync('groff', ['-man', '-ww', '-Tutf8', '-P-cbou'], { input: page, encoding: 'utf8' });
    expect(set.stderr).toBe('');
    expect(set.stdout).toContain('wirebench monitor [port...]');
    expect(set.stdout).toContain('--until <text>');
    for (const variable of portVariables) {
      expect(set.stdout).toContain(variable);
    }
  });
});

describe('colours', () => {
  it.each([
    ['of a terminal', {}, true, true],
    ['of a pipe', {}, false, false],
    ['of a terminal with NO_COLOR', { NO_COLOR: '1' }, true, false],
    ['of a terminal with an empty NO_COLOR', { NO_COLOR: '' }, true, true],
    ['of a pipe with FORCE_COLOR', { FORCE_COLOR: '1' }, false, true],
    ['of a terminal with FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
    ['of a dumb terminal', { TERM: 'dumb' }, true, false],
  ])('%s follow the environment', (_what, environment, isTTY, isColoured) => {
    expect(paintFor({ isTTY }, environment)('red', 'x')).toBe(isColoured ? '\x1b[31mx\x1b[0m' : 'x');
  });
});

describe('keys', () => {
  it('are split at the prefix wherever a read ends', () => {
    const input = Buffer.from('ab\x14qcd\x14\x14e\x14zf');
    for (let cut = 0; cut <= input.length; cut++) {
      const events: string[] = [];
      let typed = '';
      const reader = new KeyReader({
        type: (keys) => {
          typed += Buffer.from(keys).toString();
        },
        choose: (key) => events.push(key),
        unknown: () => events.push('unknown'),
      });
      reader.take(input.subarray(0, cut));
      reader.take(input.subarray(cut));
      expect(typed).toBe('abcd\x14ef');
      expect(events).toEqual(['q', 'unknown']);
    }
  });
});
