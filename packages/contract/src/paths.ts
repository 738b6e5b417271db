/** Addresses of the product. Router, links, API client and the server's static answers share them. */
import type { GuidanceTopic } from './guidance.ts';
import type { DeviceFamily } from './release-rules.ts';

/** Pages of the app: the server answers each with the app's document. */
export const pagePaths = {
  home: '/',
  intro: '/intro',
  privacy: '/privacy',
  terms: '/terms',
  uart: '/app/uart',
  uartDocs: '/app/uart/docs',
  espFlasher: '/app/esp-flasher',
  espFlasherDocs: '/app/esp-flasher/docs',
  releases: '/app/releases',
  releasesDocs: '/app/releases/docs',
  esp32: '/app/wirebench-esp32',
  esp32Docs: '/app/wirebench-esp32/docs',
  /** Leads to the first guide. */
  docs: '/docs',
  admin: '/admin',
  adminReports: '/admin/reports',
  adminItems: '/admin/items',
  adminAccounts: '/admin/accounts',
  adminFeedback: '/admin/feedback',
  adminAudit: '/admin/audit',
} as const;

/** Documents of their own, outside the app's router. */
export const staticPages = {
  espFlasher: '/esp_flasher.html',
  stmFlasher: '/stm_flasher.html',
  nrfFlasher: '/nrf_flasher.html',
  release: '/release.html',
  signInCallback: '/sign-in-callback.html',
  signOutCallback: '/sign-out-callback.html',
  silentCheck: '/silent-check-sso.html',
  /** Answers the identity provider's login-status check in its place. */
  loginStatus: '/login-status.html',
} as const;

/** The ESP32 bench. A constant of its own: the home page does not link there, and its script has no byte to spare. */
export const esp32BenchPage = '/esp32_bench.html';

/** A bench that somebody shares, with `?id=` and the room's id. A constant of its own as well: links lead there. */
export const livePage = '/live.html';

/** The font of the sign-in window: the one name of a font that does not change with the build. */
export const signInFontPath = '/fonts/sign-in.woff2';

/** Calls of the server. */
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

/** The share link of a project or a version, without the origin. `id` is a share id. */
export function releasePath(type: 'project' | 'version', id: string): string {
  return `${staticPages.release}?type=${type}&id=${encodeURIComponent(id)}`;
}

/** Families of chips that have a flasher. Not all of them have releases. */
export type FlasherFamily = DeviceFamily | 'nrf';

export const flasherPages = {
  esp: staticPages.espFlasher,
  stm: staticPages.stmFlasher,
  nrf: staticPages.nrfFlasher,
} as const satisfies Record<FlasherFamily, string>;

/** The flasher of a family with a release filled in, without the origin. `id` is a share id. */
export function flasherPath(family: DeviceFamily, type: 'project' | 'version', id: string): string {
  return `${flasherPages[family]}?type=${type}&id=${encodeURIComponent(id)}`;
}

/** Where the documentation says what to do about `topic`. Here, so that pages with one such link do without all headings. */
export function guidancePath(topic: GuidanceTopic): string {
  return `${pagePaths.espFlasherDocs}#${topic}`;
}
