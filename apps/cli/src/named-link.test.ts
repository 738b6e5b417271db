/** Failures to open a port, as the system causes them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, realpathSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canCall, socatCall } from '../../../packages/devices/src/testing/pseudo-terminal.ts';
import { plugged, programFile, ran, wirebench } from './testing/monitored-port.ts';

/** Root may open every port, so root's program runs as another account. It needs to read the program's files. */
const asOther = process.geteuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];
const [program = process.execPath, ...before] = [...asOther, process.execPath];
const canRunAsOther = canCall(socatCall, [program, ...before, programFile, '--version']);

function ranAsOther(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, [...before, programFile, ...args], { encoding: 'utf8' });
  return { code: status, text: stdout + stderr };
}

describe.runIf(canCall(socatCall))('a port that does not open', () => {
  it.runIf(canRunAsOther)('names the account as the reason, with exit code 3', async () => {
    const { path } = await plugged();
    const device = realpathSync(path);
    chmodSync(device, 0);
    expect(ranAsOther('send', device, 'x')).toEqual({
      code: 3,
      text: `wirebench: Serial permission denied: this account may not open ${device}.\n`,
    });
  });

  it.runIf(canRunAsOther && process.platform === 'linux')('names its holder of another account', async () => {
    const { path } = await plugged();
    const device = realpathSync(path);
    chmodSync(device, 0o666);
    const holder = wirebench(['monitor', device]);
    await holder.until(/connected/);
    const { code, text } = ranAsOther('send', device, 'x');
    expect(code).toBe(3);
    expect(text).toMatch(
      /the board could not be opened\. Close other programs .* main\.ts \(process \d+\) has it open\.\n$/,
    );
  });

  it.runIf(canCall(['flock', '--version']))('names the program that has locked it', async () => {
    const { path } = await plugged();
    const holder = spawn('flock', [path, 'sh', '-c', 'echo locked; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(holder, 'exit');
    onTestFinished(async () => {
      holder.kill();
      await ended;
    });
    await once(holder.stdout, 'data');
    const { code, text } = await ran('send', path, 'x');
    expect(code).toBe(3);
    expect(text).toContain(`flock (process ${holder.pid}) has it open.`);
  });
});
