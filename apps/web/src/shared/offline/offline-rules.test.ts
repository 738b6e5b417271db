import { flasherPath, releasePath } from '@wirebench/boards';
import { apiPaths, demoReleaseId, identityPaths, pagePaths, staticPages } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { offlineAnswer } from './offline-rules.ts';

const origin = 'https://bench.example.org';
const kept = new Set(['/', staticPages.espFlasher, '/theme.js', '/assets/main-B1ab2Cd3.js']);

const visit = (path: string) =>
  offlineAnswer({ method: 'GET', navigation: true, url: new URL(path, origin) }, origin, kept);
const load = (path: string, method = 'GET') =>
  offlineAnswer({ method, navigation: false, url: new URL(path, origin) }, origin, kept);

describe('cached answers', () => {
  it.each(Object.values(pagePaths))('are the document of the app for %s', (path) => {
    expect(visit(path)).toEqual({ from: 'kept-page', url: '/' });
    expect(visit(`${path}?x=1`)).toEqual({ from: 'kept-page', url: '/' });
    expect(visit(path === '/' ? path : `${path}/`)).toEqual({ from: 'kept-page', url: '/' });
  });

  it('are the flasher document for a flasher, also with a release in its address', () => {
    for (const path of [staticPages.espFlasher, flasherPath('esp', 'version', demoReleaseId)]) {
      expect(visit(path)).toEqual({ from: 'kept-page', url: staticPages.espFlasher });
    }
  });

  it('are stored files, including those of an earlier build', () => {
    for (const path of ['/theme.js', '/assets/main-B1ab2Cd3.js', '/assets/gone-Zz9yX8w7.js']) {
      expect(load(path)).toEqual({ from: 'kept-file', url: path });
    }
  });

  it('are the app for an unknown page only without a network', () => {
    for (const path of ['/nowhere', '/app/unknown', '/apiary', '/unbuilt.html']) {
      expect(visit(path)).toEqual({ from: 'network-or-page', url: '/' });
    }
  });
});

describe('a release', () => {
  it.each([staticPages.release, releasePath('project', demoReleaseId), releasePath('version', demoReleaseId)])(
    '%s comes from the server, and without a network its page says so',
    (path) => {
      expect(visit(path)).toEqual({ from: 'network-or-page', url: staticPages.release });
      expect(load(path)).toEqual({ from: 'network' });
    },
  );
});

describe('answers from the network only', () => {
  it.each([
    ...Object.values(apiPaths),
    '/api',
    '/api/docs/index.html',
    '/api/firmware/projects',
    '/api/shared/versions/x/files/1',
    '/realms/wirebench/protocol/openid-connect/auth',
    ...Object.values(staticPages).filter((path) => !path.includes('flasher') && path !== staticPages.release),
  ])('include %s', (path) => {
    expect(visit(path)).toEqual({ from: 'network' });
    expect(load(path)).toEqual({ from: 'network' });
    expect(load(`${path.split('?')[0]}/`)).toEqual({ from: 'network' });
  });

  it('include calls with a body, other origins, and files that are not cached', () => {
    expect(load('/theme.js', 'POST')).toEqual({ from: 'network' });
    expect(load('https://elsewhere.example.org/theme.js')).toEqual({ from: 'network' });
    expect(load('/videos/uart.webm')).toEqual({ from: 'network' });
    expect(load('/theme.js?other')).toEqual({ from: 'network' });
    expect(load('/')).toEqual({ from: 'network' });
  });

  it('include the identity provider in any realm', () => {
    expect(visit(`${identityPaths('any').realm}/account`)).toEqual({ from: 'network' });
  });
});
