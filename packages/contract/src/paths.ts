/** Paths of the product. The router, links, the API client and the server's static answers share them. */
import { basePath, type FamilyId, families, familyIds, releasePage } from '@wirebench/boards';
import type { GuidanceTopic } from './guidance.ts';

/** Pages of the app. The server answers each with the app's document. */
export const pagePaths = {
  home: `${basePath}/`,
  intro: `${basePath}/intro`,
  privacy: `${basePath}/privacy`,
  terms: `${basePath}/terms`,
  uart: `${basePath}/app/uart`,
  uartDocs: `${basePath}/app/uart/docs`,
  espFlasher: `${basePath}/app/esp-flasher`,
  espFlasherDocs: `${basePath}/app/esp-flasher/docs`,
  releases: `${basePath}/app/releases`,
  releasesDocs: `${basePath}/app/releases/docs`,
  esp32: `${basePath}/app/wirebench-esp32`,
  esp32Docs: `${basePath}/app/wirebench-esp32/docs`,
  programsDocs: `${basePath}/app/programs/docs`,
  /** Redirects to the first guide. */
  docs: `${basePath}/docs`,
  admin: `${basePath}/admin`,
  adminReports: `${basePath}/admin/reports`,
  adminItems: `${basePath}/admin/items`,
  adminAccounts: `${basePath}/admin/accounts`,
  adminFeedback: `${basePath}/admin/feedback`,
  adminAudit: `${basePath}/admin/audit`,
  adminState: `${basePath}/admin/state`,
} as const;

type FlasherPages = { readonly [Id in FamilyId as `${Id}Flasher`]: string };

const flasherPages = Object.fromEntries(
  familyIds.map((family) => [`${family}Flasher`, families[family].page]),
) as unknown as FlasherPages;

/** Separate documents, outside the app's router. */
export const staticPages = {
  ...flasherPages,
  release: releasePage,
  signInCallback: `${basePath}/sign-in-callback.html`,
  signOutCallback: `${basePath}/sign-out-callback.html`,
  silentCheck: `${basePath}/silent-check-sso.html`,
  /** Replaces the identity provider's frame that checks the login status. */
  loginStatus: `${basePath}/login-status.html`,
} as const;

/**
 * The ESP32 bench. Not in `staticPages`, to keep it out of the home page's script, which has a size limit and no link
 * to it.
 */
export const esp32BenchPage = `${basePath}/esp32_bench.html`;

/**
 * A shared bench, with the room's ID in `?id=`. Separate from `staticPages` for the same reason; share links lead
 * here.
 */
export const livePage = `${basePath}/live.html`;

/** Opened logs. Separate from `staticPages` for the same reason. */
export const logPage = `${basePath}/log.html`;

/** The font of the sign-in window. The only font whose file name does not change with the build. */
export const signInFontPath = '/fonts/sign-in.woff2';

/** Paths of the server's calls. */
export const apiPaths = {
  config: '/config.json',
  health: '/api/health',
  ready: '/api/ready',
  docs: '/api/docs',
  metrics: '/metrics',
  feedback: '/api/feedback',
  feedbackStats: '/api/feedback/stats',
  feedbackExport: '/api/feedback/export',
} as const;

/**
 * Returns the link to the section of the documentation about `topic`. In this file, so that a page with one link does
 * not load all headings.
 */
export function guidancePath(topic: GuidanceTopic): string {
  return `${pagePaths.espFlasherDocs}#${topic}`;
}
