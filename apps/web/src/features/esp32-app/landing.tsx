import { pagePaths } from '@wirebench/contract/constants';
import { ArrowUpRight, Zap } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Link } from 'react-router';
import { Badge } from '../../shared/ui/badge.tsx';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { benefits, capabilities, cloudKinds, contributing, type Point, steps } from './contents.tsx';
import { isDemoRelease } from './default-release.ts';
import { GoToRelease } from './go-to-release.tsx';
import styles from './landing.module.css';
import { useLatestRelease } from './latest-release.ts';
import { PinDrawing } from './pin-drawing.tsx';
import { RegisterDrawing, ScanDrawing } from './scan-drawing.tsx';

export interface LandingProps {
  /** Describes chips, and shows those that others share. */
  readonly chips: ReactNode;
}

export function Landing({ chips }: LandingProps) {
  const release = useRef<HTMLElement>(null);
  const address = useLatestRelease();
  const planned = isDemoRelease(address, location.origin);
  return (
    <div className={styles['page']}>
      <Hero address={address} planned={planned} />
      <section aria-labelledby="capabilities">
        <Heading id="capabilities" planned={planned}>
          Core capabilities
        </Heading>
        <ul className={styles['capabilities']}>
          <Points points={capabilities} />
        </ul>
      </section>
      <section id="how-it-works" aria-labelledby="how">
        <Heading id="how" planned={planned}>
          How it works
        </Heading>
        <ol className={styles['steps']}>
          <Points points={steps} />
        </ol>
      </section>
      <section aria-labelledby="benefits">
        <Heading id="benefits" planned={planned}>
          Why a spare board is worth it
        </Heading>
        <ul className={styles['benefits']}>
          <Points points={benefits} />
        </ul>
      </section>
      <section aria-labelledby="jkits">
        <h2 id="jkits">JKits: knowledge that loads with one click</h2>
        <p className={styles['lead']}>
          A JKit is a named set of messages for one device, in one file. Once you have worked out how to wake up,
          configure and read a chip, save the messages as a JKit. The next person with the same chip loads it and starts
          where you left off. JKits load into a panel of the{' '}
          <Link to={pagePaths.uart} className="link">
            serial terminal
          </Link>
          .
        </p>
      </section>
      <section aria-labelledby="cloud">
        <h2 id="cloud">The cloud ecosystem</h2>
        <p className={styles['lead']}>Find shared JKits by what the device does:</p>
        <ul className={styles['kinds']}>
          <Points points={cloudKinds} />
        </ul>
        <p className={`${styles['lead']} ${styles['chips']}`}>
          A chip JKit describes one device of an I2C or SPI bus: addresses, registers, how to recognise it, and formulas
          that turn its bytes into readings.
        </p>
        {chips}
      </section>
      <section aria-labelledby="contribute">
        <h2 id="contribute">How to contribute</h2>
        <ol className={styles['steps']}>
          <Points points={contributing} />
        </ol>
      </section>
      <Release section={release} address={address} planned={planned} />
      <GoToRelease section={release} />
    </div>
  );
}

interface HeadingProps {
  readonly id: string;
  readonly planned: boolean;
  readonly children: ReactNode;
}

/** The heading of a section; `planned`: what it describes is still to come. */
function Heading({ id, planned, children }: HeadingProps) {
  return (
    <div className={styles['heading']}>
      <h2 id={id}>{children}</h2>
      {planned ? <Badge>Planned</Badge> : null}
    </div>
  );
}

interface ReleaseLinkProps {
  /** Where the button leads. */
  readonly address: string;
  /** The firmware has no release here: the button opens the demo release. */
  readonly planned: boolean;
}

function Hero({ address, planned }: ReleaseLinkProps) {
  return (
    <section className={styles['hero']} aria-labelledby="hero">
      <div>
        <div className={styles['badges']}>
          <Badge tone="accent">ESP32 app</Badge>
          {planned ? <Badge>Planned</Badge> : null}
        </div>
        <h1 id="hero">A spare ESP32 becomes your hardware debugger</h1>
        <p className={styles['lead']}>
          {planned
            ? 'The plan: flash one firmware, plug the board in, and probe your circuit from the browser. It will scan I2C, talk SPI, sample voltages, bridge UART and flip single register bits.'
            : 'Flash one firmware, plug the board in, and probe your circuit from the browser: scan I2C, talk SPI, sample voltages, bridge UART and flip single register bits.'}
        </p>
        <div className={`buttons ${styles['ways']}`}>
          <FlashLatest address={address} planned={planned} />
          <a href="#how-it-works" className={buttonClass({ size: 'lg' })}>
            How it works
          </a>
        </div>
        {planned ? <p className={`small ${styles['note']}`}>{notReleased}</p> : null}
      </div>
      <div className={styles['rig']}>
        <figure className={`card ${styles['pins']}`}>
          <figcaption>
            <b>Pins</b> <span className="mono">8 in use</span>
          </figcaption>
          <PinDrawing />
        </figure>
        <div className={styles['finds']}>
          <ScanDrawing />
          <RegisterDrawing />
        </div>
        <p className={`small ${styles['note']}`}>The drawings are examples.</p>
      </div>
    </section>
  );
}

/** The items of a list. */
function Points({ points }: { readonly points: readonly Point[] }) {
  return points.map(({ name, text, icon }) => (
    <li key={name}>
      {icon}
      <h3>{name}</h3>
      <p>{text}</p>
    </li>
  ));
}

const notReleased =
  'The firmware is not released yet. Until it is, the button opens the demo release, which runs on the demo device.';

interface ReleaseProps extends ReleaseLinkProps {
  readonly section: RefObject<HTMLElement | null>;
}

function Release({ section, address, planned }: ReleaseProps) {
  return (
    <section ref={section} id="release" className={`card ${styles['release']}`} aria-labelledby="release-title">
      <h2 id="release-title">Get the firmware</h2>
      <p className={styles['lead']}>
        {planned
          ? `${notReleased} You can try every step with it, without a board.`
          : 'The button opens the newest release. The flasher identifies the board, and refuses the wrong chip before a byte is written.'}
      </p>
      <FlashLatest address={address} planned={planned} />
    </section>
  );
}

function FlashLatest({ address, planned }: ReleaseLinkProps) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass({ variant: 'primary', size: 'lg' })}
    >
      <Zap />
      Flash Latest Release{planned ? ' (demo)' : ''}
      <ArrowUpRight />
    </a>
  );
}
