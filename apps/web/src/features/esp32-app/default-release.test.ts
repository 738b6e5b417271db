import { demoReleaseId, probeReleaseIds, releasePath } from '@wirebench/contract/constants';
import { describe, expect, it } from 'vitest';
import { defaultRelease, isDemoRelease, otherChipRelease } from './default-release.ts';

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

  it('may be the demo, or somebody else’s, which has no other one', () => {
    const demo = releasePath('version', demoReleaseId);
    expect([isDemoRelease(demo, origin), isDemoRelease(`${origin}${demo}`, origin)]).toEqual([true, true]);
    expect(otherChipRelease(demo, origin)).toBeNull();
    expect([isDemoRelease(other, origin), otherChipRelease(other, origin)]).toEqual([false, null]);
  });
});
