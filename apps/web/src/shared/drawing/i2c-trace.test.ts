import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Edge, edgePath, type I2cPart, i2cTrace, i2cWidth } from './i2c-trace.ts';

const levelAt = (edges: readonly Edge[], at: number) => edges.findLast((edge) => edge.at <= at)?.high ?? true;

/** Reads the bus as a device does: data at each rising clock, start and stop by SDA while the clock is high. */
function decoded({ scl, sda }: ReturnType<typeof i2cTrace>): string[] {
  const events = [
    ...scl.slice(1).map((edge) => ({ ...edge, line: 'scl' })),
    ...sda.slice(1).map((edge) => ({ ...edge, line: 'sda' })),
  ].sort((one, other) => one.at - other.at);
  const found: string[] = [];
  let bits: boolean[] = [];
  for (const { at, high, line } of events) {
    if (line === 'sda' && levelAt(scl, at)) {
      found.push(high ? 'stop' : 'start');
      bits = [];
    } else if (line === 'scl' && high) {
      bits.push(levelAt(sda, at));
      if (bits.length === 9) {
        const value = bits.slice(0, 8).reduce((sum, bit) => sum * 2 + Number(bit), 0);
        found.push(`${value}${bits[8] ? '' : ' acknowledged'}`);
        bits = [];
      }
    }
  }
  return found;
}

const byte = (value: number, acknowledged = true): I2cPart => ({ kind: 'byte', value, acknowledged });

describe('I2C trace', () => {
  it('is read by a device as the transfer that was drawn', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 255 }), fc.boolean()), { maxLength: 6 }), (bytes) => {
        const drawn = bytes.map(([value, acknowledged]) => byte(value, acknowledged));
        const trace = i2cTrace([{ kind: 'start' }, ...drawn, { kind: 'restart' }, byte(0xed), { kind: 'stop' }]);
        expect(decoded(trace)).toEqual([
          'start',
          ...bytes.map(([value, acknowledged]) => `${value}${acknowledged ? ' acknowledged' : ''}`),
          'start',
          '237 acknowledged',
          'stop',
        ]);
      }),
    );
  });

  it('is as wide as its parts', () => {
    const parts: I2cPart[] = [{ kind: 'start' }, byte(0xec), byte(0xd0, false), { kind: 'stop' }];
    expect(i2cTrace(parts).width).toBe(parts.reduce((sum, part) => sum + i2cWidth(part), 0));
  });

  it('is a path that begins and ends at the edges of the drawing', () => {
    const { sda, width } = i2cTrace([{ kind: 'start' }, { kind: 'stop' }]);
    expect(edgePath(sda, width, { bit: 10, high: 2, low: 8 })).toBe('M0 2H11V8H31V2H40');
  });
});
