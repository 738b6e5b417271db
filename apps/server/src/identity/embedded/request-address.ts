/** The client's address for code that has Node's request. Only Fastify's request considers proxies. */
import type { IncomingMessage } from 'node:http';

const addresses = new WeakMap<IncomingMessage, string>();

export function noteAddress(request: IncomingMessage, ip: string): void {
  addresses.set(request, ip);
}

/** Returns the address set by `noteAddress`, otherwise the peer of the connection. */
export function addressOf(request: IncomingMessage): string {
  return addresses.get(request) ?? request.socket.remoteAddress ?? '';
}
