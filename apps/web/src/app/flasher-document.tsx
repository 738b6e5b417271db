/**
 * The document of a flasher that was opened at its own address. It starts without the router. The first link to
 * another page of the app fetches the app and shows it in the same document.
 */
import { type FamilyId, families } from '@wirebench/boards';
import { type ComponentType, useEffect, useState } from 'react';
import { benchPage } from './bench-page.ts';
import type { LoadApp } from './enter-app.ts';
import { type FlasherModule, startFlasherPage } from './flasher-page.ts';
import { startDocument } from './start-document.tsx';
import { ToolDocument } from './tool-document.tsx';

interface FlasherDocumentParts {
  readonly loadPage: () => Promise<FlasherModule>;
  /** Fetches the app, which this document shows when another page is opened. */
  readonly loadApp: LoadApp;
}

export function startFlasherDocument(family: FamilyId, { loadPage, loadApp }: FlasherDocumentParts): void {
  const Content = benchPage(async () => startFlasherPage(await loadPage()));
  startDocument(<FlasherDocument family={family} Content={Content} loadApp={loadApp} />);
}

interface FlasherDocumentProps {
  readonly family: FamilyId;
  readonly Content: ComponentType<object>;
  readonly loadApp: LoadApp;
}

function FlasherDocument({ family, Content, loadApp }: FlasherDocumentProps) {
  const { name, page } = families[family];
  const [App, setApp] = useState<ComponentType | null>(null);
  useEffect(() => {
    let end: (() => void) | null = null;
    let ended = false;
    import('./enter-app.ts').then(
      ({ enterAppFrom }) => {
        if (!ended) {
          end = enterAppFrom(page, loadApp, (Loaded) => setApp(() => Loaded));
        }
      },
      // Links load documents then.
      (error: unknown) => console.warn('The way into the app could not be loaded.', error),
    );
    return () => {
      ended = true;
      end?.();
    };
  }, [page, loadApp]);
  useEffect(() => {
    if (App !== null) {
      // Keyboard and screen reader start at the beginning of the page, as they would in a new document.
      document.getElementById('main')?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
  }, [App]);
  return App === null ? (
    <ToolDocument title={`${name} flasher: Wirebench`}>
      <Content />
    </ToolDocument>
  ) : (
    <App />
  );
}
