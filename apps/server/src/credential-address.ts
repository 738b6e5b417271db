/**
 * Addresses with a user name and a password, as those of a database. Passwords contain characters that separate the
 * parts of an address (RFC 3986, section 2.2), and people leave them as they are.
 */

/** Parameters of the drivers whose values may contain an `@`. */
const PARAMETER = /^(?:user|password|host|options|(?:fallback_)?application_name|ssl\w+)=/;

/** Characters that end the part of an address with user name, password and host. */
const SEPARATORS = /[/?#]/;

/**
 * Returns the characters of user name and password that have to be percent-encoded, each once. Without them, the
 * password would end early, and its rest would be read as a host, a path or a query.
 */
export function reservedCharacters(address: string): readonly string[] {
  const rest = address.replace(/^[^:/]*:\/\//, '');
  const last = rest.lastIndexOf('@');
  const end = rest.slice(0, Math.max(last, 0)).search(SEPARATORS);
  if (end === -1) {
    return [];
  }
  const before = rest.slice(0, last);
  const [, query] = /^[^?#]*\?([^#]*)$/s.exec(before) ?? [];
  if (query !== undefined && PARAMETER.test(query.slice(query.lastIndexOf('&') + 1))) {
    return [];
  }
  return [...new Set(before.match(/[/?#@]/g))];
}

/** Encodes percent signs and blanks that encode nothing, so that a driver decodes all others as they are meant. */
export function withEncodedPercents(address: string): string {
  return address.replace(/%(?![\da-f]{2})/gi, '%25').replaceAll(' ', '%20');
}

/** Returns an address for a sentence: without a user name and a password. */
export function withoutCredentials(address: string): string {
  return address.replace(/\/\/.*@/s, '//…@');
}
