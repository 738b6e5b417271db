/**
 * Toolbar of the console. A control that can do nothing yet is not drawn. In a narrow or low window, most controls
 * move behind the More button.
 */
import { ArrowDownToLine, ChevronDown, Ellipsis, Eye, Search } from 'lucide-react';
import { use, useEffect, useRef, useState } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { Popover } from '../../../shared/ui/popover.tsx';
import { useRovingFocus } from '../../../shared/ui/roving-focus.ts';
import { Segmented } from '../../../shared/ui/segmented.tsx';
import { FindField, type FindFieldProps } from '../../../workbench/console/find/find-field.tsx';
import { useFind } from '../../../workbench/console/find/find-store.ts';
import { ShareButton } from '../../../workbench/sharing/share-button.tsx';
import { useSharing } from '../../../workbench/sharing/sharing-store.ts';
import { PanelsButton } from '../panels/panels-button.tsx';
import { changeScreen, enterScreen, useScreenSettings } from '../screen/screen-settings.ts';
import { prepareScreen, ScreenFind } from '../screen/screen-slot.tsx';
import { changeSettings, displayOf, hasDecoder, useTerminalSettings } from '../settings/settings-store.ts';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { moreToolsId } from '../tools/dock-ids.ts';
import { ToolsMenu } from '../tools/tools-menu.tsx';
import { SaveMenu, StopButton } from './save-menu.tsx';
import styles from './toolbar.module.css';
import { ViewOptions } from './view-options.tsx';

export interface ToolbarProps {
  /** True: there is no log yet, so nothing can be found or saved. */
  readonly empty: boolean;
  /** Scrolls an opened log to its end. */
  readonly onEnd: () => void;
  readonly onFind: () => void;
  readonly find: FindFieldProps;
  /** True: the Screen is shown in place of the log. */
  readonly onScreen: boolean;
}

/** Opens the display options. They stay open while they are tried. */
function ViewButton() {
  const [open, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={anchor}
        size="sm"
        variant="quiet"
        icon={<Eye />}
        aria-label="View"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <span className={styles['word']}>View</span>
        <ChevronDown className={styles['word']} />
      </Button>
      <Popover open={open} onClose={() => setOpen(false)} anchor={anchor} side="bottom" title="View">
        <ViewOptions />
      </Popover>
    </>
  );
}

/**
 * Choice between the displays of the log, and the Screen of the selected port. A press on *Screen* leads into it, so that
 * the next keys go to the board. With the keyboard the focus stays, because arrow keys choose here.
 */
function DisplayChoice() {
  const display = useTerminalSettings(displayOf);
  const hasFrames = useTerminalSettings(({ ports }) => hasDecoder(ports));
  const { isReadOnly } = use(TerminalSlotsContext);
  const onScreen = useScreenSettings((settings) => settings.isShown) && !isReadOnly;
  const isPressed = useRef(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: tells presses from keys, which the radio buttons handle
    <div
      onPointerEnter={isReadOnly ? undefined : prepareScreen}
      onPointerDown={() => {
        isPressed.current = true;
      }}
      onKeyDown={() => {
        isPressed.current = false;
      }}
      // Also when the Screen is shown already: the press has taken the focus out of it.
      onClick={({ target }) => {
        const isScreen = target instanceof HTMLInputElement && target.value === 'screen';
        if (isScreen && isPressed.current) {
          enterScreen();
        }
      }}
    >
      <Segmented
        label="Display"
        value={onScreen ? 'screen' : display}
        options={[
          { value: 'text', label: 'Text' },
          { value: 'hex', label: 'Hex' },
          ...(hasFrames ? [{ value: 'frames', label: 'Frames' } as const] : []),
          ...(isReadOnly ? [] : [{ value: 'screen', label: 'Screen' } as const]),
        ]}
        onChange={(chosen) => {
          if (!isReadOnly) {
            changeScreen({ isShown: chosen === 'screen' });
          }
          if (chosen !== 'screen') {
            changeSettings({ layout: chosen });
          }
        }}
      />
    </div>
  );
}

export function Toolbar({ empty, onEnd, onFind, find, onScreen }: ToolbarProps) {
  const more = useTerminalSession((session) => session.moreTools);
  // Guests cannot share the host's bench.
  const { banner, isReadOnly } = use(TerminalSlotsContext);
  const isGuest = banner !== null;
  const sharing = useSharing(({ dialog }) => dialog === 'toolbar');
  useEffect(() => {
    if (sharing) {
      // The dialog is anchored at its button and returns the focus to it. Keep the button visible even if the window
      // gets narrower.
      changeTerminalSession({ moreTools: true });
    }
  }, [sharing]);
  const isSearching = useFind((find) => find.text !== '');
  const tools = useRef<HTMLDivElement>(null);
  const walk = useRovingFocus(tools);
  return (
    <div className={styles['frame']}>
      <div className={styles['toolbar']} data-more={more || undefined}>
        <div className={styles['display']}>
          <DisplayChoice />
        </div>
        {empty ? null : (
          <div className={styles['find']}>
            {onScreen ? <ScreenFind field={find.field} onFind={onFind} /> : <FindField {...find} />}
          </div>
        )}
        <div ref={tools} role="toolbar" aria-label="Console" className={styles['tools']} onKeyDown={walk}>
          {empty ? null : (
            <>
              <span className={styles['folded']}>
                <IconButton
                  label="Find"
                  variant="quiet"
                  size="sm"
                  icon={<Search />}
                  // Only while a search of the folded field hides or marks lines.
                  pressed={isSearching || undefined}
                  onClick={onFind}
                />
              </span>
              {isReadOnly ? (
                <Button size="sm" icon={<ArrowDownToLine />} aria-label="To the end" onClick={onEnd}>
                  <span className={styles['word']}>To the end</span>
                </Button>
              ) : null}
            </>
          )}
          <StopButton />
          <span className={styles['folded']}>
            <IconButton
              id={moreToolsId}
              label="More"
              variant="quiet"
              size="sm"
              icon={<Ellipsis />}
              aria-expanded={more}
              onClick={() => changeTerminalSession({ moreTools: !more })}
            />
          </span>
          <div className={styles['rest']}>
            <ViewButton />
            <SaveMenu empty={empty} />
            <ToolsMenu />
            {isGuest ? null : (
              <ShareButton place="toolbar">
                <span className={styles['word']}>Share</span>
              </ShareButton>
            )}
            <PanelsButton />
          </div>
        </div>
      </div>
    </div>
  );
}
