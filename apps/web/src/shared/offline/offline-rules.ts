/**
 * Decides, by method and address alone, how the service worker answers a request. Addresses without a rule go to the
 * network. The worker itself is `entries/offline.worker.ts`.
 */
import { basePath } from '@wirebench/boards';
import { apiPaths, pagePaths, staticPages } from '@wirebench/contract/constants';
import { hasServer } from '../edition.ts';

/** A cached file of the build. */
export interface OfflineFile {
  /** Path without the origin. The app's document is `pagePaths.home`. */
  readonly url: string;
  /** Subresource integrity, so that files of two builds are never mixed. Null if the name contains a content hash. */
  readonly integrity: string | null;
}

export type OfflineAnswer =
  | { readonly from: 'network' }
  /** The cached file at `url`. */
  | { readonly from: 'kept-file'; readonly url: string }
  /** The cached document at `url`. The query of the address is ignored. */
  | { readonly from: 'kept-page'; readonly url: string }
  /** The network. Offline: the cached document at `url`, which explains what is missing. */
  | { readonly from: 'network-or-page'; readonly url: string };

/** Path of the app's document among the cached files. */
const appDocument = pagePaths.home;

/** Path prefixes that only the server answers. */
const serverPaths: readonly string[] = ['/api', '/realms', apiPaths.config, apiPaths.metrics];

/** Documents that are never cached, because a sign-in passes through them. */
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

/** @param kept Addresses of the cached files of the app at `origin`. */
export function offlineAnswer(
  { method, navigation, url }: OfflineQuestion,
  origin: string,
  kept: ReadonlySet<string>,
): OfflineAnswer {
  const path = url.pathname === appDocument ? appDocument : url.pathname.replace(/\/$/, '');
  const ofServer =
    serverDocuments.includes(path) || serverPaths.some((own) => path === own || path.startsWith(`${own}/`));
  if (method !== 'GET' || url.origin !== origin || ofServer) {
    return { from: 'network' };
  }
  if (hasServer && path === staticPages.release) {
    // A release must be current. Offline, its page says that it needs the network.
    return navigation ? { from: 'network-or-page', url: path } : { from: 'network' };
  }
  if (navigation) {
    if (appPages.includes(path)) {
      return { from: 'kept-page', url: appDocument };
    }
    return kept.has(path) ? { from: 'kept-page', url: path } : { from: 'network-or-page', url: appDocument };
  }
  // A page of an earlier version may still request one of its files below `assets/`.
  const isFile = (kept.has(path) && path !== appDocument) || path.startsWith(`${basePath}/assets/`);
  return isFile && url.search === '' ? { from: 'kept-file', url: path } : { from: 'network' };
}
