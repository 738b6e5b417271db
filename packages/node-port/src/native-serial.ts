/**
 * The ports of the system as Web Serial's `Serial`. It has no chooser: every port is permitted until it is forgotten.
 * Ports come and go in `refresh`, which `watch` calls again and again.
 */
import { realpath } from 'node:fs/promises';
import type { Clock } from '@wirebench/clock';
import { fireAt, PortEventTarget } from '@wirebench/port/web-serial';
import { bareListing, isPresent, type ListedPort, listPorts, portPath, portsNamed } from './list-ports.ts';
import { NativePort } from './native-port.ts';

/** Pause between two looks at the system's list, in milliseconds. A look takes 2 to 5 ms on Linux. */
const WATCH_PAUSE = 250;

export interface NativeSerialOptions {
  /**
   * Names that a person gave. A path is a port too when there is a device, such as a link or a pseudo-terminal. Other
   * names are those of `portsNamed`, as long as one port has them.
   */
  readonly names?: readonly string[];
  /** Lists the system's ports. Default: `listPorts`. */
  readonly list?: () => Promise<readonly ListedPort[]>;
}

export class NativeSerial extends PortEventTarget implements Serial {
  readonly #names: readonly string[];
  readonly #list: () => Promise<readonly ListedPort[]>;
  /** Present ports by path. */
  readonly #ports = new Map<string, NativePort>();
  /** Paths by the names that a person gave, of the last look. */
  #named: ReadonlyMap<string, string> = new Map();
  readonly #forgotten = new Set<string>();
  #refreshing: Promise<void> = Promise.resolve();
  #isRead = false;

  constructor({ names = [], list = listPorts }: NativeSerialOptions = {}) {
    super();
    this.#names = names;
    this.#list = list;
  }

  /** Returns the ports that are present, in the order in which they came. */
  async getPorts(): Promise<NativePort[]> {
    if (!this.#isRead) {
      await this.refresh();
    }
    return [...this.#ports.values()];
  }

  /** Returns the present port with a name that a person gave; null without one. */
  async portNamed(name: string): Promise<NativePort | null> {
    const ports = await this.getPorts();
    return ports.find(({ listed }) => listed.path === this.#named.get(name)) ?? null;
  }

  /**
   * There is no chooser.
   *
   * @throws NotFoundError always.
   */
  async requestPort(): Promise<NativePort> {
    throw new DOMException(
      "Failed to execute 'requestPort' on 'Serial': No port selected by the user.",
      'NotFoundError',
    );
  }

  /** Looks at the system's list, and fires `connect` and `disconnect` for what has changed. The first look fires none. */
  refresh(): Promise<void> {
    this.#refreshing = this.#refreshing.then(() => this.#look());
    return this.#refreshing;
  }

  /** Calls `refresh` until the signal aborts. */
  async watch(clock: Clock, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.refresh();
      await clock.sleep(WATCH_PAUSE, signal).catch(() => 'aborted');
    }
  }

  async #look(): Promise<void> {
    const found = await this.#found();
    for (const [path, port] of this.#ports) {
      if (!found.has(path)) {
        port.lose();
      }
    }
    for (const [path, listed] of found) {
      if (!this.#ports.has(path) && !this.#forgotten.has(path)) {
        const port = new NativePort(listed, {
          lost: (gone) => this.#lost(gone),
          forget: () => {
            this.#forgotten.add(path);
            this.#ports.delete(path);
          },
        });
        this.#ports.set(path, port);
        if (this.#isRead) {
          fireAt(port, this, 'connect');
        }
      }
    }
    this.#isRead = true;
  }

  /** Returns what is present, by path. A name that a person gave replaces that of the system. */
  async #found(): Promise<ReadonlyMap<string, ListedPort>> {
    const found = new Map((await this.#list()).map((port) => [port.path, port]));
    const named = new Map<string, string>();
    for (const name of this.#names) {
      const path = portPath(name);
      const [port, second] = portsNamed(name, [...found.values()]);
      if (found.has(path)) {
        named.set(name, path);
      } else if (await isPresent(path)) {
        const real = await realpath(path).catch(() => path);
        const listed = found.get(real);
        found.delete(real);
        found.set(path, { ...(listed ?? bareListing(path)), path, name: path });
        named.set(name, path);
      } else if (port !== undefined && second === undefined) {
        found.set(port.path, { ...port, name });
        named.set(name, port.path);
      }
    }
    this.#named = named;
    return found;
  }

  #lost(port: NativePort): void {
    if (this.#ports.get(port.listed.path) === port) {
      this.#ports.delete(port.listed.path);
    }
    fireAt(port, this, 'disconnect');
  }
}
