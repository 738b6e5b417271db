import { type DocsDocument, sectionsOf } from './docs-model.ts';
import { HeadingLink } from './docs-parts.tsx';

/** The text of a guide: its sections, each with its anchor. */
export function DocsSections({ document }: { readonly document: DocsDocument }) {
  return sectionsOf(document).map(({ id, title, body }) => (
    <section key={id} id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} data-title={title}>
        {title}
        <HeadingLink id={id} title={title} />
      </h2>
      {body}
    </section>
  ));
}
