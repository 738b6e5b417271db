/** Ways to connect a board: the browser's dialog, a port that was allowed before, or a demo board. */
import { type PortNumber, sessionFailureText } from '@wirebench/serial';
import { Cable, ChevronDown, Copy, FlaskConical, Lock, Plug } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { deviceName } from '../../../hardware/device-name.ts';
import { type PortPlace, permittedPlaces } from '../../../hardware/permitted-ports.ts';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { copyText } from '../../../shared/files/copy-text.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { Menu } from '../../../shared/ui/menu.tsx';
import { GuidanceLink } from '../../../workbench/guidance-link.tsx';
import type { DemoBoard } from '../page-family.ts';
import { connect, connectPicked } from '../store/flash-actions.ts';
import { pageFamily } from '../store/flasher-store.ts';
import { TerminalPorts } from './acquired-port.tsx';
import styles from './board-card.module.css';
import { SharedBoardWay } from './shared-board-way.tsx';

export interface ConnectBoardProps {
  readonly port: PortNumber;
  /** Further ways to connect a board of this family. */
  readonly ways?: ReactNode;
}

export function ConnectBoard({ port, ways: others }: ConnectBoardProps) {
  const ways = (
    <>
      <TerminalPorts />
      {others}
      <SharedBoardWay port={port} />
    </>
  );
  switch (serialSupport()) {
    case 'ready':
      return <PickBoard port={port} ways={ways} />;
    case 'insecure-context':
      return <InsecureContext port={port} ways={ways} />;
    case 'unsupported':
      return <UnsupportedBrowser port={port} ways={ways} />;
  }
}

const connectDemo = (port: PortNumber, { source }: DemoBoard) => void connect(port, source);

function PickBoard({ port, ways }: ConnectBoardProps) {
  const { words, demos } = pageFamily();
  const [places, setPlaces] = useState<readonly PortPlace[]>([]);
  const look = async () => setPlaces(await permittedPlaces());
  return (
    <>
      <p className={styles['text']}>{words.connect}</p>
      <div className={styles['split']}>
        <Button variant="primary" icon={<Plug />} onClick={() => void connectPicked(port)}>
          Choose port
        </Button>
        <Menu
          align="end"
          items={[
            ...places.map((place) => ({
              label: `${place.index + 1}: ${deviceName(place.info)}, allowed before`,
              icon: <Cable />,
              onSelect: () => void connect(port, { kind: 'serial', place }),
            })),
            ...demos.map((demo) => ({
              label: demo.label,
              icon: <FlaskConical />,
              onSelect: () => connectDemo(port, demo),
            })),
          ]}
          trigger={(props) => (
            <Button
              {...props}
              variant="primary"
              icon={<ChevronDown />}
              aria-label="Other ways to connect a board"
              onClick={() => {
                void look();
                props.onClick();
              }}
            />
          )}
        />
      </div>
      {ways}
      <TryDemo port={port} />
      <p className="small">{words.adapters}</p>
    </>
  );
}

/** Shown if the page came over plain http from another machine: browsers deny serial ports to such pages. */
function InsecureContext({ port, ways }: ConnectBoardProps) {
  const { host, pathname, search, port: httpPort } = location;
  return (
    <>
      <p className={styles['text']}>
        Browsers open serial ports only for pages served over https or from the same computer. Open this page over
        https, or, on the computer that runs Wirebench, at{' '}
        <code>{`http://localhost${httpPort ? `:${httpPort}` : ''}${pathname}`}</code>.
      </p>
      <a className={buttonClass({ variant: 'primary' })} href={`https://${host}${pathname}${search}`}>
        <Lock />
        Open over https
      </a>
      <GuidanceLink topic="serial-access-blocked" />
      {ways}
      <DemoOnly port={port} />
    </>
  );
}

/** Shown if the browser has no Web Serial. The demo works without it. */
function UnsupportedBrowser({ port, ways }: ConnectBoardProps) {
  const copy = () => copyText(location.href, 'Link to the flasher copied');
  return (
    <>
      <p className={styles['text']}>{sessionFailureText.unsupported}</p>
      <Button variant="primary" className={styles['wide']} icon={<Copy />} onClick={() => void copy()}>
        Copy link for later
      </Button>
      <GuidanceLink topic="serial-access-blocked" />
      {ways}
      <DemoOnly port={port} />
    </>
  );
}

function DemoOnly({ port }: ConnectBoardProps) {
  return (
    <>
      <TryDemo port={port} />
      <p className="small">The {pageFamily().demos[0].label} is simulated and works in every browser.</p>
    </>
  );
}

function TryDemo({ port }: ConnectBoardProps) {
  const [demo] = pageFamily().demos;
  return (
    <Button className={styles['wide']} icon={<FlaskConical />} onClick={() => connectDemo(port, demo)}>
      Try the {demo.label}
    </Button>
  );
}
