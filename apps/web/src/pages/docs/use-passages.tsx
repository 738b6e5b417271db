/** Passages for the search: those of the shown guide, and of the others once they are loaded. */
import { type RefObject, useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import type { DocsDocument } from './docs-model.ts';
import { type DocsPassage, passagesIn } from './docs-search.ts';
import { DocsSections } from './docs-sections.tsx';
import { type Guide, guides } from './guides.ts';

export interface GuidePassage extends DocsPassage {
  /** The guide that it is in; null for the one that is shown. */
  readonly guide: Guide | null;
}

export interface Passages {
  /** Passages of the shown guide come first. */
  readonly passages: readonly GuidePassage[];
  /** The other guides could not be loaded. */
  readonly incomplete: boolean;
  /** Reads the guides. Call it when the user is about to search. */
  readonly read: () => void;
}

export function usePassages(path: string, article: RefObject<HTMLElement | null>): Passages {
  const [shown, setShown] = useState<readonly GuidePassage[]>([]);
  const [others, setOthers] = useState<readonly GuidePassage[]>([]);
  const [incomplete, setIncomplete] = useState(false);
  const asked = useRef(false);
  const read = useCallback(() => {
    setShown(article.current === null ? [] : passagesIn(article.current).map((each) => ({ ...each, guide: null })));
    if (asked.current) {
      return;
    }
    asked.current = true;
    Promise.all(guides.filter((guide) => guide.path !== path).map(passagesOf)).then(
      (found) => {
        setOthers(found.flat());
        setIncomplete(false);
      },
      (error: unknown) => {
        asked.current = false;
        setIncomplete(true);
        console.warn('The other guides could not be loaded.', error);
      },
    );
  }, [path, article]);
  return { passages: [...shown, ...others], incomplete, read };
}

async function passagesOf(guide: Guide): Promise<GuidePassage[]> {
  const passages = passagesOfDocument(await guide.load());
  return passages.map((passage) => ({ ...passage, guide }));
}

/** A guide is components: its text is there once they are rendered, outside of the page. Pictures in it are not fetched. */
function passagesOfDocument(guide: DocsDocument): DocsPassage[] {
  const article = document.createElement('article');
  const root = createRoot(article);
  flushSync(() =>
    root.render(
      <MemoryRouter>
        <DocsSections document={guide} />
      </MemoryRouter>,
    ),
  );
  const passages = passagesIn(article);
  root.unmount();
  return passages;
}
