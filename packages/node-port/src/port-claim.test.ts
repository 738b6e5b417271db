/** The claims of an open port, as other programs see them. Linux, with Perl. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, realpathSync } from 'node:fs';
import { openErrorOf } from '@wirebench/port';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canCall, socatCall } from '../../devices/src/testing/pseudo-terminal.ts';
import type { NativePort } from './native-port.ts';
import { NativeSerial } from './native-serial.ts';
import { portHolders } from './port-holders.ts';
import { PluggedTerminal } from './testing/plugged-terminal.ts';

const closers: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closers.splice(0).reverse()) {
    await close();
  }
});

interface Rig {
  /** Path of the device, which every account may open. */
  readonly path: string;
  /** Returns a new object for the port. */
  port(): Promise<NativePort>;
}

async function plugged(): Promise<Rig> {
  const terminal = await PluggedTerminal.plugged();
  closers.push(() => terminal.close());
  const path = realpathSync(terminal.path);
  chmodSync(path, 0o666);
  return {
    path,
    port: async () => {
      const [port] = await new NativeSerial({ names: [terminal.path], list: async () => [] }).getPorts();
      if (port === undefined) {
        throw new Error('the port is there');
      }
      return port;
    },
  };
}

const settingsOf = (path: string) => spawnSync('stty', ['-a', '-F', path], { encoding: 'utf8' }).stdout;
/** Returns the rate of a port by `termios2`: `stty` of coreutils before 9.5 prints 0 for rates beyond its table. */
const rateOf = (path: string) =>
  Number(
    spawnSync(
      'perl',
      ['-e', 'open(P, "+<", $ARGV[0]); ioctl(P, 0x802C542A, $s = pack("x64")); print unpack("x40 L", $s)', path],
      {
        encoding: 'utf8',
      },
    ).stdout,
  );
const failureOf = async (port: NativePort, options: SerialOptions) =>
  openErrorOf(await port.open(options).catch((error: unknown) => error), port);

/** Root may open a terminal in exclusive mode, so root's programs run as another account. */
const asOther = process.geteuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : [];

/** Runs a program below a terminal of its own, as an account without rights, and returns all that it says. */
function said(...command: readonly string[]): string {
  const env = { ...process.env, TERM: 'vt100', HOME: '/nowhere' };
  const args = ['-qec', [...asOther, ...command].join(' '), '/dev/null'];
  return spawnSync('script', args, { encoding: 'latin1', input: '', timeout: 20_000, env }).stdout;
}

/** Starts a program that sets the exclusive mode and locks nothing, and waits until it has. */
async function exclusiveHolder(path: string): Promise<ChildProcess> {
  const script = 'ioctl(STDIN, 0x540C, 0) or die; $| = 1; print "set\n"; sleep 60';
  const child = spawn('sh', ['-c', 'exec perl -e "$0" <> "$1"', script, path], { stdio: ['ignore', 'pipe', 'ignore'] });
  closers.push(async () => {
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : null;
    child.kill();
    await ended;
  });
  await once(child.stdout, 'data');
  return child;
}

const canClaim =
  process.platform === 'linux' &&
  canCall(socatCall, ['perl', '-v'], ['stty', '--version'], ['setpriv', '-V'], ['script', '-V']);

describe.runIf(canClaim)('claim of a native port', () => {
  it('shuts out programs that know no lock, and ends at the close', async () => {
    const { path, port } = await plugged();
    const opened = await port();
    await opened.open({ baudRate: 9_600 });
    expect(said('stty', '-F', path)).toContain('Device or resource busy');
    await opened.close();
    expect(said('stty', '-F', path)).toContain('speed 9600 baud');
  });

  it('leaves a shared port to other programs', async () => {
    const { path, port } = await plugged();
    const opened = await port();
    opened.useNative({ exclusive: false });
    await opened.open({ baudRate: 9_600 });
    expect(said('stty', '-F', path)).toContain('speed 9600 baud');
    await opened.close();
  });

  it.each([
    ['tio', ['tio', '--version'], (path: string) => ['tio', '--no-autoconnect', path]],
    ['picocom', ['picocom', '--help'], (path: string) => ['picocom', path]],
    ['minicom', ['minicom', '--version'], (path: string) => ['minicom', '-D', path]],
  ] as const)('keeps %s out', async (_name, [program, flag], command) => {
    if (spawnSync(program, [flag]).error !== undefined) {
      return;
    }
    const { path, port } = await plugged();
    const opened = await port();
    await opened.open({ baudRate: 19_200 });
    expect(said(...command(path))).toContain('Device or resource busy');
    expect(settingsOf(path)).toContain('speed 19200 baud');
    await opened.close();
  });

  it('is refused by a program in exclusive mode, whose settings stay and which is named', async () => {
    const { path, port } = await plugged();
    spawnSync('stty', ['-F', path, '19200', 'cstopb', 'hupcl']);
    const holder = await exclusiveHolder(path);
    const before = settingsOf(path);
    for (const exclusive of [true, false]) {
      const refused = await port();
      refused.useNative({ exclusive });
      expect((await failureOf(refused, { baudRate: 9_600 })).code).toBe('busy');
    }
    expect(settingsOf(path)).toBe(before);
    const holders = (await portHolders([path])).get(path);
    expect(holders).toContainEqual({ process: holder.pid, program: 'perl' });
  });

  it('leaves the lines as they are at the close', async () => {
    const { path, port } = await plugged();
    spawnSync('stty', ['-F', path, 'hupcl']);
    const opened = await port();
    await opened.open({ baudRate: 9_600 });
    expect(settingsOf(path)).toContain(' -hupcl ');
    await opened.close();
  });

  it.each([
    ['mark', ' parodd cmspar '],
    ['space', ' -parodd cmspar '],
  ] as const)('sets %s parity, which the next opening ends', async (parity, flags) => {
    const { path, port } = await plugged();
    const opened = await port();
    opened.useNative({ parity });
    await opened.open({ baudRate: 250_000 });
    expect(settingsOf(path)).toContain(flags);
    expect(rateOf(path)).toBe(250_000);
    await opened.close();
    opened.useNative({});
    await opened.open({ baudRate: 9_600, parity: 'even' });
    expect(settingsOf(path)).toContain(' -cmspar ');
    await opened.close();
  });

  it('is left out without Perl: the port is locked, and mark parity is refused', async () => {
    const { port } = await plugged();
    const [first, second] = [await port(), await port()];
    vi.stubEnv('PATH', '/nowhere');
    await first.open({ baudRate: 9_600 });
    expect((await failureOf(second, { baudRate: 9_600 })).code).toBe('busy');
    await first.close();
    second.useNative({ parity: 'mark' });
    expect((await failureOf(second, { baudRate: 9_600 })).code).toBe('bad-settings');
    second.useNative({});
    await second.open({ baudRate: 9_600 });
    await second.close();
  });
});
