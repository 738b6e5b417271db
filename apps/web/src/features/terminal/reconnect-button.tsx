/** Offers to open the ports again that were open when the page was reloaded. */

import { fieldsOf, parseJson } from '@wirebench/contract/json';
import { type PortNumber, portNumbers } from '@wirebench/serial';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { permittedPlaces, sameInfo } from '../../hardware/permitted-ports.ts';
import { tabStorage } from '../../shared/storage/browser-storage.ts';
import { Button } from '../../shared/ui/button.tsx';
import { toast } from '../../shared/ui/toast.ts';
import { benchStatus } from '../../workbench/bench-status.ts';
import { connectSource } from '../../workbench/port-picker/connect-port.ts';
import { portName, terminalSettingsNow } from './settings/settings-store.ts';

const storageKey = 'wirebench.open-ports';

interface OpenBoard {
  readonly port: PortNumber;
  /** Null: a demo device. */
  readonly info: SerialPortInfo | null;
}

/** Parses the stored list. Invalid entries are skipped. */
function readOpenBoards(text: string | null): readonly OpenBoard[] {
  const stored = parseJson(text ?? '[]');
  return (Array.isArray(stored) ? stored : []).flatMap((entry): OpenBoard[] => {
    const { port, info } = fieldsOf(entry);
    const place = portNumbers.find((known) => known === port);
    return place === undefined ? [] : [{ port: place, info: info === null ? null : readInfo(info) }];
  });
}

function readInfo(value: unknown): SerialPortInfo {
  const { usbVendorId, usbProductId } = fieldsOf(value);
  return {
    ...(typeof usbVendorId === 'number' && { usbVendorId }),
    ...(typeof usbProductId === 'number' && { usbProductId }),
  };
}

/** Ports that were open when this page was loaded, in this tab. */
const openBefore = readOpenBoards(tabStorage.getItem(storageKey));

let written: string | null = null;

benchStatus.onTick(({ status, devices }) => {
  const open = portNumbers.flatMap((port): OpenBoard[] => {
    const kind = devices[port]?.kind;
    const { state, info } = status.ports[port];
    // The ports of a shared bench belong to its host.
    return state === 'disconnected' || kind === 'remote' ? [] : [{ port, info: kind === 'demo' ? null : (info ?? {}) }];
  });
  const text = JSON.stringify(open);
  // A page that has opened nothing yet keeps the list of the page before it.
  if (text !== written && (open.length > 0 || written !== null)) {
    written = text;
    keep(text);
  }
});

/** Without room for the list, nothing is offered after a reload. */
function keep(text: string): void {
  try {
    tabStorage.setItem(storageKey, text);
  } catch (error) {
    if (!(error instanceof DOMException)) {
      throw error;
    }
  }
}

export function ReconnectButton() {
  const [busy, setBusy] = useState(false);
  if (openBefore.length === 0 || written !== null) {
    return null;
  }
  const reconnect = async () => {
    setBusy(true);
    await reopen(openBefore);
    setBusy(false);
  };
  return (
    <Button icon={<RotateCcw />} busy={busy} onClick={() => void reconnect()}>
      Reconnect what was open
    </Button>
  );
}

/** Connects each board to its port. A board that is not found is named, with the remedy. */
async function reopen(boards: readonly OpenBoard[]): Promise<void> {
  const places = [...(await permittedPlaces())];
  const missing: string[] = [];
  for (const { port, info } of boards) {
    const { settings } = terminalSettingsNow().ports[port];
    const index = info === null ? -1 : places.findIndex((place) => sameInfo(place.info, info));
    const [place] = index < 0 ? [] : places.splice(index, 1);
    if (info === null) {
      await connectSource(port, { kind: 'demo' }, settings);
    } else if (place !== undefined) {
      await connectSource(port, { kind: 'serial', place }, settings);
    } else {
      missing.push(portName(terminalSettingsNow(), port));
    }
  }
  if (missing.length > 0) {
    toast(`No board was found for ${new Intl.ListFormat('en-GB').format(missing)}.`, {
      level: 'warning',
      detail: 'Plug it in, then press Connect and pick it again.',
    });
  }
}
