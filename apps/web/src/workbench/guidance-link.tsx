import { type GuidanceTopic, guidancePath, guidanceTopics } from '@wirebench/contract/constants';

/** From a failure to its remedy in the documentation: in another tab, because this one holds ports, lines and files. */
export function GuidanceLink({ topic }: { readonly topic: GuidanceTopic }) {
  const text = 'Other things to check';
  return (
    <a
      className="link"
      href={guidancePath(topic)}
      target="_blank"
      rel="noreferrer"
      aria-label={`${text}: ${guidanceTopics[topic]}`}
    >
      {text}
    </a>
  );
}
