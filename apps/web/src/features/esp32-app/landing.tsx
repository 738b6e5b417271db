import { esp32BenchPage, pagePaths } from '@wirebench/contract/constants';
import { ArrowUpRight, FlaskConical, TriangleAlert, Zap } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Link } from 'react-router';
import { hasServer } from '../../shared/edition.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { WatchButton } from '../../shared/videos/watch-button.tsx';
import { benefits, capabilities, cloudKinds, contributing, type Point, steps, ways } from './contents.tsx';
import { isDemoRelease, otherChipRelease } from './default-release.ts';
import { GoToRelease } from './go-to-release.tsx';
import styles from './landing.module.css';
import { useLatestRelease } from './latest-release.ts';
import { PinDrawing } from './pin-drawing.tsx';
import { RegisterDrawing, ScanDrawing } from './scan-drawing.tsx';

export interface LandingProps {
  /** Section about chip descriptions, including shared ones. */
  readonly chips: ReactNode;
}

export function Landing({ chips }: LandingProps) {
  return (
    <div className={styles['page']}>
      <Hero />
      <section aria-labelledby="capabilities">
        <h2 id="capabilities">Core capabilities</h2>
        <ul className={styles['capabilities']}>
          <Points points={capabilities} />
        </ul>
      </section>
      <section id="how-it-works" aria-labelledby="how">
        <h2 id="how">How it works</h2>
        <ol className={styles['steps']}>
          <Points points={steps} />
        </ol>
        <div className={styles['watch']}>
          <WatchButton video="lab">Watch a sensor being found and read</WatchButton>
        </div>
      </section>
      <section aria-labelledby="benefits">
        <h2 id="benefits">Why a spare board is worth it</h2>
        <ul className={styles['benefits']}>
          <Points points={benefits} />
        </ul>
      </section>
      <section aria-labelledby="ways">
        <h2 id="ways">{hasServer ? 'Three' : 'Two'} ways to run it</h2>
        <ul className={styles['benefits']}>
          <Points points={ways} />
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
        {hasServer ? (
          <>
            <h2 id="cloud">The cloud ecosystem</h2>
            <p className={styles['lead']}>Find shared JKits by what the device does:</p>
            <ul className={styles['kinds']}>
              <Points points={cloudKinds} />
            </ul>
          </>
        ) : (
          <h2 id="cloud">Chips of your own</h2>
        )}
        <p className={`${styles['lead']} ${styles['chips']}`}>
          A chip JKit describes one device of an I2C or SPI bus: addresses, registers, how to recognise it, and formulas
          that turn its bytes into readings.
        </p>
        {chips}
      </section>
      {hasServer ? <OfServer /> : null}
    </div>
  );
}

/** Sharing, and the release of the firmware. */
function OfServer() {
  const release = useRef<HTMLElement>(null);
  const address = useLatestRelease();
  return (
    <>
      <section aria-labelledby="contribute">
        <h2 id="contribute">How to contribute</h2>
        <ol className={styles['steps']}>
          <Points points={contributing} />
        </ol>
      </section>
      <Release
        section={release}
        address={address}
        otherChip={otherChipRelease(address, location.origin)}
        demo={isDemoRelease(address, location.origin)}
      />
      <GoToRelease section={release} />
    </>
  );
}

function Hero() {
  return (
    <section className={styles['hero']} aria-labelledby="hero">
      <div>
        <div className={styles['badges']}>
          <Badge tone="accent">ESP32 bench</Badge>
          <Badge tone="warning" icon={<TriangleAlert />}>
            Experimental
          </Badge>
        </div>
        <h1 id="hero">A spare ESP32 becomes your bench</h1>
        <p className={styles['lead']}>
          Plug in any ESP32 or ESP32-C3 and test your circuit from the browser: watch and drive pins, scan I2C, talk
          SPI, sample voltages, bridge UART and flip single register bits. Nothing is flashed: after one reset the board
          runs its own firmware again.
        </p>
        <div className={`buttons ${styles['ways']}`}>
          <a href={esp32BenchPage} className={buttonClass({ variant: 'primary', size: 'lg' })}>
            Open the bench
          </a>
          <a href={`${esp32BenchPage}?demo`} className={buttonClass({ size: 'lg' })}>
            <FlaskConical />
            Try the demo board
          </a>
          <Link to={pagePaths.esp32Docs} className={buttonClass({ variant: 'quiet', size: 'lg' })}>
            Read the guide
          </Link>
        </div>
        <p className={`small ${styles['note']}`}>
          Experimental: tried in an emulator with the chips’ own ROM code, and not on real chips yet. The demo board is
          simulated, with sensors, a display, a potentiometer, a button and an LED.
        </p>
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

function Points({ points }: { readonly points: readonly Point[] }) {
  return points.map(({ name, text, icon }) => (
    <li key={name}>
      {icon}
      <h3>{name}</h3>
      <p>{text}</p>
    </li>
  ));
}

interface ReleaseProps {
  readonly section: RefObject<HTMLElement | null>;
  /** Target of the button. */
  readonly address: string;
  /** The same release for the ESP32-C3; null if unknown. */
  readonly otherChip: string | null;
  /** True: `address` is the demo release. */
  readonly demo: boolean;
}

function Release({ section, address, otherChip, demo }: ReleaseProps) {
  return (
    <section ref={section} id="release" className={`card ${styles['release']}`} aria-labelledby="release-title">
      <h2 id="release-title">Get the firmware</h2>
      <p className={styles['lead']}>
        {demo
          ? 'The bench needs no firmware. This server has no release of the firmware set for boards that stay instruments: the button opens the demo release, which runs on the demo device.'
          : 'The bench needs no firmware. For a board that stays an instrument, the button opens the newest release. The flasher identifies the board, and refuses the wrong chip before a byte is written.'}
      </p>
      <a
        href={address}
        target="_blank"
        rel="noopener noreferrer"
        className={buttonClass({ variant: 'primary', size: 'lg' })}
      >
        <Zap />
        Flash Latest Release{demo ? ' (demo)' : ''}
        <ArrowUpRight />
      </a>
      {otherChip === null ? null : (
        <p className="small">
          This one is for the ESP32. For an ESP32-C3, open{' '}
          <a href={otherChip} target="_blank" rel="noopener noreferrer" className="link">
            its release
          </a>
          . Experimental: tried on simulated chips only.
        </p>
      )}
    </section>
  );
}
