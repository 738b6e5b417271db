/**
 * The ports of the system as Web Serial's `Serial`. It has no chooser: every port is permitted until it is forgotten.
 * Ports come and go in `refresh`, which `watch` calls again and again.
 */
import { realpath } from 'node:fs/promises';
import type { Clock } from '@wirebench/clock';
import { fireAt, PortEventTarget } from '@wirebench/port/web-serial';
import { bareListing, isPresent, type ListedPort, listPorts } from './list-ports.ts';
import { NativePort } from './native-port.ts';

/** Pause between two looks at the system's list, in milliseconds. A look takes 2 to 5 ms on Linux. */
const WATCH_PAUSE = 250;

export interface NativeSerialOptions {
  /** Paths that are ports too when there is a device: links, pseudo-terminals. They are the names of their ports. */
  readonly paths?: readonly string[];
  /** Lists the system's ports. Default: `listPorts`. */
  readonly list?: () => Promise<readonly ListedPort[]>;
}

export class NativeSerial extends PortEventTarget implements Serial {
  readonly #paths: readonly string[];
  readonly #list: () => Promise<readonly ListedPort[]>;
  /** Present ports by path. */
  readonly #ports = new Map<string, NativePort>();
  readonly #forgotten = new Set<string>();
  #refreshing: Promise<void> = Promise.resolve();
  #isRead = false;

  constructor({ paths = [], list = listPorts }: NativeSerialOptions = {}) {
    super();
    this.#paths = paths;
    this.#list = list;
  }

  /** Returns the ports that are present, in the order in which they came. */
  async getPorts(): Promise<NativePort[]> {
    if (!this.#isRead) {
      await this.refresh();
    }
    return [...this.#ports.values()];
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

  /** Returns what is present, by path. A path that a person gave replaces the system's entry of its device. */
  async #found(): Promise<ReadonlyMap<string, ListedPort>> {
    const found = new Map((await this.#list()).map((port) => [port.path, port]));
    for (const path of this.#paths) {
      if (found.has(path)) {
        continue;
      }
      if (await isPresent(path)) {
        const real = await realpath(path).catch(() => path);
        const listed = found.get(real);
        found.delete(real);
        found.set(path, { ...(listed ?? bareListing(path)), path, name: path });
      }
    }
    return found;
  }

  #lost(port: NativePort): void {
    if (this.#ports.get(port.listed.path) === port) {
      this.#ports.delete(port.listed.path);
    }
    fireAt(port, this, 'disconnect');
  }
}
