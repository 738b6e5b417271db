import { expect, it } from 'vitest';
import { securityTitle } from './security-title.ts';

const open = { secureBoot: false, flashEncryption: false, secureDownload: false };

it('says in one line how a board protects itself', () => {
  expect(securityTitle(open)).toBe('Open: anyone with a cable can read and write');
  expect(securityTitle({ ...open, secureBoot: true })).toBe('Secure boot is on');
  expect(securityTitle({ secureBoot: true, flashEncryption: true, secureDownload: true })).toBe(
    'Secure boot is on, flash is encrypted, written by cable, not read',
  );
  expect(securityTitle({ secureBoot: null, flashEncryption: null, secureDownload: false })).toBeNull();
});
