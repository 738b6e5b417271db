/** `wirebench send` as a process, on pseudo-terminals of socat. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugged, programFile, utf8, wirebench } from './testing/monitored-port.ts';
import { hasSocat } from './testing/served-board.ts';

describe.runIf(hasSocat)('send', () => {
  it.each([
    ['a text with its line ending', ['help', 'me'], 'help me\n'],
    ['bytes in hex', ['--hex', '55', 'AA', '0d'], '\x55\xaa\r'],
    ['a text with escapes', ['--escapes', '--ending', 'none', 'a\\x00\\tb'], 'a\0\tb'],
  ] as const)('sends %s', async (_what, args, bytes) => {
    const port = await plugged();
    const program = wirebench(['send', port.path, ...args]);
    expect(await program.exited).toBe(0);
    await expect.poll(() => Buffer.concat(port.got).toString('latin1')).toBe(bytes);
  });

  it('sends a file, and waits for an answer', async () => {
    const port = await plugged();
    const program = wirebench(['send', port.path, '--file', programFile, '--until', 'OK']);
    const file = readFileSync(programFile);
    await expect.poll(() => Buffer.concat(port.got).equals(file)).toBe(true);
    port.send(utf8('thanks OK and more'));
    expect(await program.exited).toBe(0);
    expect(program.text()).toBe('thanks OK');
  });

  /** Starts `send` with a standard input that stays open. */
  function fed(input: string, ...args: readonly string[]) {
    const child = spawn(process.execPath, [programFile, 'send', ...args]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const closed = once(child, 'close');
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.stdin.write(input);
    child.stdin.on('error', () => 'the program has ended');
    return { child, code: closed.then(([code]) => code as number), text: () => text };
  }

  it('sends lines of standard input with one line ending each, and ends with the answer while it stays open', async () => {
    const port = await plugged();
    const program = fed('ATI\r\nA', port.path, '--ending', 'cr', '--until', 'OK', '--timeout', '20');
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('ATI\r');
    program.child.stdin.write('T\n');
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('ATI\rAT\r');
    port.send(utf8('v1.2\r\nOK'));
    expect(await program.code).toBe(0);
    expect(program.text()).toBe('v1.2\r\nOK');
  });

  it('ends with 1 when its time is up while standard input stays open', async () => {
    const port = await plugged();
    const program = fed('ATI\n', port.path, '--until', 'OK', '--timeout', '0.5');
    expect(await program.code).toBe(1);
    expect(Buffer.concat(port.got).toString()).toBe('ATI\n');
  });

  it('ends with 0 when the reader of the answer has gone', async () => {
    const port = await plugged();
    const program = fed('ATI\n', port.path, '--until', 'OK', '--timeout', '60');
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('ATI\n');
    program.child.stdout.destroy();
    const sending = setInterval(() => port.send(utf8('line\n')), 20);
    expect(await program.code).toBe(0);
    clearInterval(sending);
  });

  it('ends the last line of standard input, whose bytes need not be text', async () => {
    const port = await plugged();
    const child = spawnSync('bash', [
      '-c',
      `printf 'a\\nb\\xff' | '${process.execPath}' '${programFile}' send '${port.path}'`,
    ]);
    expect(child.status).toBe(0);
    await expect.poll(() => Buffer.concat(port.got).toString('latin1')).toBe('a\nb\xff\n');
  });

  it('ends with 2 for an empty standard input', async () => {
    const port = await plugged();
    const program = wirebench(['send', port.path]);
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain('the input is empty: there is nothing to send.');
  });

  it('ends with 3 when the board is unplugged during the wait', async () => {
    const port = await plugged();
    const program = wirebench(['send', port.path, 'x', '--until', 'OK', '--timeout', '20']);
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('x\n');
    port.unplug();
    expect(await program.exited).toBe(3);
    expect(program.text()).toContain('the port was unplugged.');
  });

  it('sends in pieces', async () => {
    const port = await plugged();
    const program = wirebench(['send', port.path, '--pieces', '4:30', '0123456789']);
    expect(await program.exited).toBe(0);
    await expect.poll(() => Buffer.concat(port.got).toString('latin1')).toBe('0123456789\n');
    expect(port.got.length).toBeGreaterThan(1);
  });

  it.each(['8', '0:10', '8:0', '8:10000000', 'a:b'])('refuses pieces of %s', async (pieces) => {
    const program = wirebench(['send', 'ttyUSB0', '--pieces', pieces, 'x']);
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain(
      `--pieces takes bytes and milliseconds, as in 8:10, up to 4096:10000, and not ${pieces}.`,
    );
  });

  it('ends with 1 without an answer', async () => {
    const port = await plugged();
    const program = wirebench(['send', port.path, 'x', '--until', 'OK', '--timeout', '0.5']);
    expect(await program.exited).toBe(1);
    expect(program.text()).toContain('"OK" did not come within 0.5 s.');
  });

  it('ends with 1 and the text when a text of --fail-on comes', async () => {
    const port = await plugged();
    const program = wirebench(['send', port.path, 'AT', '--until', 'OK', '--fail-on', 'ERROR']);
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('AT\n');
    port.send(utf8('AT\r\nERROR\r\nOK'));
    expect(await program.exited).toBe(1);
    expect(program.text()).toContain('"ERROR" came, which is a text of --fail-on.');
  });

  it('prints what comes for its time without an awaited text, and ends with 0', async () => {
    const port = await plugged();
    const program = wirebench(['send', port.path, 'AT', '--timeout', '2']);
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('AT\n');
    port.send(utf8('hello'));
    expect(await program.exited).toBe(0);
    expect(program.text()).toBe('hello');
  });
});
