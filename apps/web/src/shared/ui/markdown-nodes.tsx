/**
 * Converts Markdown to React nodes. Text from strangers is not trusted: HTML in it stays text, and only the elements
 * and addresses listed here are shown. Images are omitted, because opening a release must not contact another server.
 */
import { micromark } from 'micromark';
import { createElement, Fragment, type ReactNode } from 'react';

/** Element for each Markdown element. Headings are below those of the page. */
const elements: Readonly<Record<string, string>> = {
  P: 'p',
  H1: 'h3',
  H2: 'h3',
  H3: 'h4',
  H4: 'h4',
  H5: 'h5',
  H6: 'h6',
  UL: 'ul',
  OL: 'ol',
  LI: 'li',
  BLOCKQUOTE: 'blockquote',
  PRE: 'pre',
  CODE: 'code',
  EM: 'em',
  STRONG: 'strong',
};

export function markdownNodes(text: string): ReactNode {
  return nodesOf(new DOMParser().parseFromString(micromark(text), 'text/html').body);
}

function nodesOf(parent: Node): ReactNode[] {
  // The same text always gives the same nodes, so indices are valid keys.
  return Array.from(parent.childNodes, (node, index) => <Fragment key={String(index)}>{nodeOf(node)}</Fragment>);
}

function nodeOf(node: Node): ReactNode {
  if (!(node instanceof Element)) {
    return node.nodeType === Node.TEXT_NODE ? node.textContent : null;
  }
  const name = elements[node.tagName];
  if (name !== undefined) {
    return createElement(name, null, nodesOf(node));
  }
  switch (node.tagName) {
    case 'A':
      return linkOf(node);
    case 'BR':
      return <br />;
    case 'HR':
      return <hr />;
    case 'IMG':
      return node.getAttribute('alt');
    default:
      return nodesOf(node);
  }
}

function linkOf(node: Element): ReactNode {
  const href = node.getAttribute('href') ?? '';
  return /^https?:\/\/|^mailto:/i.test(href) ? (
    <a href={href} className="link" target="_blank" rel="noopener noreferrer nofollow ugc">
      {nodesOf(node)}
    </a>
  ) : (
    nodesOf(node)
  );
}
