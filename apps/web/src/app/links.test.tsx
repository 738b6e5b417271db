/** Links of the guides and of the pages that lead to them. */
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { esp32BenchPage, guidancePath, guidanceTopics, pagePaths, staticPages } from '@wirebench/contract';
import { expect, it } from 'vitest';
import { pagesOf } from '../pages/docs/docs-model.ts';
import { guides } from '../pages/docs/guides.ts';
import { showPage, withWholePages } from '../workbench/testing/whole-page.tsx';

withWholePages();

/** Documents of their own: `every-page.spec.ts` opens each of them. */
const documents: readonly string[] = [...Object.values(staticPages), esp32BenchPage];

async function visit(path: string): Promise<void> {
  cleanup();
  await showPage(path, async () => (await import('./routes.tsx')).AppRoutes);
  await waitFor(() => expect(screen.getAllByRole('heading', { level: 1 }).length, path).toBeGreaterThan(0));
}

/** Returns an address in each page of each guide. */
async function pagesOfGuides(): Promise<string[]> {
  const ofGuide = async ({ path, load }: (typeof guides)[number]) =>
    pagesOf(await load()).map(({ sections: [first] }) => (first === undefined ? path : `${path}#${first.id}`));
  return (await Promise.all(guides.map(ofGuide))).flat();
}

it('every link of the documentation leads to a page and a place that are there', async () => {
  const targets = new Map<string, Set<string>>();
  const files = new Set<string>();
  const pages = await pagesOfGuides();
  expect(pages.length).toBeGreaterThan(20);
  for (const path of [...pages, pagePaths.home, pagePaths.intro, pagePaths.esp32]) {
    await visit(path);
    for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href]')) {
      const { origin, pathname, search, hash } = new URL(link.href);
      if (link.hasAttribute('download')) {
        files.add(pathname);
      } else if (origin === location.origin) {
        const places = targets.get(pathname + search) ?? new Set();
        targets.set(pathname + search, places.add(hash.slice(1)));
      }
    }
  }
  expect(targets.size).toBeGreaterThan(10);
  // `docs.spec.ts` shows that servers have these files.
  expect([...files].sort()).toEqual(['/publish-release.mjs', '/remote-port.mjs', '/wirebench.tgz']);
  for (const [path, places] of targets) {
    if (documents.includes(path.replace(/\?.*/, ''))) {
      expect([...places], path).toEqual(['']);
      continue;
    }
    await visit(path);
    expect(screen.queryByRole('heading', { name: 'There is no page at this address' }), path).toBeNull();
    for (const place of places) {
      if (place !== '' && document.getElementById(place) === null) {
        // It is on another page of the guide.
        await visit(`${path}#${place}`);
      }
      expect(place === '' || document.querySelectorAll(`#${place}`).length === 1, `${path}#${place}`).toBe(true);
    }
  }
});

it('each guidance topic is a headed remedy at its address', async () => {
  for (const [topic, title] of Object.entries(guidanceTopics)) {
    const path = guidancePath(topic as keyof typeof guidanceTopics);
    expect(path.endsWith(`#${topic}`), path).toBe(true);
    if (document.getElementById(topic) === null) {
      await visit(path);
    }
    const place = document.getElementById(topic);
    if (place === null) {
      throw new Error(`There is no ${path}.`);
    }
    expect(await within(place).findByRole('heading', { name: (name) => name.startsWith(title) })).toBeDefined();
    expect(place.querySelector('li'), topic).not.toBeNull();
  }
});
