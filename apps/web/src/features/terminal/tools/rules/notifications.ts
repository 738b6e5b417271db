/** Notifications of the desktop for rules: permission, and at most one every few seconds for each rule. */

/** In milliseconds. */
const pause = 5_000;
const lastShown = new Map<string, number>();
/** True: the browser takes notifications from service workers only, as Chrome on Android does. */
let isUnsupported = typeof Notification === 'undefined';

/** Returns `unsupported` in browsers without notifications, as on iPhones. */
function notificationState(): NotificationPermission | 'unsupported' {
  return isUnsupported ? 'unsupported' : Notification.permission;
}

/** Asks the browser, which asks the person. Call it from a click. */
export async function askForNotifications(): Promise<void> {
  if (notificationState() === 'default') {
    await Notification.requestPermission();
  }
}

/** @param id Rule. A newer notification replaces the older one of the same rule. */
export function showNotification(id: string, title: string, body: string): void {
  const now = performance.now();
  if (notificationState() !== 'granted' || now - (lastShown.get(id) ?? Number.NEGATIVE_INFINITY) < pause) {
    return;
  }
  lastShown.set(id, now);
  try {
    const shown = new Notification(title, { body, tag: `wirebench-rule-${id}` });
    shown.addEventListener('click', () => window.focus());
  } catch (error) {
    if (!(error instanceof TypeError)) {
      throw error;
    }
    isUnsupported = true;
  }
}

/** Says why notifications do not come; null if they do, or if the browser has not been asked. */
export function notificationFault(): string | null {
  switch (notificationState()) {
    case 'denied':
      return 'This browser refuses notifications from this site. Allow them in the settings of the site, beside the address, then load this page again.';
    case 'unsupported':
      return 'This browser has no notifications. Use a note or a sound instead.';
    default:
      return null;
  }
}
