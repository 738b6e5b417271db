/**
 * A run logs in at a genuine getty on a pseudo-terminal, with what it captured, and hears the same bytes as Debian's
 * `expect` does with the same steps. Linux with agetty, script and expect, as root.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@wirebench/clock';
import { defaultPortSettings } from '@wirebench/port';
import { FakeSerialPort } from '@wirebench/port/testing';
import { Bench } from '@wirebench/serial';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainFlow } from './message-flow.ts';
import { newMessage, type PinnedMessage } from './pinned-message.ts';
import { prepareSteps } from './prepare-run.ts';
import { runSteps } from './run-steps.ts';

const programsAreHere = ['agetty', 'script', 'expect'].every(
  (name) => spawnSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' }).status === 0,
);

/** Program that getty starts with the name that was typed. */
const login = '#!/bin/sh\necho "Welcome, user=$2"\nPS1="board> " exec /bin/sh -i\n';

/** A message that is sent after the awaited expression. */
const after = (expression: string, content: string): PinnedMessage => ({
  ...newMessage(content, { content, type: 'ascii' }),
  timeoutMs: 20_000,
  flow: {
    ...plainFlow,
    waitFirst: true,
    insert: true,
    answers: [{ form: 'expression', content: expression, go: { kind: 'next' } }],
  },
});

describe.runIf(programsAreHere && process.getuid?.() === 0)('a run', { timeout: 60_000 }, () => {
  let folder: string;
  let command: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'wirebench-getty-'));
    const program = join(folder, 'login');
    writeFileSync(program, login);
    chmodSync(program, 0o755);
    command = `agetty --noissue --nohints --noclear --login-program ${program} - vt100`;
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Returns all that expect received. */
  function theirs(): string {
    const log = join(folder, 'log');
    const file = join(folder, 'login.exp');
    writeFileSync(
      file,
      `log_user 0
log_file -noappend -a ${log}
set timeout 20
spawn {*}{${command}}
expect -re {(\\S+) login: $}
send "$expect_out(1,string)\\r"
expect -re {user=(\\S+)\\s+board> $}
send "echo got $expect_out(1,string)\\r"
expect -re {\\ngot (\\S+)\\s+board> $}
send "exit\\r"
expect eof
`,
    );
    expect(spawnSync('expect', [file], { encoding: 'utf8', timeout: 50_000 }).stderr).toBe('');
    const { stdout } = spawnSync('cat', [log], { encoding: 'latin1' });
    return stdout.replace(/^spawn .*\r?\n/, '');
  }

  it('hears at a getty what expect hears, and answers with what it captured', async () => {
    const bench = new Bench({ clock: systemClock });
    const device = new FakeSerialPort();
    await bench.connect(1, device, defaultPortSettings);
    const conversation = bench.converse(1);
    // A getty reads the name only as the leader of its session: a shell may start it as a child.
    const child = spawn('script', ['-qfec', `exec ${command}`, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const over = new Promise((resolve) => child.on('close', resolve));
    child.stdout.on('data', (bytes: Uint8Array) => device.receive(new Uint8Array(bytes)));
    device.onWrite = (bytes) => void child.stdin.write(bytes);
    const messages = [
      after('/(\\S+) login: $/', '{1}'),
      after('/user=(?<user>\\S+)\\s+board> $/', 'echo got {user}'),
      after('/\\ngot (\\S+)\\s+board> $/', 'exit'),
    ];
    const prepared = prepareSteps(messages, { all: messages, ending: 'cr' });
    const port = {
      exchange: conversation.exchange.bind(conversation),
      pause: (duration: number) => systemClock.sleep(duration),
    };
    const events = { begun: () => undefined, result: () => undefined };
    const steps = prepared.ok ? prepared.steps : expect.unreachable(prepared.reason);
    const end = await runSteps(steps, port, new AbortController().signal, events);
    expect(end).toEqual({ kind: 'done', sent: 3, answered: 3, files: 0 });
    await over;
    const { entries } = conversation.end();
    const heard = entries.map((entry) =>
      entry.kind === 'received' ? Buffer.from(entry.bytes).toString('latin1') : '',
    );
    expect(heard.join('')).toContain('got ');
    expect(heard.join('')).toBe(theirs());
    await bench.dispose();
  });
});
