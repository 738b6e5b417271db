import { pagePaths, staticPages } from '@wirebench/contract/constants';
import { ArrowDown, ArrowRight } from 'lucide-react';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { hasServer } from '../../shared/edition.ts';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { classNames } from '../../shared/ui/class-names.ts';
import { CaptureDrawing } from './drawings/capture-drawing.tsx';
import { CrashDrawing } from './drawings/crash-drawing.tsx';
import { FlashDrawing } from './drawings/flash-drawing.tsx';
import { PanelDrawing } from './drawings/panel-drawing.tsx';
import { PlotDrawing } from './drawings/plot-drawing.tsx';
import { ReleaseDrawing } from './drawings/release-drawing.tsx';
import { TerminalDrawing } from './drawings/terminal-drawing.tsx';
import { FadingSection } from './fading-section.tsx';
import styles from './intro.module.css';
import { Scope } from './scope.tsx';
import { SectionDots } from './section-dots.tsx';
import { type SectionId, sectionAt, sections } from './sections.ts';

export interface IntroProps {
  /** Drawing of an I2C scan. Passed in, because it belongs to another feature. */
  readonly scan: ReactNode;
}

/**
 * Returns the current section while the user scrolls or resizes the window.
 * @param root Contains the sections, each with its id.
 */
function useCurrentSection(root: RefObject<HTMLElement | null>): SectionId {
  const [current, setCurrent] = useState<SectionId>('start');
  useEffect(() => {
    let asked = 0;
    const look = () => {
      asked = 0;
      const places = sections.flatMap(({ id }) => {
        const rect = root.current?.querySelector(`#${id}`)?.getBoundingClientRect();
        return rect === undefined ? [] : [{ id, top: rect.top }];
      });
      setCurrent(sectionAt(places, window.innerHeight));
    };
    const lookNextFrame = () => {
      asked ||= requestAnimationFrame(look);
    };
    look();
    addEventListener('scroll', lookNextFrame, { passive: true });
    addEventListener('resize', lookNextFrame);
    return () => {
      removeEventListener('scroll', lookNextFrame);
      removeEventListener('resize', lookNextFrame);
      cancelAnimationFrame(asked);
    };
  }, [root]);
  return current;
}

/** Introduces the product in six sections on a scrolling page. */
export function Intro({ scan }: IntroProps) {
  const root = useRef<HTMLDivElement>(null);
  const current = useCurrentSection(root);
  return (
    <div ref={root} className={styles['intro']}>
      <Hero />
      <WhatItIs />
      <ThreeTools />
      <Esp32Bench scan={scan} />
      <Jkits />
      <Begin />
      <SectionDots current={current} />
    </div>
  );
}

function Hero() {
  return (
    <FadingSection id="start" labelledBy="start-title" className={styles['hero']}>
      <div className={styles['opening']}>
        <h1 id="start-title">
          Four wires in.
          <br />
          One tab open.
        </h1>
        <div>
          <p>
            Wirebench is a toolkit for people who build things with microcontrollers. Watch four serial ports at once,
            flash a board
            {hasServer ? ', and send the firmware to someone else as a link.' : ' and measure with a spare ESP32.'}
          </p>
          <div className={`buttons ${styles['ways']}`}>
            <Link to={pagePaths.uart} className={buttonClass({ variant: 'primary', size: 'lg' })}>
              Open the terminal
              <ArrowRight />
            </Link>
            <a href="#what-it-is" className={buttonClass({ size: 'lg' })}>
              See what it does
              <ArrowDown />
            </a>
          </div>
        </div>
      </div>
      <Scope />
    </FadingSection>
  );
}

function WhatItIs() {
  return (
    <FadingSection id="what-it-is" labelledBy="what-title" className={styles['pair']}>
      <div>
        <span className="silk">What it is</span>
        <h2 id="what-title">A real workbench in your browser</h2>
        <p>
          The browser talks directly to the board, through a USB cable and the Web Serial interface of Chrome, Edge and
          Firefox. There is no driver to install beyond the one your adapter needs, no helper program, and no account to
          start with.
        </p>
        <ul className={styles['facts']}>
          <Fact title="Nothing is lost">
            Every byte that arrives can be saved exactly as it came, invalid ones included.
          </Fact>
          <Fact title="Nothing leaves">Logs and firmware files stay in this browser until you save or share them.</Fact>
          <Fact title="Nothing to buy">
            Wirebench is free software.{' '}
            {hasServer
              ? 'One command starts your own server on a laptop.'
              : 'These pages are files that any web host can serve.'}
          </Fact>
        </ul>
      </div>
      <TerminalDrawing />
    </FadingSection>
  );
}

function Fact({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li>
      <h3>{title}</h3>
      {children}
    </li>
  );
}

const allTools = [
  {
    name: 'Serial terminal',
    drawing: <PlotDrawing />,
    text: 'Up to four ports on one timeline, as text or hex. Search and filter a million lines, pin the commands you type every day, and plot the numbers a board prints.',
    to: pagePaths.uart,
    action: 'Open the terminal',
  },
  {
    name: 'Firmware flasher',
    drawing: <FlashDrawing />,
    text: 'Identifies the chip, shows what will be written and what stays, skips what is already there, verifies every byte by hash and opens the monitor when the board restarts.',
    to: staticPages.espFlasher,
    action: 'Open the flasher',
  },
  {
    name: 'Firmware releases',
    drawing: <ReleaseDrawing />,
    text: 'Keeps the versions of your firmware with their files and addresses. Anyone with the link can flash it, with no archive to unpack and no offsets to type.',
    to: pagePaths.releases,
    action: 'Open the release manager',
  },
];

const tools = hasServer ? allTools : allTools.filter(({ to }) => to !== pagePaths.releases);

function ThreeTools() {
  return (
    <FadingSection id="three-tools" labelledBy="tools-title" className={styles['text']}>
      <span className="silk">{hasServer ? 'Three tools' : 'Two tools'}</span>
      <h2 id="tools-title">One for each thing you do every day</h2>
      <ul className={classNames(styles['tools'], !hasServer && styles['two'])}>
        {tools.map(({ name, drawing, text, to, action }) => (
          <li key={name}>
            <div className={styles['shown']}>{drawing}</div>
            <h3>{name}</h3>
            <p>{text}</p>
            {/* A plain link, because the flasher is a separate document. */}
            {to === staticPages.espFlasher ? (
              <a href={to} className="link">
                {action}
              </a>
            ) : (
              <Link to={to} className="link">
                {action}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </FadingSection>
  );
}

function Esp32Bench({ scan }: IntroProps) {
  return (
    <FadingSection id="esp32-bench" labelledBy="bench-title" className={styles['pair']}>
      <div>
        <span className="silk">ESP32 bench</span>
        <h2 id="bench-title">A spare ESP32 that looks into your circuit</h2>
        <p>
          Connect a spare ESP32 to your circuit, and see which I2C devices answer, talk SPI, sample a voltage, bridge a
          UART or flip single bits of a register. Its flash stays as it is. Experimental: not tried on real chips yet.
        </p>
        <div className={`buttons ${styles['ways']}`}>
          <Link to={pagePaths.esp32} className={buttonClass({ size: 'lg' })}>
            See the ESP32 bench
            <ArrowRight />
          </Link>
        </div>
      </div>
      <div className={styles['drawings']}>
        {scan}
        <CaptureDrawing />
      </div>
    </FadingSection>
  );
}

/** Example of a JKit's content. */
const sample = `{
  "fields": [
    "AT",
    { "content": "AT+GMR", "type": "ascii", "expect": "OK" },
    { "content": "01 03 00 00 00 01 84 0A", "type": "hex" }
  ],
  "settings": { "lineEnding": true }
}`;

function Jkits() {
  return (
    <FadingSection id="jkits" labelledBy="jkits-title" className={styles['pair']}>
      <div>
        <span className="silk">JKits</span>
        <h2 id="jkits-title">One person works it out, everyone else loads it</h2>
        <p>
          A JKit is a set of messages for one kind of device: the AT commands of a modem, the moves of a plotter, the
          queries of a sensor. Load one into a panel, send its messages with a click, save your own
          {hasServer ? ', share them, and rate those of others.' : ' and pass them on.'}
        </p>
        <p>
          {hasServer
            ? 'The JKit library needs an account. Without one you can still open a JKit from a file or a link.'
            : 'This copy of Wirebench has no library: JKits are files here. Drop one on a panel to open it, and save a panel to pass it on.'}
        </p>
      </div>
      <div className={styles['drawings']}>
        <PanelDrawing />
        <pre>
          <code>{sample}</code>
        </pre>
      </div>
    </FadingSection>
  );
}

function Begin() {
  return (
    <FadingSection id="begin" labelledBy="begin-title" className={styles['pair']}>
      <div>
        <span className="silk">Begin</span>
        <h2 id="begin-title">No board at hand? Use the demo board</h2>
        <p>
          The terminal, the flashers and the ESP32 bench come with simulated boards that behave like real ones. Open a
          tool and choose the demo board. Type <code>crash</code>, and see how a crash is explained: nothing can be
          damaged.
        </p>
        <div className={`buttons ${styles['ways']}`}>
          <Link to={pagePaths.home} className={buttonClass({ variant: 'primary', size: 'lg' })}>
            Go to the tools
            <ArrowRight />
          </Link>
          <Link to={pagePaths.uartDocs} className={buttonClass({ size: 'lg' })}>
            Read the documentation
          </Link>
        </div>
      </div>
      <CrashDrawing />
    </FadingSection>
  );
}
