import { FileText, Globe, Lock } from 'lucide-react';
import { useEffect } from 'react';
import { useIsOwnName } from '../../shared/session/own-names.ts';
import { useSession } from '../../shared/session/use-session.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { useLoaded } from '../../shared/ui/use-loaded.ts';
import { type JkitPanel, loadedFacts, type PanelJkits } from './jkit-panel.ts';
import { openUpdate } from './library-store.ts';
import styles from './loaded-line.module.css';

export interface LoadedLineProps {
  readonly panel: JkitPanel;
  readonly jkits: PanelJkits;
}

const loadToggle = () => import('./star-toggle.tsx');
const nothing = () => undefined;

/**
 * Line with the JKit that a panel's messages came from. The user's own JKits can be updated here, other publishers'
 * JKits starred.
 */
export function LoadedLine({ panel, jkits }: LoadedLineProps) {
  const { user } = useSession();
  const facts = loadedFacts(panel);
  const isOwn = useIsOwnName();
  const others = facts !== null && user !== null && !(facts.publisher !== null && isOwn(user.name, facts.publisher));
  const asks = others && facts.publisher !== null ? user.name : null;
  useEffect(() => {
    if (asks !== null) {
      // Loaded on demand, because it includes the schema for parsing the answer.
      void import('./calls/own-name.ts').then(({ learnNameOf }) => learnNameOf(asks));
    }
  }, [asks]);
  const starred = useLoaded(others && facts.id !== null, loadToggle, nothing);
  if (facts === null) {
    return null;
  }
  const { id, name, version, publisher, copiedFrom, shared } = facts;
  const own = user !== null && publisher !== null && isOwn(user.name, publisher);
  return (
    <div className={`small ${styles['line']}`}>
      <span className={`row tight ${styles['facts']}`}>
        <FileText aria-hidden="true" />
        <span className={`ellipsis ${styles['name']}`}>
          {name}
          {version === null ? '' : ` v${version}`}
        </span>
        <span className={`ellipsis ${styles['by']}`}>
          {publisher !== null
            ? `by ${publisher}`
            : copiedFrom !== null
              ? `your copy, from ${copiedFrom}`
              : 'from a file'}
        </span>
      </span>
      {own && id !== null ? (
        <>
          <Badge tone={shared ? 'success' : 'neutral'} icon={shared ? <Globe /> : <Lock />}>
            {shared ? 'Shared' : 'Private'}
          </Badge>
          <Button
            size="sm"
            variant="quiet"
            aria-label={`Update ${name} from this panel`}
            onClick={() => openUpdate(panel.id, id)}
          >
            Update
          </Button>
        </>
      ) : null}
      {others && id !== null && starred !== null ? (
        <starred.StarToggle user={user.name} panel={panel} jkits={jkits} id={id} facts={facts} />
      ) : null}
    </div>
  );
}
