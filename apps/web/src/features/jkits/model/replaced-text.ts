/** What is lost when a jkit is loaded into a panel. */
export function replacedText({
  name,
  pinnedMessages,
}: {
  readonly name: string;
  readonly pinnedMessages: readonly unknown[];
}): string {
  switch (pinnedMessages.length) {
    case 0:
      return `Its messages go into ${name}.`;
    case 1:
      return `The message of ${name} is replaced.`;
    default:
      return `The ${pinnedMessages.length} messages of ${name} are replaced.`;
  }
}
