/** Addresses of ports of the network: `tcp://HOST:PORT` for plain bytes, `rfc2217://HOST:PORT` for a complete port. */

export interface NetworkAddress {
  readonly protocol: 'tcp' | 'rfc2217';
  /** Name or address, an IPv6 address without brackets. */
  readonly host: string;
  readonly port: number;
  /** Host and port as in the address. */
  readonly name: string;
}

/** Protocols by the scheme of an address. pySerial writes `socket://` for plain bytes. */
const protocols: Readonly<Record<string, NetworkAddress['protocol']>> = {
  tcp: 'tcp',
  socket: 'tcp',
  rfc2217: 'rfc2217',
};

/**
 * Reads an address. Options behind a question mark are those of pySerial's client, and none is needed here.
 *
 * @returns Null for a text without one of the schemes.
 * @throws Error with a sentence for an address without a host or a port.
 */
export function parseNetworkAddress(text: string): NetworkAddress | null {
  const [, scheme = '', rest = ''] = /^([a-z\d]+):\/\/(.*)$/i.exec(text) ?? [];
  const protocol = Object.hasOwn(protocols, scheme.toLowerCase()) ? protocols[scheme.toLowerCase()] : undefined;
  if (protocol === undefined) {
    return null;
  }
  const [, bracketed, plain, digits = ''] =
    /^(?:\[([\da-f:.%\w]+)\]|([^\s:/?#@[\]]+)):(\d{1,5})\/?(?:\?.*)?$/i.exec(rest) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port < 1 || port > 65_535) {
    throw new Error(
      `${text} is no address of a port: write ${scheme.toLowerCase()}://HOST:PORT, as in ${protocol}://bench:4000.`,
    );
  }
  return { protocol, host, port, name: bracketed === undefined ? `${host}:${port}` : `[${host}]:${port}` };
}
