/**
 * Leads from the document of a flasher into the app without leaving the document, so that boards and logs stay. Fetched
 * once the document is shown.
 */
import type { ComponentType } from 'react';
import { appNavigation } from '../shared/app-navigation.ts';

/** Fetches the app. It does not start: this document shows it. */
export type LoadApp = () => Promise<{ readonly App: ComponentType }>;

/**
 * From now on, pages of the app are shown in this document.
 *
 * @param page Path of the document's own page.
 * @param onApp Receives the app when the first other page is to be shown. The address is already that page's.
 * @returns Function that ends it, unless the app was entered.
 */
export function enterAppFrom(page: string, loadApp: LoadApp, onApp: (App: ComponentType) => void): () => void {
  let going = false;
  /** @param leave Loads the page as a document, if the app does not come. */
  const show = async (enter: () => void, leave: () => void) => {
    if (going) {
      return;
    }
    going = true;
    try {
      const { App } = await loadApp();
      window.removeEventListener('popstate', onPopState);
      enter();
      onApp(App);
    } catch (error) {
      console.warn('The app could not be loaded into this document.', error);
      leave();
    }
  };
  appNavigation.show = (href) =>
    void show(
      () => history.pushState(null, '', href),
      () => location.assign(href),
    );
  // After a reload, Back stays in this document and leads to a page of the app.
  const onPopState = () => {
    if (location.pathname !== page) {
      void show(
        () => undefined,
        () => location.reload(),
      );
    }
  };
  window.addEventListener('popstate', onPopState);
  return () => window.removeEventListener('popstate', onPopState);
}
