import { describe, expect, it } from 'vitest';
import { type PageFacts, supportOf, supportWords } from './support.ts';

const page: PageFacts = {
  isSecure: true,
  hasSerial: true,
  hasUsb: true,
  isPhone: false,
  allowsSerial: true,
  allowsUsb: true,
  isRecent: true,
};

describe('support of a page', () => {
  it.each([
    ['ready', {}],
    ['ready', { hasSerial: false }],
    ['insecure', { isSecure: false, hasSerial: false, hasUsb: false }],
    ['unsupported', { hasSerial: false, hasUsb: false }],
    ['unsupported', { hasSerial: false, hasUsb: false, isPhone: true }],
    ['ready', { hasSerial: false, isPhone: true }],
    ['ready', { isPhone: true }],
    ['policy', { allowsSerial: false }],
    ['ready', { allowsUsb: false }],
    ['policy', { isPhone: true, allowsUsb: false }],
    ['ready', { isPhone: true, allowsSerial: false }],
    ['outdated', { isRecent: false }],
  ] as const)('is %s for %j', (support, facts) => {
    expect(supportOf({ ...page, ...facts })).toBe(support);
  });

  it('has slots by the names of ESP Web Tools', () => {
    const slots = (['insecure', 'unsupported', 'outdated'] as const).map((one) => supportWords(one, 'other').slot);
    expect(slots).toEqual(['not-allowed', 'unsupported', 'unsupported']);
  });

  it('names what can reach boards on each phone, and another browser in Safari', () => {
    expect(supportWords('unsupported', 'iphone').text).toBe(
      'No browser on an iPhone or iPad can reach boards. Open this page on a computer with Chrome, Edge or Firefox, or on an Android phone.',
    );
    expect(supportWords('unsupported', 'android').text).toBe(
      'On an Android phone, Chrome, Edge, Opera and Samsung Internet can reach boards. Open this page in one of them, or on a computer.',
    );
    expect(supportWords('unsupported', 'safari').text).toBe(
      'Safari cannot use serial ports. Open this page in Chrome, Edge or Firefox.',
    );
  });
});
