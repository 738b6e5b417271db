/** Preview of the data to be sent, rendered from the body of the request itself. */
import type { NewCrashReport } from '@wirebench/contract';
import { sizeText } from '../../../../../shared/format/bytes.ts';
import { wordText } from '../../../../../shared/format/hex.ts';
import type { CrashTarget } from './release-of-link.ts';
import styles from './send-crash.module.css';

export interface CrashPreviewProps {
  readonly payload: NewCrashReport;
  readonly target: CrashTarget;
  /** Size of the attached core dump in bytes. 0: none is attached. */
  readonly memorySize: number;
}

export function CrashPreview({ payload, target, memorySize }: CrashPreviewProps) {
  const { chip, chipRevision, build, cause, details, fingerprint, id, tasks } = payload;
  const revision = chipRevision === null ? '' : ` revision ${Math.floor(chipRevision / 100)}.${chipRevision % 100}`;
  return (
    <section aria-label="What is sent" className={styles['preview']}>
      <h3 className="silk">What is sent</h3>
      <dl className={styles['facts']}>
        <Fact name="To">
          {target.publisher}, who published {target.name} {target.version}
        </Fact>
        <Fact name="Cause">{cause}</Fact>
        {details === '' ? null : <Fact name="Details">{details}</Fact>}
        <Fact name="Chip">
          {chip}
          {revision}
        </Fact>
        <Fact name="Program">{build === null ? 'not named by the dump' : `ELF file ${build}`}</Fact>
        {payload.buildId === undefined ? null : <Fact name="Build">the one for {target.build?.name}</Fact>}
        <Fact name="Memory">{memorySize === 0 ? 'not sent' : `the core dump, ${sizeText(memorySize)}`}</Fact>
        <Fact name="Numbers">
          {id} for this report, {fingerprint} for the same crash
        </Fact>
      </dl>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it. */}
      <section className={styles['stacks']} aria-label="Stacks that are sent" tabIndex={0}>
        {tasks.map(taskText).join('\n\n')}
      </section>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

type SentTask = NewCrashReport['tasks'][number];

function taskText({ name, crashed, stackUsed, stackSize, frames }: SentTask): string {
  const stack = stackUsed === null ? '' : `, stack ${stackUsed} of ${stackSize} bytes`;
  return [
    `${name ?? 'Task'}${crashed ? ' (crashed)' : ''}${stack}`,
    ...frames.map(({ pc, guess, places }, index) => {
      const where = places
        .map((place) => ` ${place.function ?? '??'} at ${place.file ?? '??'}:${place.line}`)
        .join(',');
      return `#${index}  ${wordText(pc)}${where}${guess ? ' (a guess)' : ''}`;
    }),
  ].join('\n');
}
