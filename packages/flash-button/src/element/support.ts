/** Decides whether a page can reach boards, and says why it cannot. */

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
  /** False: a permissions policy denies serial ports. True also if the browser does not tell. */
  readonly isAllowed: boolean;
  /** True: the JavaScript of 2023, such as `Promise.withResolvers` (Chromium 119). */
  readonly isRecent: boolean;
}

export function supportOf({ isSecure, hasSerial, hasUsb, isAllowed, isRecent }: PageFacts): Support {
  if (!isSecure) {
    return 'insecure';
  }
  if (!hasSerial && !hasUsb) {
    return 'unsupported';
  }
  if (!isAllowed) {
    return 'policy';
  }
  return isRecent ? 'ready' : 'outdated';
}

/** Sentence for each reason. The page may replace it by the slot of that name. */
export const supportText = {
  insecure: {
    slot: 'not-allowed',
    text: 'Boards can be flashed only from a page that is open over https, or from localhost.',
  },
  policy: {
    slot: 'not-permitted',
    text: 'The page around this one does not let it use serial ports. Its frame needs allow="serial".',
  },
  unsupported: {
    slot: 'unsupported',
    text: 'This browser cannot reach boards. Use Chrome, Edge or another Chromium browser on a computer.',
  },
  outdated: {
    slot: 'unsupported',
    text: 'This browser is too old to flash boards. Update it, then open this page again.',
  },
} as const satisfies Record<Exclude<Support, 'ready'>, { readonly slot: string; readonly text: string }>;

interface PolicyDocument {
  readonly featurePolicy?: { allowsFeature(name: string): boolean };
}

export function pageFacts(): PageFacts {
  const { featurePolicy } = document as Document & PolicyDocument;
  return {
    isSecure: isSecureContext,
    hasSerial: 'serial' in navigator,
    hasUsb: 'usb' in navigator,
    isAllowed: featurePolicy?.allowsFeature('serial') ?? true,
    isRecent: 'withResolvers' in Promise && 'any' in AbortSignal,
  };
}
