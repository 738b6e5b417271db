/**
 * Keys for the Screen of the selected port: those that a phone's keyboard lacks, and those that a browser keeps for itself.
 * Repeated messages and files go on, so their strips stay above it.
 */
import { Ellipsis } from 'lucide-react';
import { type MouseEvent, type ReactNode, useRef } from 'react';
import { media } from '../../../shared/styles/media.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Menu, type MenuAction } from '../../../shared/ui/menu.tsx';
import { useRovingFocus } from '../../../shared/ui/roving-focus.ts';
import { useMediaQuery } from '../../../shared/ui/use-media-query.ts';
import { getBench } from '../../../workbench/bench.ts';
import { useBenchStatus } from '../../../workbench/bench-status.ts';
import { reportingFailure } from '../../../workbench/port-picker/connect-port.ts';
import { portStates } from '../open-ports-of.ts';
import { FileStrip } from '../send/file-strip.tsx';
import { RepeatStrips } from '../send/repeat-strips.tsx';
import { PastePlace, SendStrips } from '../send/send-strips.tsx';
import { useTerminalSession } from '../terminal-session.ts';
import type { PortScreen } from './port-screen.ts';
import { screenOf } from './port-screens.ts';
import type { NamedKey } from './screen-keys.ts';
import { pasteInto, useScreenUser } from './screen-pane.tsx';
import styles from './screen-view.module.css';

const control = (letter: string) => String.fromCharCode(letter.charCodeAt(0) & 0x1f);

/** Control keys that programs on boards wait for most. */
const usual = ['C', 'D', 'Z'] as const;
/** Browsers close and open windows by these, and give them to no page. */
const kept = ['W', 'T', 'N'] as const;
const arrows = [
  ['up', '↑', 'Up'],
  ['down', '↓', 'Down'],
  ['left', '←', 'Left'],
  ['right', '→', 'Right'],
] as const;

const menuKeys: readonly (readonly [NamedKey, string])[] = [
  ['home', 'Home'],
  ['end', 'End'],
  ['pageUp', 'Page Up'],
  ['pageDown', 'Page Down'],
  ['insert', 'Insert'],
  ['delete', 'Delete'],
];
const functionKeys = Array.from({ length: 12 }, (_, index) => [`f${index + 1}` as NamedKey, `F${index + 1}`] as const);

export function ScreenKeyRow() {
  const port = useTerminalSession((session) => session.selectedPort);
  const state = useBenchStatus((view) => portStates(view)[port]);
  const user = useScreenUser(port);
  const isRemote = useBenchStatus((view) => view.devices[port]?.kind === 'remote');
  const onPhone = useMediaQuery(media.phone);
  const row = useRef<HTMLDivElement>(null);
  const walk = useRovingFocus(row);
  if (state === 'watching') {
    return null;
  }
  const screen = screenOf(port);
  const isOff = state !== 'connected' || user !== null;
  const sendBreak = () => void reportingFailure(port, getBench().call('sendBreak', port));
  const Row = onPhone ? PhoneKeys : WideKeys;
  return (
    <div>
      <SendStrips>
        <RepeatStrips />
        <FileStrip />
        <PastePlace onOneLine={(text) => screen.type(text)} onLeave={() => screen.focus()} />
      </SendStrips>
      <div ref={row} role="toolbar" aria-label="Keys of the Screen" className={styles['keys']} onKeyDown={walk}>
        <Row screen={screen} isOff={isOff} user={user} onBreak={isRemote ? null : sendBreak} />
      </div>
    </div>
  );
}

interface KeysProps {
  readonly screen: PortScreen;
  readonly isOff: boolean;
  /** Guest that uses the port; null for none. */
  readonly user: string | null;
  /** Null: the line of a board elsewhere cannot be held. */
  readonly onBreak: (() => void) | null;
}

function WideKeys({ screen, isOff, user, onBreak }: KeysProps) {
  return (
    <>
      <div className={styles['set']}>
        <span>{user === null ? 'Keys' : `Keys rest while ${user} types.`}</span>
        <Key isOff={isOff} label="Esc" onPress={() => screen.press('escape')} />
        <Key isOff={isOff} label="Tab" onPress={() => screen.press('tab')} />
        {usual.map((letter) => (
          <Key key={letter} isOff={isOff} label={`Ctrl+${letter}`} onPress={() => screen.type(control(letter))} />
        ))}
      </div>
      <div className={styles['set']}>
        {arrows.map(([key, sign, name]) => (
          <Key key={key} isOff={isOff} label={sign} name={name} onPress={() => screen.press(key)} />
        ))}
      </div>
      <MoreKeys screen={screen} isOff={isOff} onBreak={onBreak} />
    </>
  );
}

function PhoneKeys({ screen, isOff, onBreak }: KeysProps) {
  const held = screen.state.use((state) => state.control);
  return (
    <div className={styles['set']}>
      <Key isOff={isOff} label="Esc" onPress={() => screen.press('escape')} />
      <Key isOff={isOff} label="Tab" onPress={() => screen.press('tab')} />
      <Key
        isOff={isOff}
        label={held === 'locked' ? 'CTRL' : 'Ctrl'}
        name={held === 'locked' ? 'Ctrl, locked' : held === 'once' ? 'Ctrl, for the next key' : 'Ctrl'}
        isPressed={held !== 'off'}
        onPress={() => screen.pressControl()}
      />
      {arrows.map(([key, sign, name]) => (
        <Key key={key} isOff={isOff} label={sign} name={name} onPress={() => screen.press(key)} />
      ))}
      <Key isOff={isOff} label="|" onPress={() => screen.type('|')} />
      <Key isOff={isOff} label="~" onPress={() => screen.type('~')} />
      <MoreKeys
        screen={screen}
        isOff={isOff}
        onBreak={onBreak}
        items={[{ label: 'Paste', onSelect: () => void pasteInto(screen) }]}
      />
    </div>
  );
}

interface KeyProps {
  readonly label: string;
  /** Accessible name, if the label is a sign. */
  readonly name?: string;
  readonly isOff: boolean;
  readonly isPressed?: boolean;
  readonly onPress: () => void;
}

/** The focus stays in the terminal, and the keyboard of a phone open. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

function Key({ label, name, isOff, isPressed, onPress }: KeyProps): ReactNode {
  return (
    <Button
      size="sm"
      className={styles['key']}
      disabled={isOff}
      pressed={isPressed}
      aria-label={name}
      onMouseDown={keepFocus}
      onClick={onPress}
    >
      {label}
    </Button>
  );
}

interface MoreKeysProps extends Omit<KeysProps, 'user'> {
  readonly items?: readonly MenuAction[];
}

function MoreKeys({ screen, isOff, onBreak, items = [] }: MoreKeysProps) {
  const key = ([named, label]: readonly [NamedKey, string]): MenuAction => ({
    label,
    disabled: isOff,
    onSelect: () => screen.press(named),
  });
  return (
    <div className={styles['more']}>
      <Menu
        align="end"
        items={[
          ...items.map((item) => ({ ...item, disabled: isOff })),
          ...(onBreak === null ? [] : [{ label: 'Break', disabled: isOff, onSelect: onBreak }]),
          ...kept.map((letter) => ({
            label: `Ctrl+${letter}, kept by the browser`,
            disabled: isOff,
            onSelect: () => screen.type(control(letter)),
          })),
          'separator',
          ...menuKeys.map(key),
          'separator',
          ...functionKeys.map(key),
        ]}
        trigger={(props) => <IconButton {...props} label="More keys" variant="quiet" size="sm" icon={<Ellipsis />} />}
      />
    </div>
  );
}
