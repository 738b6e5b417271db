/**
 * Decides by address alone what the service worker answers. Addresses without a rule go to the network. The worker
 * itself is `entries/offline.worker.ts`.
 */
import { apiPaths, pagePaths, staticPages } from '@wirebench/contract/constants';

/** A file of the build that is kept. */
export interface OfflineFile {
  /** Without the origin; the app's document is `/`. */
  readonly url: string;
  /** Subresource integrity, so that files of two builds are never kept together; null where the name has a hash of the content. */
  readonly integrity: string | null;
}

export type OfflineAnswer =
  | { readonly from: 'network' }
  /** The kept file at `url`. */
  | { readonly from: 'kept-file'; readonly url: string }
  /** The kept document at `url`, whatever follows the `?` of the address. */
  | { readonly from: 'kept-page'; readonly url: string }
  /** The network. Without one, the kept document at `url`, which explains what is missing. */
  | { readonly from: 'network-or-page'; readonly url: string };

/** The app's document among the kept files. */
export const appDocument = pagePaths.home;

/** Answered by the server alone, whatever follows in the path. */
const serverPaths: readonly string[] = ['/api', '/realms', apiPaths.config, apiPaths.metrics];

/** Documents that are never kept: a sign-in passes through them. */
export const serverDocuments: readonly string[] = [
  staticPages.signInCallback,
  staticPages.signOutCallback,
  staticPages.silentCheck,
  staticPages.loginStatus,
];

const appPages: readonly string[] = Object.values(pagePaths);

export interface OfflineQuestion {
  readonly method: string;
  /** A navigation loads a document. */
  readonly navigation: boolean;
  readonly url: URL;
}

/** @param kept the addresses of the kept files, of the app at `origin` */
export function offlineAnswer(
  { method, navigation, url }: OfflineQuestion,
  origin: string,
  kept: ReadonlySet<string>,
): OfflineAnswer {
  const path = url.pathname.length > 1 ? url.pathname.replace(/\/$/, '') : url.pathname;
  const ofServer =
    serverDocuments.includes(path) || serverPaths.some((own) => path === own || path.startsWith(`${own}/`));
  if (method !== 'GET' || url.origin !== origin || ofServer) {
    return { from: 'network' };
  }
  if (path === staticPages.release) {
    // A release is what the server says it is now; without it the page says that it needs the network.
    return navigation ? { from: 'network-or-page', url: path } : { from: 'network' };
  }
  if (navigation) {
    if (appPages.includes(path)) {
      return { from: 'kept-page', url: appDocument };
    }
    return kept.has(path) ? { from: 'kept-page', url: path } : { from: 'network-or-page', url: appDocument };
  }
  // A page of an earlier version may still ask for a file of its own below `/assets/`.
  const isFile = (kept.has(path) && path !== appDocument) || path.startsWith('/assets/');
  return isFile && url.search === '' ? { from: 'kept-file', url: path } : { from: 'network' };
}
