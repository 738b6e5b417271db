/** Sections of facts about a program, in the words and the order of `picotool info -a`. */
import type { FileSection } from '../../../../../protocol/flash-protocol.ts';
import styles from './sections.module.css';

export function Sections({ sections }: { readonly sections: readonly FileSection[] }) {
  return (
    <div className={styles['sections']}>
      {sections.map(({ title, fields }) => (
        <section key={title}>
          <h4 className="silk">{title}</h4>
          <dl className={styles['fields']}>
            {fields.map(({ key, values }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the sections of a file never change.
              <div key={index}>
                <dt>{key}</dt>
                <dd>
                  {values.map((value, line) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the values of a field never change.
                    <div key={line}>{value}</div>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
