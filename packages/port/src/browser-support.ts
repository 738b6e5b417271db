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

/**
 * A browser without serial ports. `android`: another browser of the same phone or tablet has them over WebUSB. `iphone`:
 * no browser of an iPhone or iPad has them.
 */
export type LackingBrowser = 'android' | 'iphone' | 'safari' | 'old-firefox' | 'old-chromium' | 'other';

const reportedTouchPoints = () => ('maxTouchPoints' in navigator ? Number(navigator.maxTouchPoints) : 0);

/**
 * Returns the kind of a phone or tablet; null on a computer.
 *
 * @param touchPoints `navigator.maxTouchPoints`. Safari on an iPad says that it is a Mac, which has none.
 */
export function phoneKind(
  agent: string = navigator.userAgent,
  touchPoints: number = reportedTouchPoints(),
): 'android' | 'iphone' | null {
  if (/iPhone|iPad|iPod/.test(agent) || (/Macintosh/.test(agent) && touchPoints > 1)) {
    return 'iphone';
  }
  return /Android|Mobile/.test(agent) ? 'android' : null;
}

/** First versions with Web Serial on computers: Chrome and Edge 89, Firefox 151 (their release notes). */
const serialVersions = { chromium: 89, firefox: 151 } as const;

/** Names a browser that has no serial ports. Parameters: see `phoneKind`. */
export function lackingBrowser(
  agent: string = navigator.userAgent,
  touchPoints: number = reportedTouchPoints(),
): LackingBrowser {
  const phone = phoneKind(agent, touchPoints);
  if (phone !== null) {
    return phone;
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
  android: {
    what: 'On an Android phone, Chrome, Edge, Opera and Samsung Internet can reach boards.',
    remedy: 'Open this page in one of them, or on a computer.',
  },
  iphone: {
    what: 'No browser on an iPhone or iPad can reach boards.',
    remedy: 'Open this page on a computer with Chrome, Edge or Firefox, or on an Android phone.',
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

/** The sentence for a browser that has neither Web Serial nor WebUSB. */
const noSerialText = 'Web Serial API not supported in this browser. Please use Chrome or Edge (version 89+).';

/** Returns that sentence, and on a phone a second one with the next step there. */
export function noSerialWords(phone: ReturnType<typeof phoneKind> = phoneKind()): string {
  return phone === null ? noSerialText : `${noSerialText} ${lackingWords[phone].what} ${lackingWords[phone].remedy}`;
}

/** Returns the sentence for a phone that is ready, and for pages and browsers that are not. */
export function supportText(support: 'ready' | 'insecure-context' | 'unsupported'): string {
  switch (support) {
    case 'ready':
      return 'Boards on a USB cable are ready in this browser';
    case 'insecure-context':
      return 'Serial ports need a secure page: open it through https or localhost.';
    case 'unsupported':
      return noSerialWords();
  }
}
