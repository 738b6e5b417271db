import { pagePaths } from '@wirebench/contract';
import { BookOpen, CircleHelp, CirclePlay, Ellipsis, KeyRound, Plus } from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import { Button } from '../../shared/ui/button.tsx';
import { buttonClass } from '../../shared/ui/button-class.ts';
import { IconButton } from '../../shared/ui/icon-button.tsx';
import { Menu } from '../../shared/ui/menu.tsx';
import { TokensDialog } from './loaded-dialogs.ts';
import styles from './manager-head.module.css';
import { QuickGuide } from './quick-guide.tsx';

export interface ManagerHeadProps {
  /** The button that creates a project; null if no user is signed in. */
  readonly creation: {
    readonly creating: boolean;
    /** True: the main action is elsewhere on the page. */
    readonly isSecondary: boolean;
    readonly onCreate: () => void;
    readonly createButton: RefObject<HTMLButtonElement | null>;
  } | null;
  readonly onWatchVideo: () => void;
  /** Content between the title and the quick guide. */
  readonly children?: ReactNode;
}

/** The page's title, the help buttons, and the button for a new project. */
export function ManagerHead({ creation, onWatchVideo, children }: ManagerHeadProps) {
  const [guide, setGuide] = useState(false);
  const [tokens, setTokens] = useState(false);
  const openDocs = () => window.open(pagePaths.releasesDocs, '_blank', 'noopener');
  return (
    <>
      <div className={`row ${styles['head']}`}>
        <h1>Firmware Release Manager</h1>
        <Button
          variant="quiet"
          icon={<CircleHelp />}
          pressed={guide}
          aria-expanded={guide}
          onClick={() => setGuide(!guide)}
        >
          Quick guide
        </Button>
        <span className={styles['wide']}>
          <Button variant="quiet" icon={<CirclePlay />} aria-haspopup="dialog" onClick={onWatchVideo}>
            Watch video
          </Button>
          <a
            href={pagePaths.releasesDocs}
            target="_blank"
            rel="noopener"
            className={buttonClass({ variant: 'quiet' })}
            aria-label="Docs, opens in a new tab"
          >
            <BookOpen />
            Docs
          </a>
          {creation === null ? null : (
            <Button variant="quiet" icon={<KeyRound />} aria-haspopup="dialog" onClick={() => setTokens(true)}>
              Tokens
            </Button>
          )}
        </span>
        {creation === null ? null : (
          <Button
            ref={creation.createButton}
            variant={creation.isSecondary ? 'default' : 'primary'}
            icon={<Plus />}
            aria-expanded={creation.creating}
            onClick={creation.onCreate}
          >
            New project
          </Button>
        )}
        <span className={styles['narrow']}>
          <Menu
            align="end"
            trigger={(props) => <IconButton {...props} label="More" variant="quiet" icon={<Ellipsis />} />}
            items={[
              { label: 'Watch video', icon: <CirclePlay />, onSelect: onWatchVideo },
              { label: 'Docs', icon: <BookOpen />, onSelect: openDocs },
              ...(creation === null ? [] : [{ label: 'Tokens', icon: <KeyRound />, onSelect: () => setTokens(true) }]),
            ]}
          />
        </span>
      </div>
      {children}
      {guide ? <QuickGuide /> : null}
      {creation === null ? null : <TokensDialog open={tokens} onClose={() => setTokens(false)} />}
    </>
  );
}
