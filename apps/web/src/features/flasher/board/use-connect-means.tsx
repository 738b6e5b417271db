/** Ways to connect a board: the browser's dialog, a port that was allowed before, a shared board, or a demo board. */

import { deviceName } from '@wirebench/boards/device-name';
import { type PortNumber, sessionFailureText } from '@wirebench/serial';
import { Cable, Copy, FlaskConical, HardDrive, Link2, Lock, Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type PortPlace, permittedPlaces } from '../../../hardware/permitted-ports.ts';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { hasServer } from '../../../shared/edition.ts';
import { Button } from '../../../shared/ui/button.tsx';
import type { MenuAction } from '../../../shared/ui/menu.tsx';
import { copyLink, otherBrowserWay, sendPage } from '../../../workbench/other-browser.tsx';
import type { DemoBoard } from '../page-family.ts';
import { connect, connectPicked, connectPickedDrive } from '../store/flash-actions.ts';
import { pageFamily } from '../store/flasher-store.ts';
import { showSharedBoards } from './shared-board-way.tsx';

export interface ConnectMeans {
  /** Action of the main button. Must be called directly from a click. */
  readonly connect: () => void;
  /** Words of the main button if this browser cannot open ports; else null. */
  readonly label: string | null;
  readonly icon: ReactNode;
  /** Reason why this page cannot open ports; else null. */
  readonly reason: ReactNode;
  readonly others: readonly (MenuAction | 'separator')[];
  /** Looks for ports that were allowed before. Called when the menu opens. */
  readonly look: () => void;
  /** Button for the first demo board. */
  readonly demo: ReactNode;
}

const connectDemo = (port: PortNumber, { source }: DemoBoard) => void connect(port, source);

export function useConnectMeans(port: PortNumber): ConnectMeans {
  const { demos, pickDrive } = pageFamily();
  const [places, setPlaces] = useState<readonly PortPlace[]>([]);
  const [first] = demos;
  const support = serialSupport();
  const others: MenuAction[] = [
    ...places.map((place) => ({
      label: `${place.index + 1}: ${deviceName(place.info)}, allowed before`,
      icon: <Cable />,
      onSelect: () => void connect(port, { kind: 'serial', place }),
    })),
    ...(pickDrive === undefined
      ? []
      : [{ label: 'Choose its drive', icon: <HardDrive />, onSelect: () => void connectPickedDrive(port, pickDrive) }]),
    ...demos.map((demo) => ({
      label: demo.label,
      icon: <FlaskConical />,
      onSelect: () => connectDemo(port, demo),
    })),
    ...(support === 'unsupported' && otherBrowserWay().canSend
      ? [{ label: 'Copy the link', icon: <Copy />, onSelect: () => void copyLink() }]
      : []),
    ...(hasServer ? [{ label: 'Use a shared board', icon: <Link2 />, onSelect: showSharedBoards }] : []),
  ];
  return {
    ...mainWay(support, port),
    others,
    look: () => {
      if (support === 'ready') {
        void permittedPlaces().then(setPlaces);
      }
    },
    demo: (
      <Button key="demo" size="lg" icon={<FlaskConical />} onClick={() => connectDemo(port, first)}>
        Try the {first.label}
      </Button>
    ),
  };
}

/** @param support Browsers deny serial ports to pages over plain http from another machine. */
function mainWay(
  support: ReturnType<typeof serialSupport>,
  port: PortNumber,
): Pick<ConnectMeans, 'connect' | 'label' | 'icon' | 'reason'> {
  const { host, pathname, search, port: httpPort } = location;
  const way = otherBrowserWay();
  switch (support) {
    case 'ready':
      return { connect: () => void connectPicked(port), label: null, icon: null, reason: null };
    case 'insecure-context':
      return {
        connect: () => location.assign(`https://${host}${pathname}${search}`),
        label: 'Open over https',
        icon: <Lock />,
        reason: (
          <>
            Browsers open serial ports only for pages served over https or from the same computer. Open this page over
            https, or, on the computer that runs Wirebench, at{' '}
            <code>{`http://localhost${httpPort ? `:${httpPort}` : ''}${pathname}`}</code>.
          </>
        ),
      };
    case 'unsupported':
      return {
        connect: () => void (way.canSend ? sendPage() : copyLink()),
        label: way.canSend ? 'Send to a computer' : 'Copy the link',
        icon: way.canSend ? <Send /> : <Copy />,
        reason: (
          <>
            {sessionFailureText.unsupported} {way.text} The {pageFamily().demos[0].label} is simulated and works in
            every browser.
          </>
        ),
      };
  }
}
