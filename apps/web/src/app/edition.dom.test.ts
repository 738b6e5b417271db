/** The constants of the build, set as the static edition for the folder `/tools/` of a host sets them. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('BASE_PATH', '/tools');
  vi.stubGlobal('STATIC_EDITION', true);
});
afterEach(() => vi.unstubAllGlobals());

describe('the static edition below a path', () => {
  it('has no server, and every page is below the path', async () => {
    const { hasServer } = await import('../shared/edition.ts');
    const { esp32BenchPage, guidancePath, logPage, pagePaths, staticPages } = await import(
      '@wirebench/contract/constants'
    );
    expect(hasServer).toBe(false);
    const paths = [...Object.values(pagePaths), ...Object.values(staticPages), esp32BenchPage, logPage];
    expect(paths.filter((path) => !path.startsWith('/tools/'))).toEqual([]);
    expect(guidancePath('device-not-found')).toBe('/tools/app/esp-flasher/docs#device-not-found');
  });

  it('answers its pages and files offline, and nothing outside of its folder', async () => {
    const { offlineAnswer } = await import('../shared/offline/offline-rules.ts');
    const origin = 'https://host.example';
    const kept = new Set(['/tools/', '/tools/esp_flasher.html', '/tools/theme.js']);
    const answer = (path: string, navigation: boolean) =>
      offlineAnswer({ method: 'GET', navigation, url: new URL(path, origin) }, origin, kept);
    for (const path of ['/tools/', '/tools/app/uart', '/tools/app/uart/']) {
      expect(answer(path, true)).toEqual({ from: 'kept-page', url: '/tools/' });
    }
    expect(answer('/tools/esp_flasher.html?manifest=a.json', true)).toEqual({
      from: 'kept-page',
      url: '/tools/esp_flasher.html',
    });
    expect(answer('/tools/assets/gone-Zz9yX8w7.js', false)).toMatchObject({ from: 'kept-file' });
    for (const path of ['/tools/releases.json', '/tools/releases/node/app.bin', '/assets/other.js', '/theme.js']) {
      expect(answer(path, false)).toEqual({ from: 'network' });
    }
  });

  it('takes any address for that of a manifest, and ignores releases of a server', async () => {
    const { releaseLink } = await import('../features/flasher/release/release-link.ts');
    const here = 'https://host.example/tools/esp_flasher.html';
    expect(releaseLink('releases/node/flasher_args', here)).toEqual({
      ok: true,
      address: `/tools/esp_flasher.html?${new URLSearchParams({ manifest: 'https://host.example/tools/releases/node/flasher_args' })}`,
    });
    const { releaseSource } = await import('../pages/flasher/use-release-source.ts');
    expect(releaseSource('?type=version&id=abc')).toBeNull();
    expect(releaseSource('?manifest=releases/node/manifest.json')).not.toBeNull();
  });
});
