import { pagePaths } from '@wirebench/contract/constants';
import { ArrowUpRight, Zap } from 'lucide-react';
import { type RefObject, useRef } from 'react';
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

export function Landing() {
  const release = useRef<HTMLElement>(null);
  const address = useLatestRelease();
  return (
    <div className={styles['page']}>
      <Hero address={address} />
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
      </section>
      <section aria-labelledby="benefits">
        <h2 id="benefits">Why a spare board is worth it</h2>
        <ul className={styles['benefits']}>
          <Points points={benefits} />
        </ul>
      </section>
      <section aria-labelledby="jkits">
        <h2 id="jkits">JKits: knowledge that loads with a click</h2>
        <p className={styles['lead']}>
          A JKit is a named set of messages for one device, in one file. Whoever has worked out how a chip is woken up,
          configured and read saves the messages as a JKit; whoever has the same chip loads it and starts where the
          other one ended. JKits are loaded into a panel of the{' '}
          <Link to={pagePaths.uart} className="link">
            serial terminal
          </Link>
          .
        </p>
      </section>
      <section aria-labelledby="cloud">
        <h2 id="cloud">The cloud ecosystem</h2>
        <p className={styles['lead']}>Shared JKits are found by what their device does:</p>
        <ul className={styles['kinds']}>
          <Points points={cloudKinds} />
        </ul>
      </section>
      <section aria-labelledby="contribute">
        <h2 id="contribute">How to contribute</h2>
        <ol className={styles['steps']}>
          <Points points={contributing} />
        </ol>
      </section>
      <Release section={release} address={address} />
      <GoToRelease section={release} />
    </div>
  );
}

function Hero({ address }: { readonly address: string }) {
  return (
    <section className={styles['hero']} aria-labelledby="hero">
      <div>
        <Badge tone="accent">ESP32 app</Badge>
        <h1 id="hero">A spare ESP32 becomes your hardware debugger</h1>
        <p className={styles['lead']}>
          Flash one firmware, plug the board in, and probe the circuit from the browser: scan I2C, talk SPI, sample
          voltages, bridge UART and flip single register bits.
        </p>
        <div className={styles['ways']}>
          <FlashLatest address={address} />
          <a href="#how-it-works" className={buttonClass({ size: 'lg' })}>
            How it works
          </a>
        </div>
      </div>
      <div className={styles['rig']}>
        <figure className={styles['pins']}>
          <figcaption>
            <b>Pins</b> <span className="mono">8 in use</span>
          </figcaption>
          <PinDrawing />
        </figure>
        <div className={styles['finds']}>
          <ScanDrawing />
          <RegisterDrawing />
        </div>
        <p className={styles['note']}>Drawn as an example.</p>
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

interface ReleaseProps {
  readonly section: RefObject<HTMLElement | null>;
  readonly address: string;
}

function Release({ section, address }: ReleaseProps) {
  return (
    <section ref={section} id="release" className={styles['release']} aria-labelledby="release-title">
      <h2 id="release-title">Get the firmware</h2>
      <p className={styles['lead']}>
        {isDemoRelease(address, location.origin)
          ? 'This server has no release of the firmware set. The button opens the demo release, which runs on the demo device: try the whole way with it, without a board.'
          : 'The button opens the newest release. The flasher recognises the board and refuses any other chip before a byte is written.'}
      </p>
      <FlashLatest address={address} />
    </section>
  );
}

function FlashLatest({ address }: { readonly address: string }) {
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      className={buttonClass({ variant: 'primary', size: 'lg' })}
    >
      <Zap />
      Flash Latest Release
      <ArrowUpRight />
    </a>
  );
}
