import { type ReportEntry, reportReasons } from '@wirebench/contract';
import { exactText } from '../../shared/dates/dates.ts';
import { ItemActions, ItemName, typeNames } from './item-cells.tsx';
import styles from './moderation.module.css';
import { moderate, moderationLists } from './moderation-calls.ts';
import { ModerationList } from './moderation-list.tsx';
import { ReasonButton } from './reason-button.tsx';

/** Shows reports of visitors that no operator has decided yet. */
export function ReportsView({ user }: { readonly user: string }) {
  return (
    <ModerationList
      label="Open reports"
      of={[user, 'reports']}
      load={moderationLists.reports}
      hasMore={({ pagination: { total, limit } }, skip) => skip + limit < total}
      heads={['Reported', 'Why', 'When', 'Actions']}
      rows={({ reports }) => reports.map((report) => <ReportRow key={report._id} report={report} />)}
      empty="No open reports."
    />
  );
}

function ReportRow({ report }: { readonly report: ReportEntry }) {
  const { type, itemId, reason, note, createdAt, name, item } = report;
  return (
    <tr>
      <th scope="row">
        {item === null ? (
          <>
            {name}
            <small>{typeNames[type]}, deleted since</small>
          </>
        ) : (
          <ItemName item={item} />
        )}
      </th>
      <td>
        {reportReasons[reason]}
        {note === '' ? null : <small className={styles['note']}>{note}</small>}
      </td>
      <td>
        <time dateTime={createdAt}>{exactText(createdAt)}</time>
      </td>
      <td>
        {item === null ? null : <ItemActions item={item} />}
        <div className={`buttons ${styles['acts']}`}>
          <ReasonButton
            action="Dismiss"
            what={`the reports of ${name}`}
            explanation="It stays as it is, and all reports of it are removed from this list."
            done={`The reports of ${name} were dismissed`}
            run={(text) => moderate.dismissReports({ type, _id: itemId }, text)}
          />
        </div>
      </td>
    </tr>
  );
}
