/**
 * The browser's own dialogs for ports. Available on the page only, and only directly in a click or key handler. A phone
 * has two, of Web Serial and of WebUSB. A press opens one.
 */
import type { PhoneList } from '@wirebench/usb-serial';
import { choiceFrom } from './dismissed-list.ts';
import { type PortPlace, permittedPorts, placeIn } from './permitted-ports.ts';
import { usesUsbPorts } from './serial-support.ts';

export type { PhoneList };

const loadChooser = () => import('./phone-chooser.ts');

// Loaded before the first press, whose activation does not last while a file comes.
if (usesUsbPorts()) {
  void loadChooser().catch(() => 'reported at the press');
}

/**
 * Lets the person pick a port. Returns null if the dialog was closed without a choice. Throws the browser's error if
 * it refuses, usually a `SecurityError`.
 *
 * @param list List that the person asks for on a phone. Missing: the one that most likely has the board.
 */
export async function requestPort(list?: PhoneList): Promise<PortPlace | null> {
  const picked = usesUsbPorts()
    ? await (await loadChooser()).choosePhonePort(list)
    : await choiceFrom('serial', () => navigator.serial.requestPort());
  if (picked === null) {
    return null;
  }
  return placeIn(await permittedPorts(), picked);
}
