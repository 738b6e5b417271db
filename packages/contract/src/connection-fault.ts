/**
 * Sentences for connections that fail, by the error of Node's `fetch`, `http`, `tls` or `ws`. Browsers hide the cause:
 * their errors have no sentence here. Node's codes are those of its documentation, "Errors", "X509 certificate error
 * codes" and "TLS"; those of fetch begin with `UND_ERR_`.
 */

/** Sentences that say what happened, and what to do about it. */
export interface ConnectionFault {
  readonly what: string;
  readonly remedy: string;
}

interface Place {
  /** Name or address of the host. */
  readonly name: string;
  /** The host with its port, if the address names one. */
  readonly host: string;
  readonly port: string;
  readonly isTls: boolean;
  /** Sentence for networks that let only a proxy out, with a blank before it; empty if a proxy is of no use. */
  readonly proxyHint: string;
}

/** Most levels of causes, and most characters of a text from outside. */
const MAX_CAUSES = 8;
const MAX_TEXT = 120;

const authorityRemedy =
  'Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of that authority, and start this program again.';

const unknownAuthority = ({ host }: Place): ConnectionFault => ({
  what: `The certificate of ${host} is not signed by an authority that this machine knows.`,
  remedy: `${authorityRemedy} If the authority is a public one, the server leaves out its intermediate certificate.`,
});

const timeout = ({ host, proxyHint }: Place): ConnectionFault => ({
  what: `${host} did not answer in time.`,
  remedy: `Check the network and try again.${proxyHint}`,
});

const noRoute = ({ host, proxyHint }: Place): ConnectionFault => ({
  what: `No route leads to ${host}.`,
  remedy: `Check the network and its VPN.${proxyHint}`,
});

const closed = ({ host, isTls }: Place): ConnectionFault => ({
  what: `${host} closed the connection without an answer.`,
  remedy: isTls
    ? 'Try again. A firewall can do this, too.'
    : 'Try again, or use https:// if this is a port of https. A firewall can do this, too.',
});

const noCommonTls = ({ host }: Place): ConnectionFault => ({
  what: `${host} and this program have no version of TLS, or no cipher, in common.`,
  remedy: 'The server needs TLS 1.2 or newer.',
});

const noTls = ({ host }: Place): ConnectionFault => ({
  what: `${host} does not answer by TLS, which https needs.`,
  remedy: 'Use http:// if the server has no https, or the port of https.',
});

const noHttp = ({ host, isTls }: Place): ConnectionFault => ({
  what: `${host} does not answer by HTTP.`,
  remedy: isTls ? 'Check the address and its port.' : 'Use https:// if this is a port of https.',
});

const clientCertificate = ({ host }: Place): ConnectionFault => ({
  what: `${host} asks for a certificate of the client, and this program has none.`,
  remedy: 'Use an address without one.',
});

const byCode: Readonly<Record<string, (place: Place) => ConnectionFault>> = {
  ENOTFOUND: ({ name, proxyHint }) => ({
    what: `The name ${name} has no address.`,
    remedy: `Check its spelling, and the name server of this network.${proxyHint}`,
  }),
  EAI_AGAIN: ({ name, proxyHint }) => ({
    what: `The name server of this network did not answer for ${name}.`,
    remedy: `Check the network and try again.${proxyHint}`,
  }),
  ECONNREFUSED: ({ name, port }) => ({
    what: `${name} refused the connection to port ${port}.`,
    remedy: 'Check the address and its port, and whether the server runs.',
  }),
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  EHOSTDOWN: noRoute,
  ENETDOWN: noRoute,
  EADDRNOTAVAIL: noRoute,
  ECONNRESET: closed,
  ECONNABORTED: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  ETIMEDOUT: timeout,
  UND_ERR_CONNECT_TIMEOUT: timeout,
  UND_ERR_HEADERS_TIMEOUT: timeout,
  UND_ERR_BODY_TIMEOUT: timeout,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  CERT_UNTRUSTED: unknownAuthority,
  INVALID_CA: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: ({ host }) => ({
    what: `The certificate of ${host} is signed by itself, and this machine does not know it.`,
    remedy:
      'If you trust it, set NODE_EXTRA_CA_CERTS to a PEM file with this certificate, and start this program again.',
  }),
  CERT_HAS_EXPIRED: ({ host }) => ({
    what: `The certificate of ${host} has expired.`,
    remedy: 'Its owner has to renew it. Check the clock of this machine, too.',
  }),
  CERT_NOT_YET_VALID: ({ host }) => ({
    what: `The certificate of ${host} is not valid yet.`,
    remedy: 'Check the clock of this machine.',
  }),
  CERT_REVOKED: ({ host }) => ({
    what: `The certificate of ${host} was revoked.`,
    remedy: 'Its owner has to replace it.',
  }),
  ERR_SSL_WRONG_VERSION_NUMBER: noTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: noTls,
  ERR_SSL_HTTP_REQUEST: noTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: noCommonTls,
  ERR_SSL_VERSION_TOO_LOW: noCommonTls,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: noCommonTls,
  ERR_SSL_TLSV1_ALERT_INSUFFICIENT_SECURITY: noCommonTls,
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: noCommonTls,
  ERR_SSL_SSL_TLS_ALERT_HANDSHAKE_FAILURE: noCommonTls,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': noCommonTls,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: clientCertificate,
};

/** Causes that Node's fetch tells by their words alone. */
const byMessage: readonly (readonly [RegExp, (place: Place) => ConnectionFault])[] = [
  [
    /^redirect count exceeded$/,
    ({ host }) => ({ what: `${host} redirects too often.`, remedy: 'Check the address: it may lead in a circle.' }),
  ],
  [
    /^bad port$/,
    ({ name, port }) => ({
      what: `Port ${port} of ${name} belongs to another protocol than the web's.`,
      remedy: 'Check the address.',
    }),
  ],
  [
    /^(?:terminated|aborted|unexpected end of file)$/,
    ({ host }) => ({
      what: `${host} closed the connection before all of its answer had come.`,
      remedy: 'Try again. If it stays so, the server or a proxy before it has a fault.',
    }),
  ],
];

/** Reasons of OpenSSL in the words of an error whose code is EPROTO. */
const byReason: readonly (readonly [RegExp, (place: Place) => ConnectionFault])[] = [
  [/:(?:wrong version number|packet length too long|http request)/, noTls],
  [/:(?:unsupported protocol|[^:]*alert (?:protocol version|handshake failure))/, noCommonTls],
];

/**
 * Returns the sentences for an error and its causes; null for an error that names no cause of a failed connection.
 *
 * @param address Address that was asked.
 * @param proxy Null: the program would use a proxy of the environment, and none is set. Undefined: it uses none, or one
 *   was used.
 */
export function connectionFault(error: unknown, address: string, proxy?: null): ConnectionFault | null {
  const { hostname, host, port, protocol } = new URL(address);
  const isTls = /^(?:https|wss):$/.test(protocol);
  const variable = isTls ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxyHint = proxy === null ? ` A network that lets only a proxy out needs it in ${variable}.` : '';
  const place = { name: hostname, host, port: port === '' ? (isTls ? '443' : '80') : port, isTls, proxyHint };
  const causes = causesOf(error);
  // An error with words of its own is the reason for those within it.
  for (const cause of causes) {
    const own = byMessage.find(([words]) => words.test(cause.message));
    if (own !== undefined) {
      return own[1](place);
    }
  }
  for (const cause of causes) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
      return otherName(cause, place);
    }
    const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
    if (known !== undefined) {
      return known(place);
    }
    if (code.startsWith('HPE_') || cause.name === 'HTTPParserError') {
      return noHttp(place);
    }
    if (code === 'EPROTO') {
      const told = byReason.find(([reason]) => reason.test(cause.message));
      if (told !== undefined) {
        return told[1](place);
      }
    }
    if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
      return { ...noTls(place), what: `TLS with ${host} failed (${code}).` };
    }
    if (cause.name === 'TimeoutError') {
      return timeout(place);
    }
    if (code !== '') {
      return { what: `${host} could not be reached (${code}).`, remedy: 'Check the address and the network.' };
    }
  }
  return null;
}

/** Returns the error, its causes, and the errors of several attempts, outermost first. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let next: unknown = error; next instanceof Error && causes.length < MAX_CAUSES; ) {
    causes.push(next);
    next = next.cause ?? (next instanceof AggregateError ? next.errors[0] : undefined);
  }
  return causes;
}

/** Says which names the certificate is for: `DNS:a.example, IP Address:192.0.2.1`. */
function otherName(error: Error, { host }: Place): ConnectionFault {
  const { cert } = error as { readonly cert?: { readonly subjectaltname?: unknown } };
  const names =
    typeof cert?.subjectaltname === 'string' ? cert.subjectaltname.replaceAll(/(?:DNS|IP Address):/g, '') : '';
  // Text from outside: only characters of names.
  const shown = names.replaceAll(/[^\w .,:*-]/g, '').slice(0, MAX_TEXT);
  return {
    what: `The certificate of ${host} is not for this name${shown === '' ? '' : `, but for ${shown}`}.`,
    remedy: 'Use an address with a name of the certificate, or ask its owner.',
  };
}
