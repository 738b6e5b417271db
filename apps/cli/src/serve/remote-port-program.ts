/**
 * Runs a guest of a shared bench that asks for one port and serves it to other programs while it has the right to use
 * it. It reports what it waits for and what changes.
 */
import type { Clock } from '@wirebench/clock';
import { defaultPortSettings, describePortSettings, type PortSettings } from '@wirebench/port';
import { type dialSocket, RemoteError, RemoteGuest } from '@wirebench/remote';
import { type ComPortService, type ServedPort, serveComPort } from '@wirebench/rfc2217/serve';
import { printable } from '../printable.ts';

/** Time without a connection until the program says so, in milliseconds. */
const NO_CONNECTION = 4_000;
/**
 * Time until a host that names no port counts as sharing nothing yet, in milliseconds. The host has no message for
 * that.
 */
const NOTHING_SHARED = 2_000;

export interface RemotePortOptions {
  readonly clock: Clock;
  readonly dial: ReturnType<typeof dialSocket>;
  readonly secret: string;
  /** Port of the bench, 1 to 4; null: the only one that is shared. */
  readonly port: number | null;
  /** TCP port on the loopback address; 0 picks a free one. */
  readonly listen: number;
  readonly name: string;
  /** Prints a line for the user of the program. */
  readonly say: (line: string) => void;
  /** Returns why the newest connection has failed, as sentences; empty without a reason. */
  readonly fault?: () => string;
}

/** The reason why the program cannot continue, as a sentence. */
export class RemotePortError extends Error {
  override readonly name = 'RemotePortError';
}

/**
 * Runs the program. Resolves after `signal` has aborted and everything is closed: first the port at the host, then
 * the visit.
 *
 * @throws RemotePortError if the program cannot continue.
 */
export async function runRemotePort(options: RemotePortOptions, signal: AbortSignal): Promise<void> {
  const program = new RemotePortProgram(options);
  signal.addEventListener('abort', () => program.stop());
  if (signal.aborted) {
    program.stop();
  }
  await program.ended;
}

type BenchStatus = RemoteGuest['status'];
export type PortStatus = BenchStatus['ports'][number];

function settingsOf({ settings }: PortStatus): PortSettings | null {
  return settings === null
    ? null
    : { ...settings, dataBits: settings.dataBits === '7' ? 7 : 8, stopBits: settings.stopBits === '2' ? 2 : 1 };
}

const rightText = {
  watch: 'you may watch',
  type: 'you may type',
  use: 'you may use it',
} satisfies Record<PortStatus['right'], string>;

/** Describes a port in one line: `Board (10C4:EA60), 115200 8N1, you may watch`. */
export function describePort(port: PortStatus): string {
  const { name, usbVendorId, usbProductId, present, right } = port;
  const settings = settingsOf(port);
  const ids = usbVendorId === null || usbProductId === null ? '' : ` (${hex(usbVendorId)}:${hex(usbProductId)})`;
  return [
    `${printable(name)}${ids}`,
    ...(present ? [] : ['not plugged in']),
    ...(settings === null ? [] : [describePortSettings(settings)]),
    ...(port.user === null || port.isYours ? [] : [`used by ${printable(port.user)}`]),
    rightText[right],
  ].join(', ');
}

const hex = (id: number) => id.toString(16).toUpperCase().padStart(4, '0');

/**
 * Lists the changes of one port that matter to its user, one sentence each.
 *
 * @param before Null: the port was not shared before.
 * @param now Null: the port is not shared any more.
 */
export function portChanges(number: number, host: string, before: PortStatus | null, now: PortStatus | null): string[] {
  const who = printable(host);
  if (now === null) {
    return before === null ? [] : [`Port ${number} is not shared any more.`];
  }
  if (before === null) {
    return [`Port ${number} is shared: ${describePort(now)}.`];
  }
  const lines: string[] = [];
  if (now.right !== before.right) {
    const taken = before.right === 'use' ? `${who} has taken port ${number} back. Now ` : `Port ${number}: `;
    lines.push(`${taken}${rightText[now.right]}.`);
  }
  if (now.present !== before.present) {
    lines.push(`The board at port ${number} is ${now.present ? 'plugged in again' : 'unplugged'}.`);
  }
  if (now.user !== before.user && now.user !== null && !now.isYours) {
    lines.push(`${printable(now.user)} uses port ${number}.`);
  }
  return lines;
}

/**
 * Returns commands that open the port with common programs, ready to paste.
 *
 * @param port TCP port.
 * @param host Address of this computer as other programs name it.
 */
export function pasteLines(port: number, baudRate: number, host = '127.0.0.1'): string[] {
  const url = `rfc2217://${host}:${port}`;
  return [
    `esptool --port ${url} flash_id`,
    `idf.py -p ${url} flash monitor`,
    `pio run -t upload --upload-port ${url}`,
    `pio device monitor -p ${url} -b ${baudRate}`,
    `python -m serial.tools.miniterm ${url} ${baudRate}`,
    `putty -telnet ${host} ${port}`,
  ];
}

/** Returns the sentence for a TCP port that cannot be listened on. */
export function listenFailure(port: number, error: unknown): string {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
    ? `Another program listens on port ${port} of this computer: choose another one with --listen.`
    : `This computer does not let it listen on port ${port}: ${error instanceof Error ? error.message : error}.`;
}

class RemotePortProgram {
  readonly #options: RemotePortOptions;
  readonly #guest: RemoteGuest;
  readonly #end = Promise.withResolvers<void>();
  #number: number | null;
  #service: ComPortService | null = null;
  /** The start of the TCP service, which happens once; null before. */
  #serving: Promise<void> | null = null;
  #said: BenchStatus | null = null;
  #isLooking = false;
  #isEnding = false;
  #cancelNothing: (() => void) | null = null;
  #cancelWaiting: () => void;

  constructor(options: RemotePortOptions) {
    const { clock, dial, secret, name, port } = options;
    this.#options = options;
    this.#number = port;
    this.#cancelWaiting = this.#sayLater('Not connected yet.');
    this.#guest = new RemoteGuest({
      clock,
      dial,
      secret,
      name,
      onChange: () => this.#lookSoon(),
      onPiece: () => undefined,
      onMissing: () => undefined,
    });
  }

  get ended(): Promise<void> {
    return this.#end.promise;
  }

  /** Says after a while that there is no connection, and why. Returns a function that cancels it. */
  #sayLater(text: string): () => void {
    const { clock, say, fault = () => '' } = this.#options;
    return clock.schedule(NO_CONNECTION, () => say(`${text} Trying again. ${fault()}`.trimEnd()));
  }

  stop(): void {
    void this.#finish(null);
  }

  async #finish(error: Error | null): Promise<void> {
    if (this.#isEnding) {
      return;
    }
    this.#isEnding = true;
    this.#cancelNothing?.();
    this.#cancelWaiting();
    await this.#serving?.catch(() => undefined);
    await this.#service?.close();
    this.#guest.leave();
    if (error === null) {
      this.#end.resolve();
    } else {
      this.#end.reject(error);
    }
  }

  /** Looks at the status in a microtask, so that changes that arrive together are reported together. */
  #lookSoon(): void {
    if (!this.#isLooking) {
      this.#isLooking = true;
      queueMicrotask(() => {
        this.#isLooking = false;
        if (!this.#isEnding) {
          this.#look();
        }
      });
    }
  }

  #look(): void {
    const before = this.#said;
    const now = this.#guest.status;
    this.#said = now;
    if (now.state === 'ended') {
      void this.#finish(new RemotePortError(new RemoteError(now.why ?? 'ended').message));
      return;
    }
    this.#tellConnection(before, now);
    if (now.state === 'joined') {
      this.#cancelWaiting();
      const wasKnown = this.#number !== null && before !== null && before.ports.length > 0;
      const port = wasKnown ? portOf(now, this.#number) : this.#choose(now);
      if (this.#number !== null && !this.#isEnding) {
        this.#tellPort(wasKnown ? portOf(before, this.#number) : port, port, now);
        this.#ask(before, port, now);
      }
    }
  }

  #tellConnection(before: BenchStatus | null, now: BenchStatus): void {
    const host = printable(now.host);
    if (now.state === 'joined' && before?.state === 'away') {
      this.#options.say('The connection is back.');
    } else if (now.state === 'joining' && now.isHostAway && before?.isHostAway !== true) {
      this.#cancelWaiting();
      this.#options.say('Whoever shares the bench is not connected at the moment. Waiting.');
    } else if (now.state === 'away' && (before?.state !== 'away' || before.isHostAway !== now.isHostAway)) {
      this.#options.say(
        now.isHostAway
          ? `The connection of ${host} is lost. Waiting for it.`
          : 'The connection is lost. Trying again; programs wait meanwhile.',
      );
      this.#cancelWaiting();
      if (!now.isHostAway) {
        this.#cancelWaiting = this.#sayLater('Still not connected.');
      }
    }
  }

  /**
   * Chooses the port and lists the shared ports, as soon as the host names any. Ends the program if the choice is not
   * clear.
   *
   * @returns The chosen port; null while the host names none, or if the program ends.
   */
  #choose(now: BenchStatus): PortStatus | null {
    const { ports, host } = now;
    if (ports.length === 0) {
      this.#cancelNothing ??= this.#options.clock.schedule(NOTHING_SHARED, () =>
        this.#options.say(`${printable(host)} shares no port yet. Waiting.`),
      );
      return null;
    }
    this.#cancelNothing?.();
    this.#options.say(`${printable(host)} shares:`);
    for (const port of ports) {
      this.#options.say(`  port ${port.port}: ${describePort(port)}`);
    }
    const usable = ports.filter(({ right }) => right === 'use');
    const only = ports.length === 1 ? ports[0] : usable.length === 1 ? usable[0] : undefined;
    this.#number ??= only?.port ?? null;
    const port = portOf(now, this.#number);
    if (port === null) {
      const why = this.#number === null ? 'Several ports are shared' : `Port ${this.#number} is not shared`;
      const numbers = ports.map(({ port }) => port).join(', ');
      void this.#finish(new RemotePortError(`${why}: choose one with --port (${numbers}).`));
    }
    return port;
  }

  #tellPort(before: PortStatus | null, port: PortStatus | null, now: BenchStatus): void {
    for (const line of portChanges(this.#number ?? 0, now.host, before, port)) {
      this.#options.say(line);
    }
    if (port?.right === 'use' && port.present && this.#number !== null) {
      this.#serving ??= this.#serve(port);
    }
  }

  /**
   * Asks for the right to use the port, once for each time that the host lets this guest in. A host that refused is
   * not asked repeatedly.
   */
  #ask(before: BenchStatus | null, port: PortStatus | null, now: BenchStatus): void {
    const isNew = before?.state !== 'joined' || before.ports.length === 0;
    if (isNew && port !== null && port.right !== 'use') {
      const host = printable(now.host);
      this.#guest.ask(port.port, 'use');
      this.#options.say(`Asked ${host} for the right to use port ${port.port}. Waiting until ${host} allows it.`);
    }
  }

  async #serve(port: PortStatus): Promise<void> {
    const { clock, listen, say } = this.#options;
    try {
      this.#service = await serveComPort({
        clock,
        port: listen,
        served: () => this.#served(),
        onClient: (isThere, why) => {
          const gone = why === null ? 'The program has closed port' : `${why} A program was disconnected from port`;
          say(`${isThere ? 'A program has opened port' : gone} ${this.#number}.`);
        },
      });
    } catch (error) {
      void this.#finish(new RemotePortError(listenFailure(listen, error)));
      return;
    }
    say(`Port ${port.port} is ready for programs on this computer, one at a time:`);
    for (const line of pasteLines(this.#service.port, (settingsOf(port) ?? defaultPortSettings).baudRate)) {
      say(`  ${line}`);
    }
  }

  #served(): ServedPort | string {
    const { status, serial } = this.#guest;
    const port = portOf(status, this.#number);
    const device = this.#number === null ? null : serial.portAt(this.#number);
    if (status.state !== 'joined') {
      return 'The shared bench cannot be reached at the moment.';
    }
    if (port === null || port.right !== 'use') {
      return `${printable(status.host)} has not allowed you to use this port.`;
    }
    if (device === null) {
      return 'No board is plugged in there.';
    }
    return { device, settings: settingsOf(port) ?? defaultPortSettings };
  }
}

function portOf({ ports }: BenchStatus, number: number | null): PortStatus | null {
  return ports.find(({ port }) => port === number) ?? null;
}
