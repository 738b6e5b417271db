import type { ProjectSummary, Version } from '@wirebench/contract';
import { describe, expect, it } from 'vitest';
import { isMarked, previewOf, withPreview } from './release-page.routes.ts';

const project: ProjectSummary = {
  _id: '01939c00-0000-7000-8000-000000000001',
  name: 'Blinker',
  description: 'Makes a light blink',
  deviceFamily: 'esp',
  deviceModel: 'esp32',
  publisher: 'maker',
  demo: false,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
};
const version: Version = {
  _id: '01939c00-0000-7000-8000-000000000002',
  shareId: 'a'.repeat(22),
  version: '1.2.0',
  description: '# Changes\n\n- faster **blinking**\n- `less` heat',
  isPublic: true,
  createdAt: '2026-11-20T12:00:00.000Z',
  writeCount: 0,
  console: null,
  files: [],
};
const url = 'https://bench.example.org';

describe('preview', () => {
  it('has the number of a version as title and its notes as description', () => {
    expect(previewOf(url, 'version', version.shareId, { project, version })).toEqual({
      title: 'Blinker 1.2.0: Wirebench',
      description: 'Changes faster blinking less heat',
      url: `${url}/release.html?type=version&id=${version.shareId}`,
      image: null,
    });
  });

  it('describes a project, whatever its newest version is', () => {
    expect(previewOf(url, 'project', 'id', { project, version })).toMatchObject({
      title: 'Blinker: Wirebench',
      description: 'Makes a light blink',
    });
    expect(
      previewOf(url, 'project', 'id', { project: { ...project, description: '' }, version: null }).description,
    ).toBe('Firmware by maker. Flash it from the browser.');
  });

  it('shows the sentence and the picture of a project, unless chats cannot show its type', () => {
    const file = { width: 1_600, height: 1_172, size: 9, sha256: 'ab' };
    const image = (type: string, theme: 'light' | 'dark') =>
      previewOf(url, 'project', 'id', {
        project: { ...project, sentence: 'Blinks as you like it.', picture: { text: '', [theme]: { ...file, type } } },
        version,
      });
    expect(image('image/png', 'light')).toMatchObject({
      description: 'Blinks as you like it.',
      image: `${url}/api/firmware/shared/project/id/picture?theme=light`,
    });
    expect(image('image/webp', 'dark').image).toBe(`${url}/api/firmware/shared/project/id/picture?theme=dark`);
    expect(image('image/avif', 'light').image).toBeNull();
    const page = withPreview('<!-- preview --><!-- /preview -->', image('image/jpeg', 'light'));
    expect(page).toContain('picture?theme=light">');
    expect(page).toContain('content="summary_large_image"');
  });

  it('is cut to the length that chats show', () => {
    const long = { ...project, description: 'wörter '.repeat(100) };
    expect([...previewOf(url, 'project', 'id', { project: long, version: null }).description]).toHaveLength(200);
  });

  it('is inserted as text in the marked place only', () => {
    const page = '<head><!-- preview --><title>Release</title><!-- /preview --></head><body>$& $1</body>';
    expect(isMarked(page)).toBe(true);
    const html = withPreview(page, {
      title: '</title><script>x</script>',
      description: '"> $& $1',
      url: `${url}/?a=1&b=2`,
      image: null,
    });
    expect(html).toMatch(/^<head><title>&lt;\/title&gt;&lt;script&gt;x&lt;\/script&gt;<\/title>/);
    expect(html).toContain('<meta property="og:description" content="&quot;&gt; $&amp; $1">');
    expect(html).toContain(`<meta property="og:image" content="${url}/previews/social.png">`);
    expect(html).toContain('<link rel="canonical" href="https://bench.example.org/?a=1&amp;b=2">');
    expect(html.endsWith('</head><body>$& $1</body>')).toBe(true);
    expect(html).not.toContain('<script>');
  });

  it('leaves a page without the mark unchanged', () => {
    const page = '<head><title>Release</title></head>';
    expect(isMarked(page)).toBe(false);
    expect(withPreview(page, { title: 'x', description: 'y', url, image: null })).toBe(page);
  });
});
