import type { ServerState } from '@wirebench/contract';
import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { exactText } from '../../shared/dates/dates.ts';
import { sizeText } from '../../shared/format/bytes.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Notice } from '../../shared/ui/notice.tsx';
import { useServerState } from './moderation-calls.ts';
import styles from './state-view.module.css';

/** The state of the server: what an operator has to look at, then the facts. */
export function StateView({ user }: { readonly user: string }) {
  const { data, error, isFetching, refetch } = useServerState(user);
  if (data === undefined) {
    return error === null ? (
      <p role="status">Reading the state of the server…</p>
    ) : (
      <Notice level="error" title="The state of the server could not be read.">
        {error.message}{' '}
        <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </Notice>
    );
  }
  return (
    <>
      <section aria-label="Worth a look" className={styles['warnings']}>
        {data.warnings.length === 0 ? (
          <p className="row">
            <CircleCheck />
            Nothing is misconfigured, as far as the server can tell.
          </p>
        ) : (
          data.warnings.map(({ text, remedy }) => (
            <Notice key={text} level="warning" title={text}>
              {remedy}
            </Notice>
          ))
        )}
      </section>
      <dl className={styles['facts']}>
        {factsOf(data).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const databaseNames = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const;

function factsOf({
  version,
  node,
  startedAt,
  database,
  files,
  disk,
  backup,
}: ServerState): readonly [string, ReactNode][] {
  const { kind, version: databaseVersion, schema, size } = database;
  return [
    ['Version', `Wirebench ${version}, on Node ${node}`],
    ['Running since', exactText(startedAt)],
    [
      'Database',
      databaseVersion === null
        ? `${databaseNames[kind]}, which does not answer`
        : `${databaseNames[kind]} ${databaseVersion}${size === null ? '' : `, ${sizeText(size)}`}, schema ${schema}`,
    ],
    [
      'Files',
      `${files.kind === 'folder' ? 'Folder' : 'S3'} ${files.place}${files.answers ? '' : ', which does not answer'}`,
    ],
    ['Disk', `${sizeText(disk.free)} of ${sizeText(disk.size)} free, at ${disk.folder}`],
    ['Last backup', backupText(backup)],
  ];
}

function backupText({ isOwn, command, last }: ServerState['backup']): ReactNode {
  if (!isOwn) {
    return 'Not known here: the tools of the database and of the store back them up';
  }
  return last === null ? (
    <>
      None. <code>{command}</code> makes one.
    </>
  ) : (
    `${exactText(last.at)}, ${last.files.toLocaleString('en')} files, ${sizeText(last.bytes)}`
  );
}
