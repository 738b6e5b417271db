/** Cells and actions of an item in the lists of moderation. */
import type { ModeratedItem, ReportedType } from '@wirebench/contract';
import { Badge } from '../../shared/ui/badge.tsx';
import { BlockButton } from './block-button.tsx';
import styles from './moderation.module.css';
import { moderate } from './moderation-calls.ts';
import { ReasonButton } from './reason-button.tsx';

export const typeNames = { project: 'Project', version: 'Version', jkit: 'JKit' } satisfies Record<
  ReportedType,
  string
>;

export function ItemName({ item }: { readonly item: ModeratedItem }) {
  return (
    <>
      <a className="link" href={item.path} target="_blank" rel="noopener">
        {item.name}
      </a>
      <small>
        {typeNames[item.type]} by {item.publisher}
      </small>
      {item.withheld === null ? null : (
        <small>
          <Badge tone="danger">{item.withheld.by === 'taken-down' ? 'Taken down' : 'Account blocked'}</Badge>{' '}
          {item.withheld.reason}
        </small>
      )}
    </>
  );
}

export function ItemActions({ item }: { readonly item: ModeratedItem }) {
  const { name, publisher, account, withheld } = item;
  return (
    <div className={`buttons ${styles['acts']}`}>
      {withheld?.by === 'taken-down' ? (
        <ReasonButton
          action="Restore"
          what={name}
          explanation="It is public again, under the same link."
          done={`${name} is public again`}
          run={(reason) => moderate.restore(item, reason)}
        />
      ) : (
        <ReasonButton
          action="Take down"
          what={name}
          danger
          explanation="From then on only its publisher sees it. Its link says that it was taken down, and its publisher sees the reason."
          done={`${name} was taken down`}
          run={(reason) => moderate.takeDown(item, reason)}
        />
      )}
      {account === null || account.isBlocked ? null : <BlockButton id={account._id} publicName={publisher} />}
    </div>
  );
}
