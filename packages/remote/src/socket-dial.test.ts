import { liveProtocols } from '@wirebench/contract/constants';
import { describe, expect, it, vi } from 'vitest';
import { dialSocket } from './socket-dial.ts';

/** The part of a WebSocket that a link needs. Messages go to `sent`. */
class FakeSocket extends EventTarget {
  readonly CONNECTING = 0;
  readyState = 0;
  binaryType = 'blob';
  bufferedAmount = 0;
  readonly sent: unknown[] = [];
  readonly address: string;
  readonly protocols: readonly string[];

  constructor(address: string, protocols: readonly string[]) {
    super();
    this.address = address;
    this.protocols = protocols;
  }

  send(message: unknown): void {
    if (this.readyState === 0) {
      throw new DOMException('Still connecting', 'InvalidStateError');
    }
    this.sent.push(message);
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  close(code = 1000): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code }));
  }
}

function dialled(hostToken: string | null, resume: string | null = null) {
  const sockets: FakeSocket[] = [];
  const open = (address: string, protocols: string[]) => {
    const socket = new FakeSocket(address, protocols);
    sockets.push(socket);
    return socket as unknown as WebSocket;
  };
  const link = dialSocket({ origin: 'https://bench.example', room: 'abc', hostToken, open })(resume);
  const [socket] = sockets;
  if (socket === undefined) {
    throw new Error('No socket was opened');
  }
  return { link, socket };
}

describe('a WebSocket to the relay', () => {
  it('goes to the room, over TLS where the page is, and says who it is outside of the address', () => {
    const { socket } = dialled('token-of-the-host');
    expect(socket.address).toBe('wss://bench.example/api/live/rooms/abc/socket');
    expect(socket.protocols).toEqual(liveProtocols({ host: 'token-of-the-host' }));
  });

  it('comes back as the guest that it was', () => {
    expect(dialled(null).socket.protocols).toEqual(liveProtocols(null));
    expect(dialled(null, 'seat').socket.protocols).toEqual(liveProtocols({ resume: 'seat' }));
  });

  it('sends what was given to it while it opened, in order', () => {
    const { link, socket } = dialled(null);
    link.send(Uint8Array.of(1));
    link.send(Uint8Array.of(2));
    socket.open();
    link.send(Uint8Array.of(3));
    expect(socket.sent).toEqual([Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)]);
  });

  it('reports the code with which it was closed, once, and nothing after it was closed here', () => {
    const { link, socket } = dialled(null);
    link.onclose = vi.fn();
    socket.close(4404);
    socket.close(1006);
    expect(link.onclose).toHaveBeenCalledExactlyOnceWith(4404);

    const left = dialled(null);
    left.link.onclose = vi.fn();
    left.link.onmessage = vi.fn();
    left.link.close();
    left.socket.dispatchEvent(new MessageEvent('message', { data: new ArrayBuffer(5) }));
    expect(left.link.onclose).not.toHaveBeenCalled();
    expect(left.link.onmessage).not.toHaveBeenCalled();
  });

  it('is a link that closes at once where the page may not open it', async () => {
    const open = () => {
      throw new DOMException('Refused by the policy of this page', 'SecurityError');
    };
    const link = dialSocket({ origin: 'http://other.example', room: 'abc', hostToken: null, open })(null);
    link.onclose = vi.fn();
    await Promise.resolve();
    expect(link.onclose).toHaveBeenCalledExactlyOnceWith(1006);
  });
});
