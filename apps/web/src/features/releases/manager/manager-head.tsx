import { KeyRound, Plus } from 'lucide-react';
import { type ReactNode, type RefObject, useState } from 'react';
import { useQuickGuide, useQuickGuideOffer } from '../../../shared/quick-guide.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { TokensDialog } from '../loaded-dialogs.ts';
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
  /** Content between the title and the quick guide. */
  readonly children?: ReactNode;
}

/** The page's title, and the button for a new project. */
export function ManagerHead({ creation, children }: ManagerHeadProps) {
  const guide = useQuickGuide();
  useQuickGuideOffer();
  const [tokens, setTokens] = useState(false);
  return (
    <>
      <div className={`row ${styles['head']}`}>
        <h1>Firmware Release Manager</h1>
        {creation === null ? null : (
          <Button variant="quiet" icon={<KeyRound />} aria-haspopup="dialog" onClick={() => setTokens(true)}>
            Tokens
          </Button>
        )}
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
      </div>
      {children}
      {guide ? <QuickGuide /> : null}
      {creation === null ? null : <TokensDialog open={tokens} onClose={() => setTokens(false)} />}
    </>
  );
}
