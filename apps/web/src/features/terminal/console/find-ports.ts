/** Which ports' lines the find field lets through, read from what is in it and written there: `port:1,2`. */
import { type PortNumber, parseFilterField, portNumbers } from '@wirebench/serial';

/** The ports that `field` lets through; all of them when it does not say. */
export function portsOf(field: string): readonly PortNumber[] {
  const parsed = parseFilterField(field);
  return parsed.ok ? (parsed.query.ports ?? portNumbers).toSorted() : portNumbers;
}

/** `field` with these ports and no others; all four are not said, nor is none. What cannot be read is given up. */
export function withPorts(field: string, ports: readonly PortNumber[]): string {
  const parsed = parseFilterField(field);
  const kept = parsed.ok ? parsed.tokens.filter(({ kind }) => kind !== 'ports') : [];
  const rest = kept.map(({ start, end }) => field.slice(start, end)).join(' ');
  if (ports.length === 0 || ports.length === portNumbers.length) {
    return rest;
  }
  return `port:${ports.toSorted().join(',')} ${rest}`;
}
