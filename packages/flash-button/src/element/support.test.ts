import { describe, expect, it } from 'vitest';
import { type PageFacts, supportOf, supportText } from './support.ts';

const page: PageFacts = { isSecure: true, hasSerial: true, hasUsb: true, isAllowed: true, isRecent: true };

describe('support of a page', () => {
  it.each([
    ['ready', {}],
    ['ready', { hasSerial: false }],
    ['insecure', { isSecure: false, hasSerial: false, hasUsb: false }],
    ['unsupported', { hasSerial: false, hasUsb: false }],
    ['policy', { isAllowed: false }],
    ['outdated', { isRecent: false }],
  ] as const)('is %s for %j', (support, facts) => {
    expect(supportOf({ ...page, ...facts })).toBe(support);
  });

  it('has slots by the names of ESP Web Tools', () => {
    expect([supportText.insecure.slot, supportText.unsupported.slot]).toEqual(['not-allowed', 'unsupported']);
  });
});
