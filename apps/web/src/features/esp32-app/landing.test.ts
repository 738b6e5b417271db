import { releasePath } from '@wirebench/boards';
import { demoReleaseId, probeReleaseIds } from '@wirebench/contract/constants';
import { describe, expect, it } from 'vitest';
import { defaultRelease, isDemoRelease, otherChipRelease } from './landing.tsx';

const origin = 'https://bench.example.org';
const other = 'https://elsewhere.example.org/release.html?type=version&id=x';

describe('the release that the page leads to', () => {
  it('is the product’s own as long as the server has not said otherwise, with one for the other chip', () => {
    expect(defaultRelease).toBe(releasePath('version', probeReleaseIds.esp32));
    expect(isDemoRelease(defaultRelease, origin)).toBe(false);
    expect(otherChipRelease(defaultRelease, origin)).toBe(
      `${origin}${releasePath('version', probeReleaseIds.esp32c3)}`,
    );
  });

  it('has the other one on the server that has the first', () => {
    const complete = `https://api.example.org${defaultRelease}`;
    expect(otherChipRelease(complete, origin)).toBe(
      `https://api.example.org${releasePath('version', probeReleaseIds.esp32c3)}`,
    );
  });

  it('may be the demo or a foreign release, which have no counterpart for another chip', () => {
    const demo = releasePath('version', demoReleaseId);
    expect([isDemoRelease(demo, origin), isDemoRelease(`${origin}${demo}`, origin)]).toEqual([true, true]);
    expect(otherChipRelease(demo, origin)).toBeNull();
    expect([isDemoRelease(other, origin), otherChipRelease(other, origin)]).toEqual([false, null]);
  });
});
