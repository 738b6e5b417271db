/**
 * Calls on an open port of Linux that neither Node nor the binding makes (ioctl_tty(2), termios(3)): the exclusive mode
 * of its terminal, lines that stay as they are at the close, and parity that is always mark or space. Perl makes them on
 * the descriptor that it inherits: Debian's package perl-base is "Essential", so that every Debian system has it.
 */
import { spawn } from 'node:child_process';
import { openDescriptors } from './port-holders.ts';

/** Longest time of a call, in milliseconds. It takes 5 to 20. */
const LIMIT = 5_000;
/** Most descriptors that are asked until one answers: a process may end, or may not be looked into. */
const MAX_ASKED = 4;

/**
 * Prints `1` if the terminal is in exclusive mode, else `0`. Copies the descriptor of another process by
 * `pidfd_getfd` (Linux 5.6): opening the port would raise its lines. Arguments: process, descriptor.
 */
const ASK = `
my $process = syscall(434, $ARGV[0] + 0, 0);
my $copy = syscall(438, $process, $ARGV[1] + 0, 0);
open(my $port, '+<&=', $copy) or die;
my $mode = pack('L', 0);
ioctl($port, 0x80045440, $mode);
print unpack('L', $mode);
`;

/**
 * Prints `held` if the terminal is in exclusive mode already, else sets it, clears HUPCL, sets or clears CMSPAR, and
 * prints `claimed`, or `no-parity` if the driver did not take CMSPAR. TCSETS changes neither rate nor bits.
 * Arguments: 1 for exclusive mode, 1 for CMSPAR. Numbers: Linux, asm-generic/ioctls.h and termbits.h.
 */
const CLAIM = `
my ($exclusive, $stick) = @ARGV;
open(my $port, '+<&=', 3) or die;
if ($exclusive) {
  my $mode = pack('L', 0);
  if (ioctl($port, 0x80045440, $mode) && unpack('L', $mode)) { print 'held'; exit; }
  ioctl($port, 0x540C, 0) or die;
}
my $settings = pack('x64');
ioctl($port, 0x5401, $settings) or die;
my $flags = unpack('x8 L', $settings);
my $wanted = $flags & ~0x40000400 | ($stick ? 0x40000000 : 0);
if ($wanted != $flags) {
  substr($settings, 8, 4) = pack('L', $wanted);
  ioctl($port, 0x5402, $settings) or die;
  ioctl($port, 0x5401, $settings) or die;
}
print $stick && !(unpack('x8 L', $settings) & 0x40000000) ? 'no-parity' : 'claimed';
`;

const RELEASE = `
open(my $port, '+<&=', 3) or die;
ioctl($port, 0x540D, 0) or die;
print 'released';
`;

export interface ClaimSettings {
  /** True: no other program may open the port. */
  readonly isExclusive: boolean;
  /** True: the parity bit is always mark or space (CMSPAR). */
  readonly isStick: boolean;
}

/**
 * Result of a claim. `held`: another program has the exclusive mode. `no-parity`: the driver has no CMSPAR.
 * `unavailable`: Perl is missing or the call failed, and the port stays as it was.
 */
export type Claim = 'claimed' | 'held' | 'no-parity' | 'unavailable';

/** Claims the port of an open descriptor. */
export async function claimPort(descriptor: number, { isExclusive, isStick }: ClaimSettings): Promise<Claim> {
  const said = await perl(CLAIM, [Number(isExclusive), Number(isStick)], descriptor);
  return (['claimed', 'held', 'no-parity'] as const).find((one) => one === said) ?? 'unavailable';
}

/** Ends the exclusive mode, which would outlive the close while another program has the port open too. */
export async function releasePort(descriptor: number): Promise<void> {
  await perl(RELEASE, [], descriptor);
}

/**
 * Returns true if another program has the port in exclusive mode. Only asked for root, to whom the system gives such a
 * port; it refuses any other account. False where the holders cannot be seen.
 */
export async function isExclusivelyHeld(path: string): Promise<boolean> {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) {
    return false;
  }
  // The mode belongs to the terminal, so every descriptor of it tells.
  const open = (await openDescriptors([path])).get(path) ?? [];
  for (const { process: holder, descriptor } of open.slice(0, MAX_ASKED)) {
    const said = await perl(ASK, [holder, descriptor]);
    if (said !== null) {
      return said === '1';
    }
  }
  return false;
}

/** Runs a script with the port as descriptor 3. Resolves with what it has printed; null if it failed. */
function perl(script: string, args: readonly number[], descriptor?: number): Promise<string | null> {
  return new Promise((resolve) => {
    // Not as descriptor 0: libuv makes those up to 2 blocking, and the mode is shared with the parent.
    const child = spawn('perl', ['-e', script, ...args.map(String)], {
      stdio: ['ignore', 'pipe', 'ignore', descriptor],
      timeout: LIMIT,
      killSignal: 'SIGKILL',
    });
    let said = '';
    child.stdout?.setEncoding('latin1').on('data', (text: string) => {
      said += text;
    });
    child.once('error', () => resolve(null));
    child.once('close', (code) => resolve(code === 0 ? said : null));
  });
}
