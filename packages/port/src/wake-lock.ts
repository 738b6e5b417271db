/**
 * Keeps the screen on while a board is written (W3C, Screen Wake Lock). A phone stops a page soon after its screen is
 * off. Reads no document: callers pass it.
 */

interface WakeLock {
  request(type: 'screen'): Promise<{ release(): Promise<void> }>;
}

/** The used part of a page. */
export interface AwakePage {
  /** `navigator.wakeLock`; missing in older browsers and over plain http. */
  readonly wakeLock: WakeLock | undefined;
  readonly document: {
    readonly visibilityState: string;
    addEventListener(type: 'visibilitychange', listener: () => void): void;
    removeEventListener(type: 'visibilitychange', listener: () => void): void;
  };
}

/** Words for work that failed after its page was in the background. */
export const backgroundText = {
  what: 'The page was in the background, where a phone may stop it.',
  remedy: 'Keep it in front and the screen on, then write the rest: what is on the board is kept.',
} as const;

/**
 * Holds the lock from before `act` until it settles in any way. The browser releases it while the page is hidden, so it
 * is asked for again. A browser without it, or one that refuses, changes nothing.
 *
 * @param onStopped Called if `act` fails after the page was hidden.
 */
export async function whileAwake<Result>(
  { wakeLock, document }: AwakePage,
  act: () => Promise<Result>,
  onStopped: (error: unknown) => void,
): Promise<Result> {
  let isOver = false;
  let wasHidden = false;
  let release = () => Promise.resolve();
  const ask = async () => {
    if (document.visibilityState !== 'visible') {
      wasHidden = true;
      return;
    }
    const lock = await wakeLock?.request('screen').catch(() => undefined);
    if (isOver) {
      await lock?.release();
    } else if (lock !== undefined) {
      release = () => lock.release();
    }
  };
  const follow = () => void ask();
  document.addEventListener('visibilitychange', follow);
  follow();
  try {
    return await act();
  } catch (error) {
    if (wasHidden) {
      onStopped(error);
    }
    throw error;
  } finally {
    isOver = true;
    document.removeEventListener('visibilitychange', follow);
    void release().catch(() => 'released by the browser');
  }
}
