/** Decides whether a page can reach boards, and says why it cannot. */
import { type LackingBrowser, lackingBrowser, lackingWords, phoneKind } from '@wirebench/port/browser-support';
import { make } from './dom.ts';

/**
 * `insecure`: plain http on another machine. `policy`: the page that frames this one does not allow serial ports.
 * `outdated`: the browser has serial ports, but lacks JavaScript that the flasher needs.
 */
export type Support = 'ready' | 'insecure' | 'policy' | 'unsupported' | 'outdated';

/** Facts of the page, as the browser reports them. */
export interface PageFacts {
  readonly isSecure: boolean;
  readonly hasSerial: boolean;
  readonly hasUsb: boolean;
  /** True: a phone or a tablet, which reaches serial ports over WebUSB as well. */
  readonly isPhone: boolean;
  /** False: a permissions policy denies serial ports, or USB devices. True also if the browser does not tell. */
  readonly allowsSerial: boolean;
  readonly allowsUsb: boolean;
  /** True: the JavaScript of 2023, such as `Promise.withResolvers` (Chromium 119). */
  readonly isRecent: boolean;
}

export function supportOf(facts: PageFacts): Support {
  const { isSecure, hasSerial, hasUsb, isPhone, allowsSerial, allowsUsb, isRecent } = facts;
  if (!isSecure) {
    return 'insecure';
  }
  if (!hasSerial && !hasUsb) {
    return 'unsupported';
  }
  // On a phone, WebUSB has the boards of every family, and Web Serial may list none.
  if (isPhone && hasUsb ? !allowsUsb : !allowsSerial) {
    return 'policy';
  }
  return isRecent ? 'ready' : 'outdated';
}

/** Sentence for each reason. The page may replace it by the slot of that name. */
const supportText = {
  insecure: {
    slot: 'not-allowed',
    text: 'Boards can be flashed only from a page that is open over https, or from localhost.',
  },
  policy: {
    slot: 'not-permitted',
    text: 'The page around this one does not let it use boards. Its frame needs allow="serial; usb".',
  },
  outdated: {
    slot: 'unsupported',
    text: 'This browser is too old to flash boards. Update it, then open this page again.',
  },
} as const satisfies Record<Exclude<Support, 'ready' | 'unsupported'>, SlotText>;

interface SlotText {
  readonly slot: string;
  readonly text: string;
}

/** @param browser Named by its user agent. */
export function supportWords(support: Exclude<Support, 'ready'>, browser: LackingBrowser = lackingBrowser()): SlotText {
  const { what, remedy } = lackingWords[browser];
  return support === 'unsupported' ? { slot: 'unsupported', text: `${what} ${remedy}` } : supportText[support];
}

/** Returns the buttons that take the page to a computer or to another browser. */
export function waysElsewhere(): HTMLElement[] {
  const copy = make('button', { type: 'button', part: 'elsewhere' }, 'Copy the link');
  copy.addEventListener('click', () => {
    // Pages over plain http have no clipboard.
    const copied = (navigator.clipboard as Clipboard | undefined)?.writeText(location.href) ?? Promise.reject();
    copied.then(
      () => {
        copy.textContent = 'Link copied';
      },
      () => prompt('Copy the link:', location.href),
    );
  });
  if (phoneKind() === null || !('share' in navigator)) {
    return [copy];
  }
  const send = make('button', { type: 'button', part: 'button elsewhere' }, 'Send to a computer');
  send.addEventListener('click', () => {
    // A person who closes the share sheet has decided.
    navigator.share({ title: document.title, url: location.href }).catch(() => undefined);
  });
  return [send, copy];
}

interface PolicyDocument {
  readonly featurePolicy?: { allowsFeature(name: string): boolean };
}

export function pageFacts(): PageFacts {
  const { featurePolicy } = document as Document & PolicyDocument;
  return {
    isSecure: isSecureContext,
    hasSerial: 'serial' in navigator,
    hasUsb: 'usb' in navigator,
    isPhone: phoneKind() !== null,
    allowsSerial: featurePolicy?.allowsFeature('serial') ?? true,
    allowsUsb: featurePolicy?.allowsFeature('usb') ?? true,
    isRecent: 'withResolvers' in Promise && 'any' in AbortSignal,
  };
}
