/** The one renderer of guides: their sections, and the parts that a text is made of. */
import { Fragment, memo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Kbd } from '../../shared/ui/kbd.tsx';
import type { DemoVideoId } from '../../shared/videos/demo-videos.ts';
import { WatchButton } from '../../shared/videos/watch-button.tsx';
import { docsLink } from './docs-links.ts';
import { type DocsDocument, type DocsNode, type DocsSection, sectionsOf, withValues } from './docs-model.ts';
import { CodeBlock, DocsTable, HeadingLink, Steps, Subheading } from './docs-parts.tsx';
import { DocsPicture, type PictureName } from './docs-picture.tsx';

interface DocsSectionsProps {
  readonly document: DocsDocument;
  /** The sections to draw; without them those of all pages. */
  readonly sections?: readonly DocsSection[];
}

/** Sections of a guide, each with its anchor. Rendered once: the page around it renders with each heading that is read. */
export const DocsSections = memo(function DocsSections({
  document,
  sections = sectionsOf(document),
}: DocsSectionsProps) {
  return sections.map(({ id, title, body }) => (
    <section key={id} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} data-title={title}>
        {title}
        <HeadingLink id={id} title={title} />
      </h2>
      {nodesOf(body, document)}
    </section>
  ));
});

function nodesOf(nodes: readonly DocsNode[], document: DocsDocument): ReactNode[] {
  return nodes.map((node, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other name than their place, and never move
    <Fragment key={index}>{nodeOf(node, document)}</Fragment>
  ));
}

function nodeOf(node: DocsNode, document: DocsDocument): ReactNode {
  const filled = (text: string) => withValues(text, document.values);
  if (typeof node === 'string') {
    return filled(node);
  }
  switch (node[0]) {
    case 'a':
      return linkOf(filled(node[1]), nodesOf(node.slice(2) as DocsNode[], document));
    case 'h3':
      return <Subheading id={node[1]} title={filled(node[2])} />;
    case 'pre':
      return <CodeBlock name={node[1]} text={filled(node[2])} />;
    case 'img':
      return (
        <DocsPicture name={node[1] as PictureName} alt={filled(node[2])}>
          {filled(node[3])}
        </DocsPicture>
      );
    case 'video':
      return <WatchButton video={node[1] as DemoVideoId}>{filled(node[2])}</WatchButton>;
    case 'table':
      return tableOf(node, document);
  }
  const [tag, ...children] = node;
  const inside = nodesOf(children, document);
  switch (tag) {
    case '':
      return inside;
    case 'kbd':
      return <Kbd>{inside}</Kbd>;
    case 'steps':
      return <Steps>{inside}</Steps>;
    default: {
      const Tag = tag;
      return <Tag>{inside}</Tag>;
    }
  }
}

function linkOf(written: string, inside: ReactNode): ReactNode {
  const link = docsLink(written);
  switch (link?.opens) {
    case 'router':
      return (
        <Link to={link.address} className="link">
          {inside}
        </Link>
      );
    case 'site':
      return (
        <a href={link.address} className="link" target="_blank" rel="noreferrer">
          {inside}
        </a>
      );
    default:
      return (
        <a href={link?.address} className="link" download={link?.opens === 'download' ? true : undefined}>
          {inside}
        </a>
      );
  }
}

type DocsTableNode = Extract<DocsNode, readonly ['table', ...unknown[]]>;

/** A table: the rows from code come first, then its own. */
function tableOf([, label, mono, data, head, ...own]: DocsTableNode, document: DocsDocument): ReactNode {
  const { rows, values } = document;
  if (data !== '' && rows[data] === undefined) {
    throw new RangeError(`No rows are called ${data}.`);
  }
  return (
    <DocsTable
      label={label}
      head={head}
      mono={mono}
      rows={[...(rows[data] ?? []), ...own].map(([name, ...cells]) => [
        withValues(name, values),
        ...cells.map((cell) => nodeOf(cell, document)),
      ])}
    />
  );
}
