import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../build/web.ts';
import { scenes } from './scenes/index.ts';

const folder = join(root, 'apps', 'web', 'public', 'videos');
const names = Object.keys(scenes);
const read = (file: string) => readFileSync(join(folder, file));

/** Returns the seconds of every cue, written as `mm:ss.mmm --> mm:ss.mmm`. */
function cues(text: string): { from: number; to: number }[] {
  const seconds = (minutes = '', rest = '') => Number(minutes) * 60 + Number(rest);
  return [...text.matchAll(/^(\d\d):([\d.]+) --> (\d\d):([\d.]+)/gm)].map(([, a, b, c, d]) => ({
    from: seconds(a, b),
    to: seconds(c, d),
  }));
}

describe('demo videos', () => {
  it('are there with captions and a still, and nothing else is', () => {
    const expected = names.flatMap((name) => [`${name}.vtt`, `${name}.webm`, `${name}.webp`]);
    expect(readdirSync(folder).sort()).toEqual(expected.sort());
  });

  it.each(names)('%s has at most 1 MB, and is a WebM file', (name) => {
    expect(statSync(join(folder, `${name}.webm`)).size).toBeLessThanOrEqual(1_000_000);
    expect(statSync(join(folder, `${name}.webp`)).size).toBeLessThanOrEqual(60_000);
    // The EBML header (RFC 8794, section 11.2.1) names the document type.
    const head = read(`${name}.webm`).subarray(0, 64);
    expect(head.readUInt32BE(0)).toBe(0x1a45dfa3);
    expect(head.toString('latin1')).toContain('webm');
  });

  it.each(names)('captions of %s fit a phone: at most 40 characters a line', (name) => {
    const lines = read(`${name}.vtt`).toString().split('\n');
    expect(lines.filter((line) => line.length > 40 && !line.includes('-->'))).toEqual([]);
  });

  it.each(names)('%s says what happens from the first second on, one caption after the other', (name) => {
    const all = cues(read(`${name}.vtt`).toString());
    expect(all.length).toBeGreaterThanOrEqual(5);
    expect(all[0]?.from).toBeLessThan(1);
    for (const [index, { from, to }] of all.entries()) {
      expect(to - from).toBeGreaterThanOrEqual(1.9);
      expect(all[index + 1]?.from ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(to);
    }
  });
});
