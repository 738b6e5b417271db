/**
 * Support of browsers for boards, and the words for those that lack it. The one place that decides it, for every tool
 * and for pages of other people. Reads no document: callers pass what the browser reports.
 */

/** Operating system of the user, for remedies that depend on it. */
export type OperatingSystem = 'linux' | 'mac' | 'windows' | 'other';

/**
 * Returns the desktop operating system. Android and iOS count as `other`, because remedies for a desktop do not apply
 * there.
 */
export function operatingSystem(agent: string = navigator.userAgent): OperatingSystem {
  if (/Android|iPhone|iPad/.test(agent)) {
    return 'other';
  }
  if (/Windows/.test(agent)) {
    return 'windows';
  }
  if (/Mac OS X/.test(agent)) {
    return 'mac';
  }
  return /Linux/.test(agent) ? 'linux' : 'other';
}

/** A browser without serial ports. `phone`: a phone or a tablet, with any browser. */
export type LackingBrowser = 'phone' | 'safari' | 'old-firefox' | 'old-chromium' | 'other';

/** First versions with Web Serial on computers: Chrome and Edge 89, Firefox 151 (their release notes). */
const serialVersions = { chromium: 89, firefox: 151 } as const;

/**
 * Names a browser that has no serial ports.
 *
 * @param touchPoints `navigator.maxTouchPoints`. Safari on an iPad says that it is a Mac, which has none.
 */
export function lackingBrowser(
  agent: string = navigator.userAgent,
  touchPoints: number = 'maxTouchPoints' in navigator ? Number(navigator.maxTouchPoints) : 0,
): LackingBrowser {
  if (/Android|iPhone|iPad|iPod|Mobile/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1)) {
    return 'phone';
  }
  const version = (pattern: RegExp) => Number(pattern.exec(agent)?.[1] ?? 0);
  const [firefox, chromium] = [version(/\bFirefox\/(\d+)/), version(/\bChrome\/(\d+)/)];
  if (firefox > 0) {
    return firefox < serialVersions.firefox ? 'old-firefox' : 'other';
  }
  if (chromium > 0) {
    return chromium < serialVersions.chromium ? 'old-chromium' : 'other';
  }
  return /\bSafari\//.test(agent) ? 'safari' : 'other';
}

interface LackingWords {
  /** Names what is needed, in one sentence. */
  readonly what: string;
  /** The next step, in one sentence. */
  readonly remedy: string;
}

const otherBrowser = 'Open this page in Chrome, Edge or Firefox.';

export const lackingWords = {
  phone: {
    what: 'This needs a computer with Chrome, Edge or Firefox, and a USB cable.',
    remedy: 'Send yourself this page, and open it there.',
  },
  safari: { what: 'Safari cannot use serial ports.', remedy: otherBrowser },
  'old-firefox': {
    what: `Firefox can use serial ports from version ${serialVersions.firefox} on.`,
    remedy: 'Update it, or open this page in Chrome or Edge.',
  },
  'old-chromium': {
    what: `Chrome and Edge can use serial ports from version ${serialVersions.chromium} on.`,
    remedy: 'Update the browser, then open this page again.',
  },
  other: {
    what: 'This browser cannot use serial ports.',
    remedy: `${otherBrowser} An administrator may have switched serial ports off.`,
  },
} as const satisfies Record<LackingBrowser, LackingWords>;
