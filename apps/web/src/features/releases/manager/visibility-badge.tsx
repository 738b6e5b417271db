import { Globe, Lock } from 'lucide-react';
import { Badge } from '../../../shared/ui/badge.tsx';
import { classNames } from '../../../shared/ui/class-names.ts';
import { Spinner } from '../../../shared/ui/spinner.tsx';
import track from '../../../shared/ui/switch.module.css';
import { Tooltip } from '../../../shared/ui/tooltip.tsx';
import styles from './visibility-badge.module.css';

/** Shows the visibility without a button. */
export function VisibilityMark({ isPublic }: { readonly isPublic: boolean }) {
  return isPublic ? (
    <Badge tone="success" icon={<Globe />}>
      Public
    </Badge>
  ) : (
    <Badge icon={<Lock />}>Private</Badge>
  );
}

export interface VisibilityBadgeProps {
  readonly isPublic: boolean;
  /** Name of the item: `weather-node`, `version 1.4.0`. */
  readonly what: string;
  readonly busy: boolean;
  /** Reason why it cannot be changed; null if it can. */
  readonly locked: string | null;
  readonly onToggle: () => void;
}

/**
 * Shows the visibility, and changes it when pressed. If it is locked, it can still be focused, so that the user can
 * read the reason.
 */
export function VisibilityBadge({ isPublic, what, busy, locked, onToggle }: VisibilityBadgeProps) {
  const label = `${isPublic ? 'Public' : 'Private'}: ${what}`;
  return (
    <Tooltip text={locked ?? (isPublic ? `Make ${what} private` : `Make ${what} public`)}>
      {(anchor) => (
        <button
          {...anchor}
          type="button"
          aria-label={label}
          aria-pressed={isPublic}
          aria-disabled={locked !== null || busy || undefined}
          aria-busy={busy || undefined}
          className={classNames(
            'silk',
            styles['switch'],
            isPublic && styles['public'],
            locked !== null && styles['locked'],
          )}
          onClick={locked === null && !busy ? onToggle : undefined}
        >
          {busy ? (
            <Spinner />
          ) : (
            <i className={classNames(track['switch'], isPublic && track['on'], locked !== null && track['locked'])} />
          )}
          {isPublic ? 'Public' : 'Private'}
        </button>
      )}
    </Tooltip>
  );
}
