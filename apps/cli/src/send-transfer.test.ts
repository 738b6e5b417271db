/** `wirebench send` with a transfer protocol, to Debian's lrzsz on a pseudo-terminal. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstUnlessLong, randomBytes } from '@wirebench/test-input';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugged, programFile, utf8, wirebench } from './testing/monitored-port.ts';
import { hasSocat } from './testing/served-board.ts';

const hasLrzsz = ['rz', 'rx', 'rb'].every((program) => spawnSync(program, ['--version']).status === 0);

/** Starts a receiver behind a pseudo-terminal, in a folder of its own, when the port is opened. */
async function receiver(command: string) {
  const folder = mkdtempSync(join(tmpdir(), 'wirebench-transfer-'));
  const inbox = join(folder, 'inbox');
  mkdirSync(inbox);
  const path = join(folder, 'port');
  const socat = spawn('socat', [`PTY,raw,echo=0,link=${path},wait-slave`, `EXEC:${command}`], { cwd: inbox });
  const exited = once(socat, 'exit');
  onTestFinished(async () => {
    socat.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  await expect.poll(() => existsSync(path)).toBe(true);
  const saved = (content: Uint8Array) => {
    const file = join(folder, 'image.bin');
    writeFileSync(file, content);
    return file;
  };
  return { path, inbox, saved };
}

describe.runIf(hasSocat && hasLrzsz)('send by a transfer protocol', { timeout: 30_000 }, () => {
  it.each(
    firstUnlessLong([
      ['--zmodem', 'rz --quiet'],
      ['--ymodem', 'rb --quiet'],
      ['--xmodem', 'rx --quiet --with-crc image.bin'],
      ['--xmodem-1k', 'rx --quiet --with-crc image.bin'],
    ] as const),
  )('%s gives a file to lrzsz', async (flag, command) => {
    const { path, inbox, saved } = await receiver(command);
    const content = randomBytes(40_960);
    const program = wirebench(['send', path, flag, '--file', saved(content)]);
    expect(await program.exited).toBe(0);
    expect(program.text()).toMatch(/Sent image\.bin to port by [XYZ]MODEM(-1K)?: 40\u2009960 bytes in/);
    await expect.poll(() => readFileSync(join(inbox, 'image.bin')).equals(content)).toBe(true);
  });

  it('ends after --timeout when the board does not ask for the file', async () => {
    const port = await plugged();
    const file = join(port.folder, 'image.bin');
    writeFileSync(file, randomBytes(4_096));
    const program = wirebench(['send', port.path, '--xmodem', '--file', file, '--timeout', '0.5']);
    // Without it, XMODEM waits for a minute.
    expect(await program.exited).toBe(1);
    expect(program.text()).toContain('by XMODEM ended: the board does not answer.');
    expect(program.text()).not.toMatch(/Infinity|NaN/);
  });

  it('is cancelled by Ctrl+C on both sides', async () => {
    const port = await plugged();
    const file = join(port.folder, 'image.bin');
    writeFileSync(file, randomBytes(4_096));
    const program = wirebench(['send', port.path, '--xmodem', '--file', file]);
    await program.until(/Sending image\.bin to port by XMODEM/);
    port.send(utf8('C'));
    await expect.poll(() => Buffer.concat(port.got).length).toBeGreaterThan(128);
    program.interrupt();
    expect(await program.exited).toBe(130);
    expect(program.text()).toContain('ended');
    expect(Buffer.concat(port.got).toString('latin1')).toContain('\x18\x18');
  });

  it('ends with 1 when the board stops it, and with 3 when the board is unplugged', async () => {
    const port = await plugged();
    const file = join(port.folder, 'image.bin');
    writeFileSync(file, randomBytes(4_096));
    const stopped = wirebench(['send', port.path, '--xmodem', '--file', file]);
    await stopped.until(/Sending/);
    port.send(utf8('C'));
    await expect.poll(() => Buffer.concat(port.got).length).toBeGreaterThan(128);
    port.send(utf8('\x18\x18\x18'));
    expect(await stopped.exited).toBe(1);
    expect(stopped.text()).toContain('the board stopped it.');
    const lost = wirebench(['send', port.path, '--xmodem', '--file', file]);
    await lost.until(/Sending/);
    port.unplug();
    expect(await lost.exited).toBe(3);
  });

  it.each([[['--zmodem']], [['--zmodem', '--ymodem', '--file', programFile]]])('refuses %j', async (args) => {
    const program = wirebench(['send', 'x', ...args]);
    expect(await program.exited).toBe(2);
    expect(program.text()).toContain('a transfer takes one protocol and --file <file>.');
  });
});
