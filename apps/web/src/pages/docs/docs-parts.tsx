/** The parts that texts of the documentation are made of. */
import { Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { copyText } from '../../shared/files/copy-text.ts';
import { Button } from '../../shared/ui/button.tsx';
import styles from './docs-parts.module.css';

interface HeadingProps {
  readonly id: string;
  readonly title: string;
}

/** A heading within a section; its address is behind the mark. */
export function Subheading({ id, title }: HeadingProps) {
  return (
    <h3 id={id} data-title={title}>
      {title}
      <HeadingLink id={id} title={title} />
    </h3>
  );
}

export function HeadingLink({ id, title }: HeadingProps) {
  return (
    <a href={`#${id}`} className={styles['address']} aria-label={`Address of ${title}`}>
      #
    </a>
  );
}

export interface DocsTableProps {
  /** Said to those who do not see the table. */
  readonly label: string;
  readonly head: readonly string[];
  /** A row's first cell names it; no two rows have the same. */
  readonly rows: readonly (readonly [string, ...ReactNode[]])[];
  /** The first column is what a machine takes or says. */
  readonly mono?: boolean;
}

export function DocsTable({ label, head, rows, mono = false }: DocsTableProps) {
  return (
    // Wide tables scroll by themselves, also by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable
    <section className={styles['table']} aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row" className={mono ? 'mono' : undefined}>
                {name}
              </th>
              {cells.map((cell, column) => (
                <td key={head[column + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

export function CodeBlock({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div className={styles['code']}>
      <div className={styles['name']}>
        {name}
        <Button
          variant="quiet"
          size="sm"
          icon={<Copy />}
          aria-label={`Copy ${name}`}
          onClick={() => void copyText(text, `${name} copied`)}
        >
          Copy
        </Button>
      </div>
      <pre>
        <code>{text}</code>
      </pre>
    </div>
  );
}

/** Steps that solve a problem, the most likely first. */
export function Steps({ children }: { readonly children: ReactNode }) {
  return <ol className={styles['steps']}>{children}</ol>;
}
