/** Asks for a port on a phone, and remembers the list that worked. Loaded on phones alone. */
import { PhoneChooser, type PhoneList, type PlatformFacts } from '@wirebench/usb-serial';
import { browserStorage, isStorageFull } from '../shared/storage/browser-storage.ts';
import { setDismissedList } from './dismissed-list.ts';
import { phoneSerial } from './phone-ports.ts';

const storageKey = 'wirebench.board-list';

const chooser = new PhoneChooser({
  ports: phoneSerial,
  hasSerial: 'serial' in navigator,
  platform: navigator as PlatformFacts,
  memory: {
    get: () => {
      const stored = browserStorage.getItem(storageKey);
      return stored === 'serial' || stored === 'usb' ? stored : null;
    },
    set: remember,
  },
});

/**
 * Lets the person pick a port. Returns null if the list was closed without a choice, or if one is open.
 *
 * @param wanted List that the person asks for. Missing: the one that most likely has the board.
 */
export async function choosePhonePort(wanted?: PhoneList): Promise<SerialPort | null> {
  const choice = await chooser.choose(wanted);
  if ('port' in choice) {
    setDismissedList(null);
    return choice.port;
  }
  if ('closed' in choice) {
    setDismissedList(choice.closed === 'usb' ? 'adapters' : 'serial');
  } else if (choice.refused === 'portless') {
    setDismissedList('portless');
  }
  return null;
}

function remember(list: PhoneList | null): void {
  if (list === null) {
    browserStorage.removeItem(storageKey);
    return;
  }
  try {
    browserStorage.setItem(storageKey, list);
  } catch (error) {
    // Without room for it, the next visit begins with the list that fits the system.
    if (!isStorageFull(error)) {
      throw error;
    }
  }
}
