/** `wirebench send` as a process, on pseudo-terminals of socat. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

  it('sends nothing of hex with an odd number of digits', async () => {
    const port = await plugged();
    const program = wirebench(['send', port.path, '--hex', '01 F']);
    expect(await program.exited).toBe(2);
    expect(program.text()).toBe('wirebench: Hex string must have even number of characters\n');
    expect(port.got).toEqual([]);
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
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errors += chunk;
    });
    child.stdin.write(input);
    child.stdin.on('error', () => 'the program has ended');
    return { child, code: closed.then(([code]) => code as number), text: () => text, errors: () => errors };
  }

  it('sends lines of standard input with one line ending each, and ends after an answer while it stays open', async () => {
    const port = await plugged();
    const program = fed('ATI\r\nA', port.path, '--ending', 'cr', '--until', 'OK', '--timeout', '2');
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('ATI\r');
    program.child.stdin.write('T\n');
    port.send(utf8('v1.2\r\nOK'));
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('ATI\rAT\r');
    port.send(utf8('\r\nOK'));
    expect(await program.code).toBe(0);
    expect(program.text()).toBe('v1.2\r\nOK\r\nOK');
    expect(program.errors()).toBe('wirebench: standard input is still open, and nothing more came within 2 s.\n');
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

  describe('lines with --until', { timeout: 30_000 }, () => {
    /** Answers the lines that a board receives, each in its turn. An empty text is no answer. */
    function answering(port: Awaited<ReturnType<typeof plugged>>, ...answers: readonly string[]) {
      const lines: string[] = [];
      let open = '';
      port.onBytes = (bytes) => {
        const parts = (open + bytes.toString('latin1')).split('\n');
        open = parts.pop() ?? '';
        for (const part of parts) {
          lines.push(part);
          port.send(utf8(answers[lines.length - 1] ?? ''));
        }
      };
      return lines;
    }

    const until = ['--until', 'OK', '--fail-on', 'ERROR', '--timeout', '3'];

    it('wait for their answers each, and one that fails ends with 1', async () => {
      const port = await plugged();
      const lines = answering(port, 'one\r\nOK 1\r\n', 'ERROR\r\n');
      const program = fed('one\ntwo\n', port.path, ...until);
      program.child.stdin.end();
      expect(await program.code).toBe(1);
      expect(lines).toEqual(['one', 'two']);
      expect(program.text()).toBe('one\r\nOK 1\r\nERROR');
      expect(program.errors()).toBe('wirebench: "ERROR" came, which is a text of --fail-on. It came after line 2.\n');
    });

    it('go when the line before is answered, and not sooner', async () => {
      const port = await plugged();
      const program = fed('one\r\n\nthree', port.path, ...until);
      program.child.stdin.end();
      const got = () => Buffer.concat(port.got).toString();
      for (const sent of ['one\n', 'one\n\n', 'one\n\nthree\n']) {
        await expect.poll(got).toBe(sent);
        await new Promise((resolve) => setTimeout(resolve, 200));
        expect(got()).toBe(sent);
        port.send(utf8('OK\r\n'));
      }
      expect(await program.code).toBe(0);
      expect(program.text()).toBe('OK\r\nOK\r\nOK');
    });

    it('are all sent from a slow pipe', async () => {
      const port = await plugged();
      const lines = answering(port, 'OK\n', 'OK\n');
      const program = fed('one\n', port.path, ...until);
      await expect.poll(() => lines).toEqual(['one']);
      await new Promise((resolve) => setTimeout(resolve, 700));
      program.child.stdin.end('two\n');
      expect(await program.code).toBe(0);
      expect(lines).toEqual(['one', 'two']);
      expect(program.errors()).toBe('');
    });

    it('end with 1 at the first one without an answer, which is named', async () => {
      const port = await plugged();
      const lines = answering(port, 'OK\n');
      const program = fed('one\n\nthree\n', port.path, '--until', 'OK', '--timeout', '0.5');
      program.child.stdin.end();
      expect(await program.code).toBe(1);
      expect(lines).toEqual(['one', '']);
      expect(program.errors()).toBe(
        'wirebench: "OK" did not come within 0.5 s. There is no answer to line 2, which is empty. What follows in the input was not sent.\n',
      );
    });

    it('fail by a text behind an answer while others wait, also in the same piece', async () => {
      const port = await plugged();
      const lines = answering(port, 'OK\nERROR\n');
      const program = fed('one\ntwo\n', port.path, ...until);
      program.child.stdin.end();
      expect(await program.code).toBe(1);
      expect(lines).toEqual(['one']);
      expect(program.errors()).toContain('What follows in the input was not sent.');
    });

    it('are not answered by what the board has sent before', async () => {
      const port = await plugged();
      const program = fed('', port.path, '--until', 'OK', '--fail-on', 'ERROR', '--timeout', '1.5');
      const printing = setInterval(() => port.send(utf8('.')), 20);
      await expect.poll(program.text).toContain('.');
      clearInterval(printing);
      port.send(utf8('OK from before, ERROR too\n'));
      await expect.poll(program.text).toContain('ERROR too\n');
      program.child.stdin.end('one\n');
      expect(await program.code).toBe(1);
      expect(Buffer.concat(port.got).toString()).toBe('one\n');
      expect(program.errors()).toBe('wirebench: "OK" did not come within 1.5 s.\n');
    });

    it('count bytes in hex, and those without a line end are said and not sent', async () => {
      const port = await plugged();
      const program = fed('4f 0a\n4b', port.path, '--hex', '--until', 'OK', '--timeout', '0.7');
      await expect.poll(() => Buffer.concat(port.got).toString()).toBe('O\n');
      port.send(utf8('OK'));
      expect(await program.code).toBe(1);
      expect(program.errors()).toBe(
        'wirebench: the last 2 bytes of standard input have no line end within 0.7 s: they were not sent.\n',
      );
      expect(Buffer.concat(port.got).toString()).toBe('O\n');
    });

    it('end with 1 when nothing comes on standard input', async () => {
      const port = await plugged();
      const program = fed('', port.path, '--until', 'OK', '--timeout', '0.5');
      expect(await program.code).toBe(1);
      expect(program.errors()).toBe('wirebench: nothing came on standard input within 0.5 s: nothing was sent.\n');
    });

    it('end with 130 at Ctrl+C during a wait', async () => {
      const port = await plugged();
      const program = fed('one\ntwo\n', port.path, '--until', 'OK', '--timeout', '60');
      await expect.poll(() => Buffer.concat(port.got).toString()).toBe('one\n');
      program.child.kill('SIGINT');
      expect(await program.code).toBe(130);
    });

    it('are those of a file as well', async () => {
      const port = await plugged();
      const lines = answering(port, 'OK\n', 'OK\n', 'ERROR\n');
      const file = join(port.folder, 'commands.txt');
      writeFileSync(file, 'one\ntwo\nthree\nfour\n');
      const words = [process.execPath, programFile, 'send', port.path, ...until].map((word) => `'${word}'`);
      const child = spawn('bash', ['-c', `${words.join(' ')} < '${file}'`]);
      const [code] = await once(child, 'close');
      expect(code).toBe(1);
      expect(lines).toEqual(['one', 'two', 'three']);
    });
  });

  it('sends all of a file although an answer comes in between, which is not that to its last line', async () => {
    const port = await plugged();
    const file = join(port.folder, 'script.txt');
    writeFileSync(file, `${'command\n'.repeat(40)}last\n`);
    const program = wirebench([
      'send',
      port.path,
      '--file',
      file,
      '--pieces',
      '8:20',
      '--until',
      'OK',
      '--timeout',
      '1',
    ]);
    const got = () => Buffer.concat(port.got).toString();
    await expect.poll(got).toContain('command\n');
    port.send(utf8('OK\n'));
    expect(await program.exited).toBe(1);
    expect(got()).toBe(readFileSync(file, 'utf8'));
  });

  it('sends all pieces of standard input as they are, and waits for the answer to the last', async () => {
    const port = await plugged();
    const program = fed('one\n', port.path, '-', '--until', 'OK', '--timeout', '3');
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('one\n');
    port.send(utf8('OK 1\n'));
    await expect.poll(program.text).toBe('OK 1\n');
    program.child.stdin.write('two\n');
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('one\ntwo\n');
    program.child.stdin.end();
    await new Promise((resolve) => setTimeout(resolve, 200));
    port.send(utf8('OK 2\n'));
    expect(await program.code).toBe(0);
    expect(program.text()).toBe('OK 1\nOK');
  });
});
