/** `wirebench serve PORT`: a port of this computer for other programs, also on other machines. */
import { isIP } from 'node:net';
import { systemClock } from '@wirebench/clock';
import { whenAborted } from '@wirebench/port';
import { type ComPortService, type ComPortServiceOptions, serveComPort } from '@wirebench/rfc2217/serve';
import type { OptionValues } from '../commands/command.ts';
import { CommandError, type ExitCode, exitCodes } from '../exit-code.ts';
import { absentPort, givenPort, presentPort, serialOf } from '../given-ports.ts';
import { interruption } from '../interruption.ts';
import { isInRange } from '../network/proxy.ts';
import { type GivenSettings, readSettings } from '../port-options.ts';
import { printable } from '../printable.ts';
import { standardListen } from './arguments.ts';
import { listenFailure, pasteLines } from './remote-port-program.ts';

interface Listening {
  readonly host: string;
  readonly port: number;
}

/** A port that is served, which may go and come back. */
interface Source {
  readonly label: string;
  /** The port as it is now; null while it is away. */
  readonly now: () => SerialPort | null;
}

export async function servePort(name: string, options: OptionValues): Promise<ExitCode> {
  const listening = readListen(options['listen']);
  const admits = readClients(options['clients']);
  const given = readSettings(options);
  const isRaw = options['rawTcp'] === true;
  const ended = interruption();
  const watching = new AbortController();
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  let service: ComPortService | null = null;
  try {
    const source = await sourceOf(name, options, given, { say, signal: watching.signal });
    const { label } = source;
    service = await started({
      clock: systemClock,
      ...listening,
      isRaw,
      ...(admits !== null && { admits }),
      served: () => {
        const device = source.now();
        return device === null ? `${label} is not plugged in.` : { device, settings: given.settings };
      },
      onClient: (isThere, why, who) => {
        const gone = why === null ? `${who} has closed ${label}.` : `${why} ${who} was disconnected from ${label}.`;
        say(isThere ? `${who} has opened ${label}.` : gone);
      },
      onRefused: (who, why) => say(`${who} was refused: ${why}`),
    });
    warn(listening, service.port, admits !== null);
    say(`${label} is ready at ${hostText(listening.host)}:${service.port}, for one program at a time. Ctrl+C ends.`);
    for (const line of linesFor(listening.host, service.port, given, isRaw)) {
      say(`  ${line}`);
    }
    await whenAborted(ended.signal);
    return ended.exitCode();
  } finally {
    watching.abort();
    await service?.close();
  }
}

/** @throws CommandError if it cannot listen. */
function started(options: ComPortServiceOptions): Promise<ComPortService> {
  return serveComPort(options).catch((error: unknown) => {
    const isOther = error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL';
    const text = isOther
      ? `${options.host} is no address of this computer: name one of its own in --listen, or 0.0.0.0 for all.`
      : listenFailure(options.port, error);
    throw new CommandError(exitCodes.failed, text, { cause: error });
  });
}

/** Finds the port, and follows it while it goes and comes back. @throws CommandError for a port that is not there. */
async function sourceOf(
  name: string,
  options: OptionValues,
  { native }: GivenSettings,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<Source> {
  const { simulate } = options;
  if (typeof simulate === 'string') {
    const { simulatedPort } = await import('../simulated-boards.ts');
    const { port } = await simulatedPort(simulate);
    return { label: simulate, now: () => port };
  }
  const given = await givenPort(name);
  const serial = serialOf([given]);
  let port = await presentPort(serial, given, native);
  if (port === null) {
    throw await absentPort(given);
  }
  const label = printable(given.label);
  serial.addEventListener('disconnect', ({ target }) => {
    if (target === port) {
      port = null;
      say(`${label} is unplugged. Waiting for it.`);
    }
  });
  serial.addEventListener('connect', () => {
    void serial.portNamed(given.name).then((back) => {
      if (port === null && back !== null) {
        back.useNative(native);
        port = back;
        say(`${label} is plugged in again.`);
      }
    });
  });
  void serial.watch(systemClock, signal);
  return { label, now: () => port };
}

/** Reads `--listen`: a port of 127.0.0.1, or an address of this computer and a port. */
function readListen(value: OptionValues[string]): Listening {
  const text = typeof value === 'string' ? value : String(standardListen);
  const [, bracketed, plain, digits = ''] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '127.0.0.1';
  const isAddress = host === 'localhost' || isIP(host) === (bracketed === undefined ? 4 : 6);
  if (digits === '' || Number(digits) > 65_535 || !isAddress) {
    throw new CommandError(
      exitCodes.usage,
      `--listen takes a port, as in 4000, or an address of this computer and a port, as in 0.0.0.0:4000 or [::]:4000, and not ${text}.`,
    );
  }
  return { host, port: Number(digits) };
}

/** Reads `--clients`; null without it. */
function readClients(value: OptionValues[string]): ((address: string) => boolean) | null {
  if (typeof value !== 'string') {
    return null;
  }
  const ranges = value.split(',').map((entry) => {
    const text = entry.trim();
    const [address = '', bits] = text.split('/');
    const family = isIP(address);
    const range = bits === undefined ? `${text}/${family === 6 ? 128 : 32}` : text;
    if (family === 0 || !isInRange(address, range)) {
      throw new CommandError(
        exitCodes.usage,
        `--clients takes addresses and ranges, as in 192.168.1.7,10.0.0.0/8, and not ${text}.`,
      );
    }
    return range;
  });
  return (address) => ranges.some((range) => isInRange(address, range));
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || isInRange(host, '127.0.0.0/8');

/** Warns of an address that other machines reach. */
function warn({ host }: Listening, port: number, isListed: boolean): void {
  if (!isLoopback(host)) {
    const who = isListed ? 'The machines of --clients' : 'All machines that reach it';
    const advice = isListed ? '' : ' --clients names those that may.';
    process.stderr.write(
      `wirebench: ${hostText(host)}:${port} is open to other machines, without a password or encryption. ` +
        `${who} can read, write and reset the board.${advice}\n`,
    );
  }
}

const hostText = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** Returns commands that open the port with other programs. */
function linesFor(host: string, port: number, { settings }: GivenSettings, isRaw: boolean): readonly string[] {
  // All addresses of this computer have no name of their own: programs on it use the loopback address.
  const isAll = host === '0.0.0.0' || host === '::';
  const name = isAll ? '127.0.0.1' : hostText(host);
  return isRaw
    ? [
        `wirebench monitor tcp://${name}:${port}`,
        `python -m serial.tools.miniterm socket://${name}:${port}`,
        `socat pty,link=board,raw,echo=0 tcp:${name}:${port}`,
      ]
    : [`wirebench monitor rfc2217://${name}:${port}`, ...pasteLines(port, settings.baudRate, name)];
}
