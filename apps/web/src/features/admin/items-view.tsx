import { type ReportedType, reportedTypes } from '@wirebench/contract';
import { useState } from 'react';
import { exactText } from '../../shared/dates/dates.ts';
import { Segmented } from '../../shared/ui/segmented.tsx';
import { ItemActions, ItemName, typeNames } from './item-cells.tsx';
import { ListSearch } from './list-search.tsx';
import { moderationLists } from './moderation-calls.ts';
import { ModerationList } from './moderation-list.tsx';

const options = reportedTypes.map((type) => ({ value: type, label: `${typeNames[type]}s` }));

/** All items that users share, including those that were taken down. */
export function ItemsView({ user }: { readonly user: string }) {
  const [type, setType] = useState<ReportedType>('project');
  const [q, setQ] = useState('');
  return (
    <>
      <ListSearch label="Part of a name, or a publisher" onSearch={setQ}>
        <Segmented label="Kind" options={options} value={type} onChange={setType} />
      </ListSearch>
      <ModerationList
        key={`${type} ${q}`}
        label="Public items"
        of={[user, 'items', type, q]}
        load={(skip, signal) => moderationLists.items(type, q, skip, signal)}
        hasMore={({ pagination }) => pagination.hasMore}
        heads={['Name', 'Changed', 'Actions']}
        rows={({ items }) =>
          items.map((item) => (
            <tr key={item._id}>
              <th scope="row">
                <ItemName item={item} />
              </th>
              <td>
                <time dateTime={item.updatedAt}>{exactText(item.updatedAt)}</time>
              </td>
              <td>
                <ItemActions item={item} />
              </td>
            </tr>
          ))
        }
        empty="Nothing here is public."
      />
    </>
  );
}
