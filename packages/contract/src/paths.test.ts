import { releasePath } from '@wirebench/boards';
import { describe, expect, it } from 'vitest';
import { demoReleaseId, errorStatus, errorText, identityPaths, pagePaths, staticPages } from './constants.ts';

describe('paths', () => {
  it('name no address twice', () => {
    const all = [...Object.values(pagePaths), ...Object.values(staticPages)];
    expect(new Set(all).size).toBe(all.length);
  });

  it('build a share link with its type and share ID', () => {
    expect(releasePath('version', demoReleaseId)).toBe(`/release.html?type=version&id=${demoReleaseId}`);
    expect(demoReleaseId).toMatch(/^[\w-]{22}$/);
  });

  it("are Keycloak's for an identity provider, whatever the realm is called", () => {
    expect(identityPaths('my realm').token).toBe('/realms/my%20realm/protocol/openid-connect/token');
  });
});

describe('error codes', () => {
  it('have a sentence and a status of refusal each', () => {
    for (const [code, status] of Object.entries(errorStatus)) {
      expect(status).toBeGreaterThanOrEqual(400);
      expect(errorText).toHaveProperty(code);
    }
  });
});
