import {
  apiPaths,
  demoReleaseId,
  flasherPath,
  identityPaths,
  pagePaths,
  releasePath,
  staticPages,
} from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { offlineAnswer } from './offline-rules.ts';

const origin = 'https://bench.example.org';
const kept = new Set(['/', staticPages.espFlasher, '/theme.js', '/assets/main-B1ab2Cd3.js']);

const visit = (path: string) =>
  offlineAnswer({ method: 'GET', navigation: true, url: new URL(path, origin) }, origin, kept);
const load = (path: string, method = 'GET') =>
  offlineAnswer({ method, navigation: false, url: new URL(path, origin) }, origin, kept);

describe('what is answered without the network', () => {
  it.each(Object.values(pagePaths))('%s is the kept document of the app', (path) => {
    expect(visit(path)).toEqual({ from: 'kept-page', url: '/' });
    expect(visit(`${path}?x=1`)).toEqual({ from: 'kept-page', url: '/' });
    expect(visit(path === '/' ? path : `${path}/`)).toEqual({ from: 'kept-page', url: '/' });
  });

  it('a flasher is its own document, also with a release in its address', () => {
    for (const path of [staticPages.espFlasher, flasherPath('esp', 'version', demoReleaseId)]) {
      expect(visit(path)).toEqual({ from: 'kept-page', url: staticPages.espFlasher });
    }
  });

  it('files are what was kept, those of an earlier build included', () => {
    for (const path of ['/theme.js', '/assets/main-B1ab2Cd3.js', '/assets/gone-Zz9yX8w7.js']) {
      expect(load(path)).toEqual({ from: 'kept-file', url: path });
    }
  });

  it('an unknown page is asked for, and is the app where there is no network', () => {
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

describe('what is never answered', () => {
  it.each([
    ...Object.values(apiPaths),
    '/api',
    '/api/docs/index.html',
    '/api/firmware/projects',
    '/api/shared/versions/x/files/1',
    '/realms/wirebench/protocol/openid-connect/auth',
    ...Object.values(staticPages).filter((path) => !path.includes('flasher') && path !== staticPages.release),
  ])('%s', (path) => {
    expect(visit(path)).toEqual({ from: 'network' });
    expect(load(path)).toEqual({ from: 'network' });
    expect(load(`${path.split('?')[0]}/`)).toEqual({ from: 'network' });
  });

  it('what is sent, what is of another origin, and what was not kept', () => {
    expect(load('/theme.js', 'POST')).toEqual({ from: 'network' });
    expect(load('https://elsewhere.example.org/theme.js')).toEqual({ from: 'network' });
    expect(load('/videos/uart.webm')).toEqual({ from: 'network' });
    expect(load('/theme.js?other')).toEqual({ from: 'network' });
    expect(load('/')).toEqual({ from: 'network' });
  });

  it('the way to the identity provider, wherever its realm is', () => {
    expect(visit(`${identityPaths('any').realm}/account`)).toEqual({ from: 'network' });
  });
});
