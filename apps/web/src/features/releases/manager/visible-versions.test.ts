import { expect, it } from 'vitest';
import { testVersion } from '../testing/releases.ts';
import { withPublicVersions } from './visible-versions.ts';

it.each([
  [[], null],
  [['1.0'], 'Version 1.0 becomes visible too.'],
  [['1.2', '1.1', '1.0'], 'Versions 1.2, 1.1 and 1.0 become visible too.'],
])('versions that become visible with their project are named: %j', (names, text) => {
  const versions = [...names.map((version) => testVersion({ version, isPublic: true })), testVersion()];
  expect(withPublicVersions({ versions })).toBe(text);
});
