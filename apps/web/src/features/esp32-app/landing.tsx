import { releasePath } from '@wirebench/boards';
import { demoReleaseId, esp32BenchPage, pagePaths, probeReleaseIds } from '@wirebench/contract/constants';
import {
  ArrowLeftRight,
  ArrowUpRight,
  Binary,
  Cable,
  CircuitBoard,
  FlaskConical,
  ScanSearch,
  TriangleAlert,
  Waves,
  Zap,
} from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { publicConfig } from '../../shared/config/public-config.ts';
import { hasServer } from '../../shared/edition.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { WatchButton } from '../../shared/videos/watch-button.tsx';
import { GoToRelease } from './go-to-release.tsx';
import styles from './landing.module.css';
import { PinDrawing } from './pin-drawing.tsx';
import { RegisterDrawing, ScanDrawing } from './scan-drawing.tsx';

export interface LandingProps {
  /** Section about chip descriptions, including shared ones. */
  readonly chips: ReactNode;
}

interface Point {
  readonly name: string;
  readonly text: string;
  readonly icon?: ReactNode;
}

/** Texts of the landing page. The drawing code is elsewhere. */
const capabilities: readonly Point[] = [
  {
    name: 'Pin configuration',
    text: 'Every pin live, as input, output, open drain or PWM, with its pulls.',
    icon: <CircuitBoard />,
  },
  {
    name: 'I2C scanning',
    text: 'Finds the bus and its devices, reads and writes their registers, frees a stuck bus.',
    icon: <ScanSearch />,
  },
  {
    name: 'SPI',
    text: 'All four modes, full duplex, 1 to 64 bytes, on pins of your choice.',
    icon: <ArrowLeftRight />,
  },
  { name: 'Analog sampling', text: 'Voltages over time, on pins of ADC1. Not calibrated.', icon: <Waves /> },
  { name: 'UART bridging', text: 'A second serial port for the circuit under test.', icon: <Cable /> },
  { name: 'Register bits', text: 'Flip one bit of the chip and see what it does.', icon: <Binary /> },
];

const steps: readonly Point[] = [
  { name: 'Wire', text: 'Connect the board to the circuit: ground first, then the pins you need.' },
  { name: 'Connect', text: 'Open the bench and pick the port. The board is reset into its boot ROM.' },
  { name: 'Measure', text: 'Scan, read, write and watch from the browser. Every step is in the bus log.' },
  { name: 'Leave', text: 'Pins are released, and one reset starts the firmware that was there before.' },
];

const benefits: readonly Point[] = [
  {
    name: 'Nothing is flashed',
    text: 'The instruments are register commands of the boot ROM. The flash is never written to.',
  },
  {
    name: 'Nothing to install',
    text: 'The browser is the instrument. It works on any computer with Chrome, Edge or Firefox.',
  },
  { name: 'Readable registers', text: 'Registers of the chip are shown bit by bit, with the names of their fields.' },
  {
    name: 'Dangerous pins are locked',
    text: 'Pins of the flash and of the serial link cannot be driven, and each says why.',
  },
];

/** Ways to run the bench, by how much of the board they use. The first is enough for most users. */
const ways: readonly Point[] = [
  {
    name: 'From the boot ROM',
    text: 'No firmware at all. Pins, I2C, SPI, analog, PWM, edge counter, registers, and a UART bridge that is half duplex.',
  },
  {
    name: 'From RAM',
    text: 'A program of 4 KB for what the ROM is too slow for, such as a UART bridge both ways. Gone after a reset.',
  },
  ...(hasServer
    ? [
        {
          name: 'From flash',
          text: 'The same program as a release, for a board that stays an instrument. It replaces what is in the flash.',
        },
      ]
    : []),
];

const cloudKinds: readonly Point[] = [
  { name: 'Power Management', text: 'Chargers, fuel gauges, converters' },
  { name: 'Sensors', text: 'Temperature, pressure, motion, light' },
  { name: 'Displays', text: 'OLED, TFT, e-paper, LED drivers' },
  { name: 'Motor Control', text: 'Steppers, H-bridges, servos' },
  { name: 'Audio', text: 'Codecs, amplifiers, microphones' },
  { name: 'Storage', text: 'EEPROM, flash, FRAM' },
  { name: 'Custom ICs', text: 'Anything you have a datasheet for' },
];

const contributing: readonly Point[] = [
  { name: 'Create', text: 'Describe a chip, or collect the messages that drive a device.' },
  { name: 'Test', text: 'Load it afresh, and run it on real hardware.' },
  { name: 'Share', text: 'Turn on the share toggle of your JKit.' },
  { name: 'Get recognition', text: 'Others find, star and rate it under your name.' },
];

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

/** Addresses of the releases that come with the product. They are known without a request to the server. */

/** Page of the product's own firmware for the ESP32. */
export const defaultRelease = releasePath('version', probeReleaseIds.esp32);

/**
 * Returns the page of the same firmware for the ESP32-C3 if the address leads to the one for the ESP32; else null.
 *
 * @param address A path on this origin, or a complete address.
 */
export function otherChipRelease(address: string, origin: string): string | null {
  return leadsTo(address, probeReleaseIds.esp32, origin)
    ? new URL(releasePath('version', probeReleaseIds.esp32c3), new URL(address, origin)).href
    : null;
}

/** Returns true if an address is the page of the demo release. A server that publishes no firmware has that release. */
export function isDemoRelease(address: string, origin: string): boolean {
  return leadsTo(address, demoReleaseId, origin);
}

function leadsTo(address: string, id: string, origin: string): boolean {
  const { pathname, searchParams } = new URL(address, origin);
  return `${pathname}?type=version&id=${searchParams.get('id')}` === releasePath('version', id);
}

/** Address of the latest firmware release. Fetched without TanStack Query, which this page needs for nothing else. */

/**
 * Returns the target of 'Flash Latest Release': the address in the server's configuration, and the product's own
 * release until that is known.
 */
function useLatestRelease(): string {
  const [address, setAddress] = useState(defaultRelease);
  useEffect(() => {
    let shown = true;
    publicConfig().then(
      ({ latestReleaseUrl }) => {
        if (shown && latestReleaseUrl !== '') {
          setAddress(latestReleaseUrl);
        }
      },
      () => undefined,
    );
    return () => {
      shown = false;
    };
  }, []);
  return address;
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
            Try the Demo ESP32 bench
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
          ? 'The bench needs no firmware. This server has no release of the firmware set for boards that stay instruments: the button opens the demo release, which runs on the demo board.'
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
