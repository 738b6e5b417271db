/** The address of who asked, for code that gets Node's request and not Fastify's, which knows about proxies. */
import type { IncomingMessage } from 'node:http';

const addresses = new WeakMap<IncomingMessage, string>();

export function noteAddress(request: IncomingMessage, ip: string): void {
  addresses.set(request, ip);
}

/** As `noteAddress` was told, else the other end of the connection. */
export function addressOf(request: IncomingMessage): string {
  return addresses.get(request) ?? request.socket.remoteAddress ?? '';
}
