import { portNumbers } from '@wirebench/serial';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portsOf, withPorts } from './find-ports.ts';

describe('ports of the find field', () => {
  const ports = fc.subarray([...portNumbers], { minLength: 1 });

  it('are those that were put there, and the rest stays', () => {
    fc.assert(
      fc.property(ports, ports, fc.constantFrom('', 'wifi', '/a b/i', 'not:"a b" up'), (before, after, rest) => {
        const changed = withPorts(withPorts(rest, before), after);
        expect(portsOf(changed)).toEqual(after);
        expect(withPorts(changed, portNumbers)).toBe(rest);
      }),
    );
  });

  it('are all while the field does not say, or cannot be read', () => {
    expect(portsOf('wifi')).toEqual([1, 2, 3, 4]);
    expect(portsOf('port:7')).toEqual([1, 2, 3, 4]);
    expect(withPorts('wifi port:7', [2])).toBe('port:2 ');
  });

  it('are left out of quotes', () => {
    expect(withPorts('"port:1"', [2])).toBe('port:2 "port:1"');
  });
});
