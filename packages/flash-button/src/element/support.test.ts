import { describe, expect, it } from 'vitest';
import { type PageFacts, supportOf, supportWords } from './support.ts';

const page: PageFacts = {
  isSecure: true,
  hasSerial: true,
  hasUsb: true,
  isPhone: false,
  isAllowed: true,
  isRecent: true,
};

describe('support of a page', () => {
  it.each([
    ['ready', {}],
    ['ready', { hasSerial: false }],
    ['insecure', { isSecure: false, hasSerial: false, hasUsb: false }],
    ['unsupported', { hasSerial: false, hasUsb: false }],
    ['unsupported', { hasSerial: false, isPhone: true }],
    ['ready', { isPhone: true }],
    ['policy', { isAllowed: false }],
    ['outdated', { isRecent: false }],
  ] as const)('is %s for %j', (support, facts) => {
    expect(supportOf({ ...page, ...facts })).toBe(support);
  });

  it('has slots by the names of ESP Web Tools', () => {
    const slots = (['insecure', 'unsupported', 'outdated'] as const).map((one) => supportWords(one, 'other').slot);
    expect(slots).toEqual(['not-allowed', 'unsupported', 'unsupported']);
  });

  it('names a computer on a phone, and another browser in Safari', () => {
    expect(supportWords('unsupported', 'phone').text).toBe(
      'This needs a computer with Chrome, Edge or Firefox, and a USB cable. Send yourself this page, and open it there.',
    );
    expect(supportWords('unsupported', 'safari').text).toBe(
      'Safari cannot use serial ports. Open this page in Chrome, Edge or Firefox.',
    );
  });
});
