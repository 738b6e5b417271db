/** The bench without a board: its description, and the ways to connect one. */

import { deviceName } from '@wirebench/boards/device-name';
import { sessionFailureText } from '@wirebench/serial';
import { Cable, ChevronDown, FlaskConical, Lock, Plug, RotateCcw, X } from 'lucide-react';
import { useState } from 'react';
import { type PortPlace, permittedPlaces } from '../../../hardware/permitted-ports.ts';
import { serialSupport } from '../../../hardware/serial-support.ts';
import { type LabFailure, labPort } from '../../../protocol/lab-protocol.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { buttonClass } from '../../../shared/ui/button-class.ts';
import { Menu } from '../../../shared/ui/menu.tsx';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { FailureCard } from '../../../workbench/failure-card.tsx';
import { GuidanceLink } from '../../../workbench/guidance-link.tsx';
import { OtherBrowserButtons, otherBrowserWay } from '../../../workbench/other-browser.tsx';
import { NoBoardChosen } from '../../../workbench/port-picker/no-board-chosen.tsx';
import { PortBusyCard } from '../../../workbench/remedies/port-busy-card.tsx';
import { cancel, connect, connectAgain, connectPicked, demoBoards, dismissFailure } from '../store/lab-actions.ts';
import { labNow, useLab } from '../store/lab-store.ts';
import { getTabPorts, infoOf } from '../store/lab-tab-ports.ts';
import styles from './connect-view.module.css';
import { FlashCheckSwitch, FlashResult, Hashing } from './flash-check.tsx';

/** Codes for a board that did not enter its boot ROM by itself. A person can put it there by hand. */
const byHand: readonly (string | null)[] = [
  'no-answer',
  'nothing-at-all',
  'normal-boot',
  'boot-loop',
  'empty-flash',
  'nothing-to-start',
  'no-sync-reply',
  'garbage',
];

/** Card that says why no board is on the bench, with its remedy. */
function Failure({ failure }: { readonly failure: LabFailure }) {
  const { code, message, remedy, detail } = failure;
  if (code === 'port-busy') {
    return (
      <PortBusyCard
        getTabPorts={getTabPorts}
        info={infoOf(labNow())}
        again="Connect again"
        onReleased={() => void connectAgain()}
        actions={
          <>
            <TryAgain />
            <Dismiss />
          </>
        }
        dismiss={<Dismiss />}
      />
    );
  }
  return (
    <FailureCard
      title={message.replace(/\.$/, '')}
      actions={
        <>
          <TryAgain />
          {byHand.includes(code) ? (
            <Button onClick={() => void connectAgain(true)}>I held BOOT and pressed EN</Button>
          ) : null}
          <Dismiss />
        </>
      }
    >
      {remedy === null ? null : <p>{remedy}</p>}
      {detail === null ? null : (
        <p>
          <code>{detail}</code>
        </p>
      )}
      {code === null ? null : <p>Nothing was written to flash.</p>}
    </FailureCard>
  );
}

/** Connects again. A demo board that was unplugged is plugged in first. */
function TryAgain() {
  const known = useLab((state) => state.source !== null);
  const pulled = useBenchStatus(({ devices }) => devices[labPort]?.kind === 'demo' && !devices[labPort].plugged);
  const again = async () => {
    if (pulled) {
      await getBench().call('plugDemo', labPort, true);
    }
    await connectAgain();
  };
  return known ? (
    <Button variant="primary" icon={<RotateCcw />} onClick={() => void again()}>
      Connect again
    </Button>
  ) : null;
}

function Dismiss() {
  return (
    <Button variant="quiet" icon={<X />} onClick={dismissFailure}>
      Dismiss
    </Button>
  );
}

export function ConnectView() {
  const phase = useLab((state) => state.phase);
  const failure = useLab((state) => state.failure);
  const check = useLab(({ tick }) => tick.flash);
  const waits = phase === 'connecting' || phase === 'leaving';
  return (
    <div className={styles['view']}>
      <div className={styles['column']}>
        {failure === null || waits ? null : <Failure failure={failure} />}
        {check === null || waits ? null : <FlashResult check={check} />}
        {waits ? check !== null && check.reading !== null ? <Hashing /> : <Connecting /> : <Ways />}
      </div>
    </div>
  );
}

const stepText = {
  opening: 'Opening the port…',
  resetting: 'Resetting the board into its boot ROM…',
  synchronising: 'Waiting for the boot ROM to answer…',
  identifying: 'Asking the chip what it is…',
  'changing-baud-rate': 'Raising the baud rate…',
  ready: 'Reading the pins…',
};

function Connecting() {
  const step = useLab(({ tick }) => tick.step);
  return (
    <section className={`card ${styles['card']}`} aria-label="Connecting">
      <p className="row" role="status">
        <Spinner /> {stepText[step ?? 'opening']}
      </p>
      <Button onClick={cancel}>Cancel</Button>
    </section>
  );
}

function Ways() {
  const support = serialSupport();
  return (
    <section className={`card ${styles['card']}`} aria-label="Connect a board">
      <h2>Put a board on the bench</h2>
      <p>
        Any ESP32 or ESP32-C3 that can be flashed becomes an instrument: it is reset into its boot ROM, and pins, I2C,
        analog, PWM, SPI and UART are driven from there. Its own firmware stays as it is, and runs again after Leave.
      </p>
      {support === 'ready' ? <PickBoard /> : support === 'unsupported' ? <UnsupportedBrowser /> : <InsecureContext />}
      <FlashCheckSwitch />
      <p className="small">
        Experimental: tried in an emulator with the chips’ own ROM code, and not on real chips yet. Start with a board
        that you can afford to lose, and nothing valuable wired to it.
      </p>
    </section>
  );
}

function PickBoard() {
  const [places, setPlaces] = useState<readonly PortPlace[]>([]);
  const look = async () => setPlaces(await permittedPlaces());
  return (
    <>
      <div className="buttons">
        <span className={styles['split']}>
          <Button variant="primary" size="lg" icon={<Plug />} onClick={() => void connectPicked()}>
            Connect
          </Button>
          <Menu
            align="end"
            items={[
              { label: 'Choose a port…', icon: <Plug />, movesFocus: true, onSelect: () => void connectPicked() },
              ...places.map((place) => ({
                label: `${place.index + 1}: ${deviceName(place.info)}, allowed before`,
                icon: <Cable />,
                movesFocus: true,
                onSelect: () => void connect({ kind: 'serial', place }),
              })),
              'separator' as const,
              ...demoBoards.map(({ label, source }) => ({
                label,
                icon: <FlaskConical />,
                movesFocus: true,
                onSelect: () => void connect(source),
              })),
            ]}
            trigger={(props) => (
              <Button
                {...props}
                variant="primary"
                size="lg"
                icon={<ChevronDown />}
                aria-label="Other ways to connect a board"
                onClick={() => {
                  void look();
                  props.onClick();
                }}
              />
            )}
          />
        </span>
        <Demo />
      </div>
      <NoBoardChosen hasBoard={false} again={(list) => void connectPicked(list)} />
      <p className="small">Works with CP210x, CH340, CH9102, FTDI and the built-in USB of the C3.</p>
    </>
  );
}

/** Shown if the page came over plain http from another machine: browsers deny serial ports to such pages. */
function InsecureContext() {
  const { host, pathname, port } = location;
  return (
    <>
      <p>
        Browsers open serial ports only for pages served over https or from the same computer. Open this page over
        https, or, on the computer that runs Wirebench, at{' '}
        <code>{`http://localhost${port ? `:${port}` : ''}${pathname}`}</code>.
      </p>
      <div className="buttons">
        <a className={buttonClass({ variant: 'primary', size: 'lg' })} href={`https://${host}${pathname}`}>
          <Lock />
          Open over https
        </a>
        <Demo />
      </div>
      <GuidanceLink topic="serial-access-blocked" />
    </>
  );
}

/** Shown if the browser has no Web Serial. The demo works without it. */
function UnsupportedBrowser() {
  return (
    <>
      <p>{sessionFailureText.unsupported}</p>
      <p>{otherBrowserWay().text}</p>
      <div className="buttons">
        <OtherBrowserButtons />
        <Demo />
      </div>
      <GuidanceLink topic="serial-access-blocked" />
    </>
  );
}

function Demo() {
  return (
    <Button size="lg" icon={<FlaskConical />} onClick={() => void connect(demoBoards[0].source)}>
      Try the {demoBoards[0].label}
    </Button>
  );
}
