import { describe, expect, it } from 'vitest';
import { mayUseFloatingPoint } from './arm-attributes.ts';

const text = (value: string) => [...new TextEncoder().encode(value), 0];
const sized = (vendor: string, content: readonly number[]) => {
  const body = [...text(vendor), ...content];
  return [body.length + 4, 0, 0, 0, ...body];
};
const ofFile = (...attributes: readonly number[]) => sized('aeabi', [1, attributes.length + 5, 0, 0, 0, ...attributes]);
const section = (...parts: readonly (readonly number[])[]) => Uint8Array.from([0x41, ...parts.flat()]);
/** CPU name, CPU architecture, profile. */
const cpu = [5, ...text('Cortex-M4'), 6, 13, 7, 0x4d];

describe('build attributes of an ARM program', () => {
  it('allow floating-point instructions by Tag_FP_arch', () => {
    expect(mayUseFloatingPoint(section(ofFile(...cpu, 10, 6)))).toBe(true);
    expect(mayUseFloatingPoint(section(ofFile(...cpu, 10, 0)))).toBe(false);
    expect(mayUseFloatingPoint(section(ofFile(...cpu)))).toBe(false);
  });

  it('are found behind those of another vendor, and behind a compatibility tag', () => {
    const other = sized('gnu', [1, 6, 0, 0, 0, 10]);
    expect(mayUseFloatingPoint(section(other, ofFile(32, 1, ...text('x'), 67, ...text('2.09'), 10, 6)))).toBe(true);
  });

  it('say nothing in another form', () => {
    expect(mayUseFloatingPoint(Uint8Array.of(0x42, 1, 2, 3))).toBeNull();
    expect(mayUseFloatingPoint(section())).toBeNull();
    expect(mayUseFloatingPoint(section([0, 0, 0, 0, ...text('gnu')]))).toBeNull();
  });
});
