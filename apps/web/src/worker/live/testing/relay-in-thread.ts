/**
 * Runs the server's relay in the thread of a test, on the virtual time of its page. WebSockets that the page opens
 * end in it.
 */
import { livePaths, readLiveProtocols } from '@wirebench/contract/constants';
import { closeCodes } from '@wirebench/contract/live';
import type { Dial } from '@wirebench/remote';
import { TestRelay } from '@wirebench/remote/testing/relay';
import { vi } from 'vitest';
import { theBench } from '../../../workbench/testing/whole-page.tsx';

type Link = ReturnType<Dial>;

/** The used part of a WebSocket. It is open from the start, because its messages wait in the relay. */
class SocketOfRelay extends EventTarget {
  readonly CONNECTING = 0;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  binaryType = 'blob';
  readonly #link: Link;

  constructor(link: Link) {
    super();
    this.#link = link;
    link.onmessage = (message) => {
      this.dispatchEvent(new MessageEvent('message', { data: new Uint8Array(message).buffer }));
    };
    link.onclose = (code) => {
      this.dispatchEvent(new CloseEvent('close', { code }));
    };
  }

  send(message: Uint8Array<ArrayBuffer>): void {
    this.#link.send(message);
  }

  close(): void {
    this.#link.close();
  }
}

/** A server with one room, which exists until `closeRoom`. */
export class RelayInThread {
  readonly room = 'A'.repeat(22);
  readonly #relay = new TestRelay({ clock: theBench().clock, delay: () => 20 });
  #isOpen = true;
  #hasHost = false;

  /** Replaces the global `WebSocket` until the test ends. */
  constructor() {
    const open = (address: string, protocols: string[]) => this.#open(address, protocols);
    // A constructor that returns an object makes `new` return that object.
    vi.stubGlobal('WebSocket', function WebSocket(address: string, protocols: string[]) {
      return open(address, protocols);
    });
  }

  get dialHost(): Dial {
    return this.#relay.dialHost;
  }

  /** Connects guests without a page. */
  get dialGuest(): Dial {
    return (resume) => (this.#isOpen ? this.#relay.dialGuest(resume) : noRoom());
  }

  /** Cuts or restores the host's network. */
  setNetwork(up: boolean): void {
    this.#relay.isDown = !up;
    if (!up) {
      this.#relay.cutHost();
    }
  }

  closeRoom(): void {
    this.#isOpen = false;
  }

  #open(address: string, protocols: string[]): SocketOfRelay {
    const caller = readLiveProtocols(protocols);
    if (new URL(address).pathname !== livePaths.socket(this.room)) {
      return new SocketOfRelay(noRoom());
    }
    if (caller !== null && caller !== undefined && 'host' in caller) {
      const resume = this.#hasHost ? 'host' : null;
      this.#hasHost = true;
      return new SocketOfRelay(this.dialHost(resume));
    }
    return new SocketOfRelay(this.dialGuest(caller?.resume ?? null));
  }
}

/** The server's answer for a room that does not exist. */
function noRoom(): Link {
  const link: Link = { onmessage: null, onclose: null, send: () => undefined, close: () => undefined };
  queueMicrotask(() => link.onclose?.(closeCodes.noSuchRoom));
  return link;
}
