/**
 * The Screen of a port with its banner. It is armed while the focus is inside: keys go to the board. Ctrl+Shift+Enter
 * enters and leaves, and a click elsewhere leaves.
 */
import type { PortNumber } from '@wirebench/serial';
import { ClipboardPaste, Copy, LogOut, RotateCcw, Scaling, SlidersHorizontal } from 'lucide-react';
import { type RefObject, use, useEffect, useRef, useState } from 'react';
import { useTheme } from '../../../shared/theme/theme.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Kbd } from '../../../shared/ui/kbd.tsx';
import { PortFlag } from '../../../shared/ui/port-flag.tsx';
import { toast } from '../../../shared/ui/toast.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { onConnected } from '../../../workbench/port-picker/connect-port.ts';
import { TakeBackButton } from '../../../workbench/sharing/used-port.tsx';
import { blockedText, portStates, type SendState } from '../open-ports-of.ts';
import { portName, useTerminalSettings } from '../settings/settings-store.ts';
import { changeTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import type { PortScreen } from './port-screen.ts';
import { screenOf } from './port-screens.ts';
import { endEntering, enterScreen, useEntering, useScreenSettings } from './screen-settings.ts';
import { ScreenSettingsPopover } from './screen-settings-popover.tsx';
import styles from './screen-view.module.css';

/** Width in px that the scroll bar of the terminal takes. */
const scrollBar = 14;

export interface ScreenPaneProps {
  readonly port: PortNumber;
  readonly isSelected: boolean;
}

export function ScreenPane({ port, isSelected }: ScreenPaneProps) {
  const screen = screenOf(port);
  const name = useTerminalSettings((settings) => portName(settings, port));
  const state = useBenchStatus((view) => portStates(view)[port]);
  const isOpen = useBenchStatus(({ status }) => status.ports[port].state === 'connected');
  const user = useScreenUser(port);
  const canType = state === 'connected' && user === null;
  const host = useRef<HTMLDivElement>(null);
  const way = useRef<HTMLButtonElement>(null);
  const isEntering = useEntering();
  const [hasFocus, setFocus] = useState(false);
  const isArmed = hasFocus && canType;
  useShown(screen, host);
  useEffect(() => {
    const { element } = screen;
    const entered = () => {
      setFocus(true);
      changeTerminalSession({ selectedPort: port });
    };
    const left = () => setFocus(false);
    element.addEventListener('focusin', entered);
    element.addEventListener('focusout', left);
    return () => {
      element.removeEventListener('focusin', entered);
      element.removeEventListener('focusout', left);
    };
  }, [screen, port]);
  useEffect(() => screen.setOpen(isOpen), [screen, isOpen]);
  // Keys follow a port that was just connected, unless the person types into another field.
  useEffect(
    () =>
      onConnected((connected) => {
        if (connected === port && !(document.activeElement?.matches('input, textarea, select') ?? false)) {
          enterScreen();
        }
      }),
    [port],
  );
  useEffect(() => {
    screen.setLive(canType, `Screen of ${name}. ${canType ? `Keys go to Port ${port}. Ctrl+Shift+Enter leaves.` : ''}`);
  }, [screen, canType, name, port]);
  useEffect(() => {
    if (isSelected && canType && isEntering) {
      endEntering();
      screen.focus();
    }
  }, [screen, isSelected, canType, isEntering]);
  useEffect(() => {
    screen.onLeave = () => way.current?.focus();
    if (!isSelected) {
      return;
    }
    const pressed = (event: KeyboardEvent) => {
      const isInside = event.target instanceof Node && screen.element.contains(event.target);
      if (!(event.ctrlKey && event.shiftKey) || event.altKey || event.repeat || (isInside && canType)) {
        return;
      }
      if (event.key === 'Enter' && canType) {
        event.preventDefault();
        screen.focus();
      } else if (event.key.toUpperCase() === 'F') {
        event.preventDefault();
        screen.onFind();
      }
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [screen, isSelected, canType]);
  return (
    <section
      // The skip link leads here, in the place of the message field.
      id={isSelected ? 'skip-target' : undefined}
      tabIndex={-1}
      data-port={port}
      aria-label={`Screen of ${name}`}
      className={classNames(styles['pane'], isArmed && styles['armed'])}
    >
      <header className={styles['banner']}>
        <PortFlag port={port} off={state === 'disconnected'} />
        <Standing
          port={port}
          state={state}
          user={user}
          isArmed={isArmed}
          way={way}
          onToggle={() => (isArmed ? way.current?.focus() : screen.focus())}
        />
        <ScreenTools screen={screen} canType={canType} />
      </header>
      <div ref={host} className={styles['host']} />
    </section>
  );
}

/** Returns the name of the guest that uses the port, here or on the bench that this page visits; null for none. */
export function useScreenUser(port: PortNumber): string | null {
  return useBenchStatus((view) => view.users[port] ?? view.devices[port]?.user ?? null);
}

/** Shows the terminal in `host`, fitted to it, while the component is there. */
function useShown(screen: PortScreen, host: RefObject<HTMLDivElement | null>): void {
  const theme = useTheme();
  const size = useScreenSettings((settings) => settings.size);
  const typeSize = useScreenSettings((settings) => settings.typeSize);
  const readsAloud = useScreenSettings((settings) => settings.readsAloud);
  useEffect(() => {
    const box = host.current;
    if (box === null) {
      return;
    }
    let isHere = true;
    const fit = () => fitInto(screen, box);
    const observer = new ResizeObserver(fit);
    box.append(screen.element);
    // The width of a column is measured once, in the font that is there.
    const font = getComputedStyle(box).getPropertyValue('--font-mono').split(',')[0] ?? '';
    void document.fonts.load(`13px ${font}`).then(() => {
      if (isHere) {
        screen.show();
        observer.observe(box);
      }
    });
    return () => {
      isHere = false;
      observer.disconnect();
      screen.hide();
      screen.element.remove();
    };
  }, [screen, host]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: applied again when one of these has changed.
  useEffect(() => {
    screen.look();
    if (host.current !== null) {
      fitInto(screen, host.current);
    }
  }, [screen, host, theme, size, typeSize, readsAloud]);
}

function fitInto(screen: PortScreen, box: HTMLElement): void {
  const style = getComputedStyle(box);
  const inner = (size: number, ...paddings: string[]) =>
    paddings.reduce((rest, padding) => rest - Number.parseFloat(padding), size);
  screen.fit(
    inner(box.clientWidth, style.paddingLeft, style.paddingRight) - scrollBar,
    inner(box.clientHeight, style.paddingTop, style.paddingBottom),
  );
}

interface StandingProps {
  readonly port: PortNumber;
  readonly state: SendState;
  readonly user: string | null;
  readonly isArmed: boolean;
  readonly way: RefObject<HTMLButtonElement | null>;
  readonly onToggle: () => void;
}

/** Says where keys go, or why they go nowhere. */
function Standing({ port, state, user, isArmed, way, onToggle }: StandingProps) {
  const { ask } = use(TerminalSlotsContext);
  const typist = useBenchStatus((view) => view.typists[port]);
  const isHost = useBenchStatus((view) => view.users[port] !== null);
  if (user !== null) {
    return (
      <>
        <span role="status" className={styles['typist']}>
          <b>
            {user} types on Port {port}.
          </b>{' '}
          <span className={styles['word']}>You see every key. Yours stay here.</span>
        </span>
        {isHost ? <TakeBackButton port={port} user={user} /> : null}
        {state === 'watching' ? ask : null}
      </>
    );
  }
  if (state !== 'connected') {
    const blocked = blockedText(port, state) ?? `Port ${port} is not connected`;
    const isTyped = state === 'watching' && typist !== null;
    return (
      <>
        <span role="status" className={styles['typist']}>
          {isTyped ? `${typist} types on Port ${port}` : blocked}
        </span>
        {state === 'watching' ? ask : null}
      </>
    );
  }
  return (
    <>
      {/* A press must not take the focus from the terminal before the click looks where it is. */}
      <button
        ref={way}
        type="button"
        className={styles['way']}
        onMouseDown={(event) => event.preventDefault()}
        onClick={onToggle}
      >
        {isArmed ? (
          <>
            <b>
              <span className={styles['lead']}>Keys go to </span>Port {port}
            </b>
            <span className={styles['word']}>
              · <Kbd>Ctrl+Shift+Enter</Kbd> leaves
            </span>
            <LogOut aria-hidden />
          </>
        ) : (
          <>
            <span>Click</span>
            <span className={styles['word']}>
              or <Kbd>Ctrl+Shift+Enter</Kbd>
            </span>
            <span>to type</span>
          </>
        )}
      </button>
      <span role="status" className={styles['typist']}>
        {typist === null ? '' : isArmed ? `${typist} types too` : `${typist} types on Port ${port}`}
      </span>
    </>
  );
}

interface ScreenToolsProps {
  readonly screen: PortScreen;
  readonly canType: boolean;
}

function ScreenTools({ screen, canType }: ScreenToolsProps) {
  const { columns, rows, hasSelection, isSizeNew } = screen.state.use();
  const [settingsOpen, setSettingsOpen] = useState(false);
  const settings = useRef<HTMLButtonElement>(null);
  return (
    <div className={styles['end']}>
      <Button
        variant="quiet"
        size="sm"
        icon={<RotateCcw />}
        aria-label="Reset the Screen"
        title="Clears the Screen and ends what a program switched on: mouse, alternate screen, keys. Sends nothing."
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => screen.reset()}
      >
        <span className={styles['word']}>Reset</span>
      </Button>
      <Button
        variant={isSizeNew && canType ? 'primary' : 'quiet'}
        size="sm"
        className={styles['size']}
        icon={isSizeNew && canType ? <Scaling /> : undefined}
        aria-label={`Set size ${columns} × ${rows} on the board`}
        title={`Types: stty cols ${columns} rows ${rows}`}
        disabled={!canType}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          if (!screen.sendSize()) {
            toast('A program has the whole Screen and would take this as keys. Leave it, then send the size.', {
              level: 'info',
            });
          }
        }}
      >
        Set size {columns} × {rows}
      </Button>
      <Button
        variant="quiet"
        size="sm"
        icon={<Copy />}
        aria-label="Copy the selection of the Screen"
        disabled={!hasSelection}
        onMouseDown={(event) => event.preventDefault()}
        onClick={screen.copy}
      >
        <span className={styles['word']}>Copy</span>
      </Button>
      <Button
        variant="quiet"
        size="sm"
        icon={<ClipboardPaste />}
        aria-label="Paste into the Screen"
        disabled={!canType}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => void pasteInto(screen)}
      >
        <span className={styles['word']}>Paste</span>
      </Button>
      <IconButton
        ref={settings}
        label="Settings of the Screen"
        variant="quiet"
        size="sm"
        icon={<SlidersHorizontal />}
        aria-expanded={settingsOpen}
        onClick={() => setSettingsOpen(!settingsOpen)}
      />
      <ScreenSettingsPopover
        port={screen.port}
        open={settingsOpen}
        anchor={settings}
        onClose={() => setSettingsOpen(false)}
      />
    </div>
  );
}

/** Pastes by a button, which the browser may refuse. */
export async function pasteInto(screen: PortScreen): Promise<void> {
  try {
    screen.paste(await navigator.clipboard.readText());
  } catch (error) {
    console.warn('The browser refused the clipboard.', error);
    toast('The browser did not give the clipboard. Press Ctrl+Shift+V in the Screen instead.', { level: 'error' });
  }
}
