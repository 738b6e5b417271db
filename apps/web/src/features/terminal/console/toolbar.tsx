/**
 * Toolbar of the console. A control that can do nothing yet is not drawn. In a narrow or low window, most controls
 * move behind the More button.
 */
import { ArrowDownToLine, Ellipsis, Search } from 'lucide-react';
import { use, useEffect, useRef } from 'react';
import { Button } from '../../../shared/ui/button.tsx';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { useRovingFocus } from '../../../shared/ui/roving-focus.ts';
import { FindField, type FindFieldProps } from '../../../workbench/console/find/find-field.tsx';
import { ShareButton } from '../../../workbench/sharing/share-button.tsx';
import { useSharing } from '../../../workbench/sharing/sharing-store.ts';
import { changeTerminalSession, useTerminalSession } from '../terminal-session.ts';
import { TerminalSlotsContext } from '../terminal-slots.ts';
import { moreToolsId, ToolsMenu } from '../tools/tools-menu.tsx';
import { DisplayChoice } from './display-choice.tsx';
import { SaveMenu, StopButton } from './save-menu.tsx';
import styles from './toolbar.module.css';
import { ViewButton } from './view-button.tsx';

export interface ToolbarProps {
  /** True: there is no log yet, so nothing can be found, followed or saved. */
  readonly empty: boolean;
  readonly following: boolean;
  readonly onFollow: (follow: boolean) => void;
  readonly onFind: () => void;
  readonly find: FindFieldProps;
}

export function Toolbar({ empty, following, onFollow, onFind, find }: ToolbarProps) {
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
            <FindField {...find} />
          </div>
        )}
        <div ref={tools} role="toolbar" aria-label="Console" className={styles['tools']} onKeyDown={walk}>
          {empty ? null : (
            <>
              <span className={styles['folded']}>
                <IconButton label="Find" variant="quiet" size="sm" icon={<Search />} onClick={onFind} />
              </span>
              {isReadOnly ? (
                <Button size="sm" icon={<ArrowDownToLine />} aria-label="To the end" onClick={() => onFollow(true)}>
                  <span className={styles['word']}>To the end</span>
                </Button>
              ) : (
                <Button
                  size="sm"
                  icon={<ArrowDownToLine />}
                  pressed={following}
                  aria-label="Follow"
                  aria-keyshortcuts="Shift+A"
                  onClick={() => onFollow(!following)}
                >
                  <span className={styles['word']}>Follow</span>
                </Button>
              )}
              <span className={styles['line']} />
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
          </div>
        </div>
      </div>
    </div>
  );
}
