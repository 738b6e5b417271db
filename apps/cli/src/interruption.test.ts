/** Ends of the program by signals, on a terminal whose settings the test reads afterwards. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canCall, socatCall } from '../../../packages/devices/src/testing/pseudo-terminal.ts';
import { plugged, programFile, utf8 } from './testing/monitored-port.ts';

const settingsOf = (path: string) => spawnSync('stty', ['-g', '-F', path], { encoding: 'utf8' }).stdout;

/** Starts `wirebench monitor` on a terminal, and waits until it reads keys. */
async function monitorOnTerminal() {
  const [port, terminal] = [await plugged(), await plugged()];
  spawnSync('stty', ['-F', terminal.path, 'sane']);
  const before = settingsOf(terminal.path);
  const ends = openSync(terminal.path, constants.O_RDWR | constants.O_NOCTTY);
  const child = spawn(process.execPath, [programFile, 'monitor', port.path], { stdio: [ends, ends, 'pipe'] });
  closeSync(ends);
  const exited = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 20_000 }).toContain('Ctrl+T q quits');
  expect(settingsOf(terminal.path)).not.toBe(before);
  return { port, terminal, child, before, code: exited.then(([code]) => code as number | null) };
}

describe.runIf(canCall(socatCall, ['stty', '--version']))('a signal', { timeout: 40_000 }, () => {
  it.each([
    ['SIGHUP', ['SIGHUP'], [129]],
    ['SIGTERM', ['SIGTERM'], [143]],
    // The system delivers the two in either order.
    ['a second one before the first has ended it', ['SIGINT', 'SIGTERM'], [130, 143]],
  ] as const)('ends the program with its code and gives the terminal back: %s', async (_what, signals, ended) => {
    const { terminal, child, before, code } = await monitorOnTerminal();
    for (const signal of signals) {
      child.kill(signal);
    }
    expect(ended).toContain(await code);
    expect(settingsOf(terminal.path)).toBe(before);
  });

  it('is not needed when the terminal has gone: the next output ends the program with that of SIGHUP', async () => {
    const { port, terminal, code } = await monitorOnTerminal();
    terminal.unplug();
    const sending = setInterval(() => port.send(utf8('output\n')), 20);
    onTestFinished(() => clearInterval(sending));
    expect(await code).toBe(129);
  });
});
