import { pagePaths, staticPages } from '@wirebench/contract/constants';
import { ArrowDown, ArrowRight, FileStack, SquareTerminal, Zap } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { FadingSection } from './fading-section.tsx';
import styles from './intro.module.css';
import { Scope } from './scope.tsx';
import { SectionDots } from './section-dots.tsx';
import { useCurrentSection } from './use-current-section.ts';

/** What the product is, in six sections that are read by scrolling. */
export function Intro() {
  const root = useRef<HTMLDivElement>(null);
  const current = useCurrentSection(root);
  return (
    <div ref={root} className={styles['intro']}>
      <Hero />
      <WhatItIs />
      <ThreeTools />
      <HardwareDebugger />
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
            flash a board, and send the firmware to someone else as a link.
          </p>
          <div className={styles['ways']}>
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
    <FadingSection id="what-it-is" labelledBy="what-title" className={styles['text']}>
      <span className="silk">What it is</span>
      <h2 id="what-title">A workbench, not a website about one</h2>
      <p>
        The browser talks to the board itself, through a USB cable and the Web Serial interface of Chrome and Edge.
        There is no driver to install beyond the one your adapter already has, no helper program and no account to begin
        with.
      </p>
      <ul className={styles['facts']}>
        <Fact title="Nothing is lost">
          Every byte that arrived can be exported exactly as it came, invalid ones too.
        </Fact>
        <Fact title="Nothing leaves">Logs and firmware files stay on this computer until you save or share them.</Fact>
        <Fact title="Nothing to buy">It is free software. One command starts your own server on a laptop.</Fact>
      </ul>
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

const tools = [
  {
    name: 'Serial terminal',
    icon: <SquareTerminal />,
    text: 'Up to four ports on one time line, as text or hex. Find and filter in a million lines, pin the commands that you type every day, plot the numbers that a board prints.',
    to: pagePaths.uart,
    action: 'Open the terminal',
  },
  {
    name: 'Firmware flasher',
    icon: <Zap />,
    text: 'Knows the chip, shows what will be written and what stays, skips what is already there, proves every byte by its hash and restarts into the monitor.',
    to: staticPages.espFlasher,
    action: 'Open the flasher',
  },
  {
    name: 'Firmware releases',
    icon: <FileStack />,
    text: 'Keeps the versions of a firmware with their files and addresses. Whoever has the link flashes it, without an archive to unpack and without offsets to type.',
    to: pagePaths.releases,
    action: 'Open the releases',
  },
];

function ThreeTools() {
  return (
    <FadingSection id="three-tools" labelledBy="tools-title" className={styles['text']}>
      <span className="silk">Three tools</span>
      <h2 id="tools-title">One for each thing you do all day</h2>
      <ul className={styles['tools']}>
        {tools.map(({ name, icon, text, to, action }) => (
          <li key={name}>
            {icon}
            <h3>{name}</h3>
            <p>{text}</p>
            {/* The flasher is a document of its own. */}
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

function HardwareDebugger() {
  return (
    <FadingSection id="hardware-debugger" labelledBy="debugger-title" className={styles['text']}>
      <span className="silk">Hardware debugger</span>
      <h2 id="debugger-title">A spare ESP32 looks into your circuit</h2>
      <p>
        Flash one firmware onto an ESP32 that lies around, connect it to the circuit, and see which I2C devices answer,
        talk SPI, sample a voltage, bridge a UART or turn single bits of a register.
      </p>
      <Link to={pagePaths.esp32} className={buttonClass({ size: 'lg' })}>
        See the ESP32 app
        <ArrowRight />
      </Link>
    </FadingSection>
  );
}

/** What a jkit looks like inside: the format of its content. */
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
    <FadingSection id="jkits" labelledBy="jkits-title" className={styles['sample']}>
      <div>
        <span className="silk">JKits</span>
        <h2 id="jkits-title">What one person taught a board, the next one loads</h2>
        <p>
          A JKit is a set of messages for one kind of device: the AT commands of a modem, the moves of a plotter, the
          polls of a sensor. Load one into a panel, send with a click, keep your own, share it, rate those of others.
        </p>
        <p>Loading and sending needs no account. Saving and sharing does.</p>
      </div>
      <pre>
        <code>{sample}</code>
      </pre>
    </FadingSection>
  );
}

function Begin() {
  return (
    <FadingSection id="begin" labelledBy="begin-title" className={styles['text']}>
      <span className="silk">Begin</span>
      <h2 id="begin-title">No board at hand? Take the demo device</h2>
      <p>
        The terminal and the flasher come with simulated boards that behave like real ones. Open a tool and choose the
        demo device: everything works, and nothing can break.
      </p>
      <div className={styles['ways']}>
        <Link to={pagePaths.home} className={buttonClass({ variant: 'primary', size: 'lg' })}>
          Go to the tools
          <ArrowRight />
        </Link>
        <Link to={pagePaths.uartDocs} className={buttonClass({ size: 'lg' })}>
          Read the documentation
        </Link>
      </div>
    </FadingSection>
  );
}
