/**
 * The control lines at the opening and the close, by the program's own system calls. strace answers the calls that a
 * pseudo-terminal lacks, so that it has control lines as a USB adapter has them.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { firstUnlessLong } from '@wirebench/test-input';
import { describe, expect, it } from 'vitest';
import { canCall, socatCall } from '../../../packages/devices/src/testing/pseudo-terminal.ts';
import { plugged, programFile, utf8 } from './testing/monitored-port.ts';

const canTrace =
  process.platform === 'linux' && canCall(socatCall, ['strace', '-o', '/dev/null', 'true'], ['perl', '-v']);

interface Traced {
  readonly code: number | null;
  /** Calls on the port as strace prints them, each with the thread in front. */
  readonly calls: readonly string[];
  /** Number of the first call about control lines among the calls `ioctl` of its thread. */
  readonly firstLineCall: number;
}

/**
 * Runs `wirebench monitor` on a port that lowers its lines at the close, until a text has come.
 *
 * @param answeredFrom Each `ioctl` of a thread from this one on succeeds without reaching the system.
 */
async function monitored(args: readonly string[], ready: RegExp, answeredFrom: number | null = null): Promise<Traced> {
  const port = await plugged();
  spawnSync('stty', ['-F', port.path, 'hupcl']);
  const device = realpathSync(port.path);
  const trace = join(port.folder, 'trace.txt');
  const answers = answeredFrom === null ? [] : ['-e', `inject=ioctl:retval=0:when=${answeredFrom}+`];
  const command = [process.execPath, programFile, 'monitor', port.path, '--until', 'PASS', ...args];
  const child = spawn('strace', ['-f', '-y', '-e', 'trace=ioctl', '-o', trace, ...answers, ...command], {
    // All calls of the binding in one thread, so that they can be counted.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 30_000 }).toMatch(ready);
  port.send(utf8('PASS'));
  const [code] = await exited;
  const lines = readFileSync(trace, 'utf8').split('\n');
  const first = lines.find((line) => line.includes('TIOCMGET')) ?? '';
  const thread = first.split(' ')[0];
  const ofThread = lines.filter((line) => line.startsWith(`${thread} `) && line.includes('ioctl('));
  return { code, calls: lines.filter((line) => line.includes(device)), firstLineCall: ofThread.indexOf(first) + 1 };
}

/** Returns the lines that a program has set, in order: `DTR RTS`, or `-` for none. */
const linesSet = (calls: readonly string[]) =>
  calls.flatMap((call) => {
    const [, flags] = /TIOCMSET, \[(.*?)\]/.exec(call) ?? [];
    return flags === undefined ? [] : [flags.match(/DTR|RTS/g)?.join(' ') ?? '-'];
  });

describe.runIf(canTrace)('system calls of a monitor', { timeout: 60_000 }, () => {
  let untouched: Promise<Traced> | null = null;
  const traced = () => {
    untouched ??= monitored([], /connected/);
    return untouched;
  };

  it('open a port in exclusive mode, keep its lines at the close, and give it back', async () => {
    const { code, calls } = await traced();
    expect(code).toBe(0);
    const settings = calls.filter((call) => call.includes('TCSETS')).map((call) => /c_cflag=(\S+),/.exec(call)?.[1]);
    expect(settings[0]).toContain('HUPCL');
    expect(settings.at(-1)).not.toContain('HUPCL');
    // B0 would lower the lines (termios(3)).
    expect(settings.filter((flags) => /^B0\b/.test(flags ?? ''))).toEqual([]);
    const modes = calls.flatMap((call) => /TIOC(?:EXCL|NXCL|MSET|MBIS|MBIC)/.exec(call)?.[0] ?? []);
    expect(modes).toEqual(['TIOCEXCL', 'TIOCNXCL']);
  });

  it.each(
    firstUnlessLong([
      ['leave the lines, and reset a board once', ['--reset'], ['RTS', '-', 'DTR RTS']],
      ['set both lines in one call', ['--lines', 'dtr', '--reset'], ['DTR', 'RTS', '-', 'DTR']],
      ['lower both lines in one call', ['--lines', 'off', '--reset'], ['-', 'RTS', '-', '-']],
    ] as const),
  )('%s', async (_what, args, lines) => {
    const { firstLineCall } = await traced();
    const { calls } = await monitored(args, /Asked the board on \S+ to restart/, firstLineCall);
    expect(linesSet(calls)).toEqual(lines);
  });
});
