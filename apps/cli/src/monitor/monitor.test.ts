/** `wirebench monitor` as a process, on pseudo-terminals of socat. Its lines are in `line-view.test.ts`. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recogniseLog } from '@wirebench/serial/opened-log';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canCall, socatCall } from '../../../../packages/devices/src/testing/pseudo-terminal.ts';
import { NativeSerial } from '../../../../packages/node-port/src/native-serial.ts';
import { plugged, programFile, ran, utf8, wirebench } from '../testing/monitored-port.ts';

const hasSocat = canCall(socatCall);
describe.runIf(hasSocat)('monitor', () => {
  it('ends with 0 when the awaited text comes, however it is cut', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--until', 'tests: PASS\\n']);
    await program.until(/connected/);
    port.send(utf8('boot\ntests: P'));
    await program.until(/tests: P/);
    port.send(utf8('ASS\n'));
    expect(await program.exited).toBe(0);
    expect(program.text()).toContain('boot\ntests: PASS\n');
  });

  it('ends with 1 when the awaited text does not come', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--until', 'PASS', '--timeout', '1']);
    expect(await program.exited).toBe(1);
    expect(program.text()).toContain('"PASS" did not come within 1 s.');
  });

  it('takes brackets in an awaited text as they are', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--until', '[ATSS]:ATS', '--timeout', '7200']);
    await program.until(/connected/);
    port.send(utf8('A TS S : ATS\n'));
    await program.until(/ATS\n/);
    port.send(utf8('[ATSS]:ATS'));
    expect(await program.exited).toBe(0);
  });

  it('takes an awaited text between slashes as an expression, and lets a silence end it', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--until', '/boot in \\d+ ms$/i', '--fail-on', 'never']);
    await program.until(/connected/);
    port.send(utf8('Boot in 4'));
    await program.until(/in 4/);
    port.send(utf8('12 ms'));
    expect(await program.exited).toBe(0);
    expect(program.text()).toContain('Boot in 412 ms');
  });

  it('ends with 1 and the text when a text of --fail-on comes before the awaited one', async () => {
    const port = await plugged();
    const program = wirebench([
      'monitor',
      port.path,
      '--until',
      'PASS',
      '--fail-on',
      'x',
      '--fail-on',
      '/E \\(\\d+\\)/',
    ]);
    await program.until(/connected/);
    port.send(utf8('I (1) app: up\nE (23) app: no card\nPASS\n'));
    expect(await program.exited).toBe(1);
    expect(program.text()).toContain('/E \\(\\d+\\)/ came, which is a text of --fail-on.');
  });

  it('ends with 0 after its time without an awaited text', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--fail-on', 'panic', '--timeout', '0.3']);
    expect(await program.exited).toBe(0);
  });

  it('writes a log that the page opens, with its ports and notices', async () => {
    const port = await plugged();
    const file = join(port.folder, 'run.txt');
    const program = wirebench(['monitor', port.path, '--log', file, '--until', 'done']);
    await program.until(/connected/);
    port.send(utf8('first\r\n\x1b[31msecond\x1b[0m\ndone'));
    expect(await program.exited).toBe(0);
    const log = readFileSync(file);
    expect(
      log
        .toString()
        .replaceAll(/^[-\d]+ [:.\d]+ {2}/gm, '')
        .split('\n'),
    ).toEqual([
      'port  SUCCESS  Port 1 connected (115200 8N1)',
      'port  RX  first',
      'port  RX  second',
      'port  RX  done',
      'port  INFO  Port 1 disconnected',
      '',
    ]);
    expect(recogniseLog(log).program).toBe('wirebench');
  });

  it.runIf(process.platform === 'linux')(
    'goes on without its log when the disk is full, and says it once',
    async () => {
      const port = await plugged();
      const program = wirebench(['monitor', port.path, '--log', '/dev/full', '--until', 'done']);
      await program.until(/The log ends here: ENOSPC: no space left on device, write. The ports stay open./);
      port.send(utf8('still here, done'));
      expect(await program.exited).toBe(0);
      expect(program.text()).toContain('still here, done');
      expect(program.text().split('The log ends here')).toHaveLength(2);
    },
  );

  it('logs a line at the time of its first byte, appends to the file, and writes none of its own colours', async () => {
    const port = await plugged();
    const file = join(port.folder, 'run.txt');
    writeFileSync(file, 'before\n');
    const args = ['monitor', port.path, '--time', '--log', file, '--until', 'card\\n'];
    const program = wirebench(args, { FORCE_COLOR: '1', NO_COLOR: '' });
    await program.until(/connected/);
    port.send(utf8('E (1) app: '));
    await program.until(/app: /);
    const after = Date.now();
    port.send(utf8('no card\n'));
    expect(await program.exited).toBe(0);
    const [first, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
    expect(first).toBe('before');
    const logged = lines.find((line) => line.includes('no card')) ?? '';
    expect(logged).toMatch(/^[-\d]+ [:.\d]+ {2}port {2}RX {2}E \(1\) app: no card$/);
    expect(new Date(logged.slice(0, 23)).getTime()).toBeLessThanOrEqual(after);
    expect(lines.join('')).not.toContain('\x1b');
  });

  it('refuses a log that cannot be opened before it opens the port', async () => {
    const program = wirebench(['monitor', '/dev/no-such-port', '--log', '/no/such/folder/run.txt']);
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain('the log cannot be opened: ENOENT');
  });

  it('ends with 0 when its reader has gone', async () => {
    const port = await plugged();
    const child = spawn(process.execPath, [programFile, 'monitor', port.path]);
    const exited = once(child, 'exit');
    await once(child.stderr, 'data');
    child.stdout.destroy();
    const sending = setInterval(() => port.send(utf8('line\n')), 20);
    const [code] = await exited;
    clearInterval(sending);
    expect(code).toBe(0);
  });

  it('leaves a pipe to head quietly, notices included', async () => {
    const port = await plugged();
    const command = `'${process.execPath}' '${programFile}' monitor '${port.path}' --time 2>&1 | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', command]);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    const exited = once(child, 'close');
    const sending = setInterval(() => port.send(utf8('line\n')), 20);
    await exited;
    clearInterval(sending);
    expect(text).toMatch(/port connected \(115200 8N1\)\n0\n$/);
  });

  it('closes the port at Ctrl+C, ends with 130, and leaves the port to the next program', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path]);
    await program.until(/connected/);
    const busy = wirebench(['monitor', port.path]);
    expect(await busy.exited).toBe(3);
    expect(busy.text()).toContain('the board could not be opened. Close other programs and tabs that use it');
    expect(busy.text()).toMatch(/could not be opened\. \S+ \(process \d+\) has it open\./);
    program.interrupt();
    expect(await program.exited).toBe(130);
    const [next] = await new NativeSerial({ names: [port.path], list: async () => [] }).getPorts();
    await next?.open({ baudRate: 9_600 });
    await next?.close();
  });

  it('refuses a port that is named twice, also by two of its names', async () => {
    const port = await plugged();
    const link = join(port.folder, 'other');
    symlinkSync(port.path, link);
    expect(await ran('monitor', port.path, port.path)).toMatchObject({
      code: 2,
      text: `wirebench: ${port.path} is named twice: name each port once.\n`,
    });
    expect(await ran('monitor', port.path, link)).toMatchObject({
      code: 2,
      text: `wirebench: ${port.path} and ${link} are one port: name each port once.\n`,
    });
  });

  it('opens a port again that was unplugged', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path]);
    await program.until(/connected/);
    port.send(utf8('before\n'));
    await program.until(/before/);
    port.unplug();
    await program.until(/Device disconnected from port/);
    await port.plug();
    await program.until(/connected again/);
    port.send(utf8('after\n'));
    await program.until(/after/);
  });

  it('ends with 3 at an unplug with --no-reconnect', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--no-reconnect', '--until', 'x', '--timeout', '60']);
    await program.until(/connected/);
    port.unplug();
    expect(await program.exited).toBe(3);
  });

  it('survives an unplug in the middle of a flood, and prints what comes afterwards', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path, '--time', '--until', '/after \\d+\\n/', '--timeout', '60']);
    await program.until(/connected/);
    for (let round = 1; round <= 2; round++) {
      port.send(utf8('flood of text\n'.repeat(20_000)));
      await program.until(new RegExp(`(connected[\\s\\S]*flood[\\s\\S]*){${round}}`));
      port.unplug();
      await program.until(new RegExp(`(Device disconnected[\\s\\S]*){${round}}`));
      await port.plug();
      await program.until(new RegExp(`(connected again[\\s\\S]*){${round}}`));
    }
    port.send(utf8('after 2\n'));
    expect(await program.exited).toBe(0);
  });

  it('waits for a port that is not there yet', async () => {
    const port = await plugged();
    port.unplug();
    const program = wirebench(['monitor', port.path, '--wait', '--until', 'hello']);
    await program.until(/Waiting for/);
    await port.plug();
    await program.until(/connected/);
    port.send(utf8('hello'));
    expect(await program.exited).toBe(0);
  });

  it('notices a wrong rate as the page does', async () => {
    const port = await plugged();
    const program = wirebench(['monitor', port.path]);
    await program.until(/connected/);
    port.send(Uint8Array.from({ length: 400 }, (_, at) => 0x80 + ((at * 37) % 128)));
    await program.until(/% of this is readable\. The baud rate is probably wrong\./);
  });

  /** Starts the program on a terminal of its own. */
  async function onTerminal(path: string, ...args: readonly string[]) {
    // Not as the first process of a session (`setsid`): its end discards terminal output that has not been read yet.
    const command = `EXEC:${[process.execPath, programFile, 'monitor', path, ...args].join(' ')},pty,stderr,raw,echo=0`;
    const child = spawn('socat', ['STDIO', command]);
    onTestFinished(() => void child.kill());
    const exited = once(child, 'close');
    let text = '';
    child.stdout.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
    });
    await expect.poll(() => text).toContain('Ctrl+T q quits');
    return { type: (keys: string) => child.stdin.write(keys), text: () => text, exited };
  }

  it('sends keys to the board on a terminal, Ctrl+C too, and quits by its menu', async () => {
    const port = await plugged();
    const program = await onTerminal(port.path);
    program.type('ls\r\x03\x14\x14');
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('ls\r\x03\x14');
    program.type('\x14s');
    await expect.poll(program.text).toContain('0 bytes received, 5 bytes sent');
    program.type('\x14q');
    await program.exited;
    expect(program.text()).toContain('port disconnected');
  });

  it('lets a board colour a terminal and no more, and ends what it has left on', async () => {
    const port = await plugged();
    const program = await onTerminal(port.path, '--enter', 'crlf');
    program.type('a\r');
    await expect.poll(() => Buffer.concat(port.got).toString()).toBe('a\r\n');
    // Without an LF, CR alone ends lines.
    port.send(utf8('one\rtwo\r\n\x1b]0;title\x07\x1b[6n\x1b[?2004h\x1b]52;c;eA==\x1b\\\x1b[?25l\x1b[31mred'));
    await expect.poll(program.text).toContain('red');
    program.type('\x14q');
    await program.exited;
    expect(program.text()).toContain('one\r\ntwo\r\n\x1b[?25l\x1b[31mred');
    expect(program.text()).toContain('\x1b[?25h');
    expect(program.text()).toContain('\x1b[0m');
  });

  it('lets a board do everything to a terminal with --raw', async () => {
    const port = await plugged();
    const program = await onTerminal(port.path, '--raw');
    port.send(utf8('one\rtwo\x1b]0;title\x07\x1b[6n'));
    await expect.poll(program.text).toContain('one\rtwo\x1b]0;title\x07\x1b[6n');
    program.type('\x14q');
    await program.exited;
    expect(program.text()).toContain('\x1b[!p');
  });

  it.each([
    ['a port that is not there', ['monitor', '/dev/no-such-port'], 3, /is not there/],
    ['five ports', ['monitor', 'a', 'b', 'c', 'd', 'e'], 2, /name one to four ports/],
    ['a rate that is none', ['monitor', 'x', '--baud', 'fast'], 2, /--baud takes a whole number/],
    [
      'a kind of time that is none',
      ['monitor', 'x', '--time-format', 'noon'],
      2,
      /--time-format takes clock, elapsed,/,
    ],
    ['a level that is none', ['monitor', 'x', '--level', 'loud'], 2, /--level takes info, warning, error/],
    ['an unknown option', ['monitor', 'x', '--bauds', '9600'], 2, /unknown option '--bauds'/],
    ['an unknown board', ['monitor', '--simulate', 'esp31'], 2, /there is no simulated esp31/],
  ] as const)('refuses %s', async (_what, args, code, text) => {
    const program = wirebench(args);
    expect(await program.exited).toBe(code);
    expect(program.text()).toMatch(text);
  });
});

describe('monitor of a simulated board', () => {
  it('needs no hardware', async () => {
    const program = wirebench(['monitor', '--simulate', 'esp32', '--until', 'factory firmware']);
    expect(await program.exited).toBe(0);
    expect(program.text()).toContain('rst:0x1 (POWERON_RESET)');
  });
});

/** Bytes as boards print them: colours, carriage returns, UTF-8 and bytes that are no text. */
const printed = Buffer.concat([
  ...Array.from({ length: 400 }, (_, line) =>
    Buffer.from(`\x1b[0;3${line % 8}mI (${line * 7}) app: value=${line} temperature 21.5 °C\x1b[0m\r\n`),
  ),
  Buffer.from([0x00, 0x7f, 0x80, 0xff, 0x0d, 0x0d, 0x0a]),
  Buffer.from('end of it'),
]);

/** Runs another terminal program below a terminal of its own, which both need. */
async function outputOf(command: readonly string[], isOpen: RegExp): Promise<Buffer> {
  const port = await plugged();
  const line = command.map((word) => (word === 'PORT' ? port.path : word)).join(' ');
  const child = spawn('socat', ['-d', '-d', 'STDIO', `EXEC:${line},pty,setsid,ctty,raw,echo=0`]);
  const pieces: Buffer[] = [];
  child.stdout.on('data', (bytes: Buffer) => pieces.push(bytes));
  const text = () => Buffer.concat(pieces).toString('latin1');
  await expect.poll(() => text()).toMatch(isOpen);
  const before = text().length;
  port.send(printed);
  await expect.poll(() => text()).toContain('end of it');
  child.kill();
  return Buffer.concat(pieces).subarray(before);
}

describe.runIf(hasSocat)('monitor beside other programs', () => {
  const others = [
    ['tio', ['tio', '--version'], ['tio', '--no-autoconnect', 'PORT'], /Connected/],
    ['picocom', ['picocom', '--help'], ['picocom', '-b', '115200', '--omap', 'crlf', 'PORT'], /Terminal ready\r\n/],
  ] as const;

  const ours = async () => {
    const port = await plugged();
    const child = spawn(process.execPath, [programFile, 'monitor', port.path, '--until', 'end of it']);
    const pieces: Buffer[] = [];
    child.stdout.on('data', (bytes: Buffer) => pieces.push(bytes));
    const exited = once(child, 'close');
    await once(child.stderr, 'data');
    port.send(printed);
    await exited;
    return Buffer.concat(pieces);
  };

  it('prints every byte as it came', async () => {
    expect((await ours()).equals(printed)).toBe(true);
  });

  for (const [name, version, command, isOpen] of others) {
    it.runIf(spawnSync(version[0], version.slice(1)).error === undefined)(
      `prints the bytes that ${name} prints`,
      async () => {
        const theirs = await outputOf(command, isOpen);
        const own = await ours();
        // They end their own words with a line of their own.
        expect(theirs.subarray(theirs.indexOf(own.subarray(0, 16))).equals(own)).toBe(true);
      },
    );
  }
});
