/** Reads and writes the port filter in the text of the find field: `port:1,2`. */
import { type PortNumber, parseFilterField, portNumbers } from '@wirebench/serial';

/** Returns the ports that `field` lets through. Without a port filter these are all ports. */
export function portsOf(field: string): readonly PortNumber[] {
  const parsed = parseFilterField(field);
  return parsed.ok ? (parsed.query.ports ?? portNumbers).toSorted() : portNumbers;
}

/**
 * Returns `field` with its port filter replaced. All ports, or no port, removes the filter. Invalid text is dropped.
 */
export function withPorts(field: string, ports: readonly PortNumber[]): string {
  const parsed = parseFilterField(field);
  const kept = parsed.ok ? parsed.tokens.filter(({ kind }) => kind !== 'ports') : [];
  const rest = kept.map(({ start, end }) => field.slice(start, end)).join(' ');
  if (ports.length === 0 || ports.length === portNumbers.length) {
    return rest;
  }
  return `port:${ports.toSorted().join(',')} ${rest}`;
}
